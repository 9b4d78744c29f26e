import { useQuery } from '@tanstack/react-query'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { executionQuery } from '../../api/executions.ts'
import { Differences } from '../../components/elements/differences.tsx'
import { Part } from '../../components/elements/part.tsx'
import { compareValues } from '../../format/lists/compare-values.ts'
import { executionTexts } from '../../texts/executions.ts'

/** In which arguments a retry differs from its original; nothing if in none, or if the history no longer has both. */
export function RetryDifferences({ execution, originalId }: { execution: ExecutionDetail; originalId: string }) {
  const original = useQuery({ ...executionQuery(originalId), staleTime: Infinity, retry: false }).data
  const isWhole = (each: ExecutionDetail): boolean => each.args !== null && !each.truncated.includes('/args')
  if (original === undefined || !isWhole(original) || !isWhole(execution)) return null
  const comparison = compareValues({ args: original.args }, { args: execution.args })
  if (comparison === null || comparison.changed.length === 0) return null
  return (
    <Part title={executionTexts.differentArguments}>
      <Differences changes={comparison.changed} label={executionTexts.differentArguments} names={executionTexts.differences} />
      {comparison.isCut && <p className="muted">{executionTexts.differencesCut}</p>}
    </Part>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { executionCountQuery } from '../../api/executions.ts'
import { addressOf } from '../../format/failures/failure-groups.ts'
import { everyExecution } from '../../format/executions/execution-filter.ts'
import { formatTotal } from '../../format/stats/number.ts'
import { executionTexts } from '../../texts/executions.ts'

/** How many others failed with the same error, with a link to them. */
export function ExecutionAlike({ errorGroup }: { errorGroup: string }) {
  const filter = useMemo(() => ({ ...everyExecution, status: 'failed' as const, errorGroup }), [errorGroup])
  const { data: total } = useQuery({ ...executionCountQuery(filter), staleTime: 30_000 })
  const others = total && { ...total, value: Math.max(0, total.value - 1) }
  return (
    <p className="alike">
      <Link href={addressOf({ error_group: errorGroup })}>
        {others === undefined || others.value === 0
          ? executionTexts.groupFailures
          : executionTexts.othersLikeThis(formatTotal(others), others.value === 1 && others.relation === 'exact')}
      </Link>
      {others?.value === 0 && others.relation === 'exact' && <span className="muted">{executionTexts.noOtherKept}</span>}
    </p>
  )
}

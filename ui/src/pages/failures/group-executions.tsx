import { useMemo } from 'react'
import { currentTime } from '../../format/time/clock.ts'
import { everyExecution } from '../../format/executions/execution-filter.ts'
import { rangePhrase, type TimeRange } from '../../format/time/time-range.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { ExecutionsSection } from '../executions/executions-section.tsx'
import { GroupArguments } from './group-arguments.tsx'
import { executionTexts } from '../../texts/executions.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

/** The executions that failed with one error; the oldest first shows how it began. */
export function GroupExecutions({ errorGroup, range }: { errorGroup: string; range: TimeRange | null }) {
  const order = useAddress().get('order') === 'oldest' ? 'oldest' as const : null
  const filter = useMemo(() => ({ ...everyExecution, status: 'failed' as const, errorGroup, range, order }), [errorGroup, range, order])
  return (
    <>
      <GroupArguments filter={filter} />
      <ExecutionsSection
        filter={filter} what={executionTexts.its}
        none={range === null ? groupTexts.noneKept : groupTexts.noneKeptOf(rangePhrase(range, currentTime()))}
      />
    </>
  )
}

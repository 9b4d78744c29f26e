import { useMemo } from 'react'
import { outcomeFrom, type AuditFilter } from '../format/audit/audit-filter.ts'
import { useAddress } from './use-address.ts'
import { useTimeRange } from './use-time-range.ts'

/** The filter in the address; the same object until the filter changes. */
export function useAuditFilter(): AuditFilter {
  const { get } = useAddress()
  const { range } = useTimeRange(null)
  const [actor, action, outcome, taskName] = [get('actor'), get('action'), outcomeFrom(get('outcome')), get('task')]
  const [scheduleId, executionId] = [get('schedule'), get('execution')]
  return useMemo(
    () => ({ actor, action, outcome, taskName, scheduleId, executionId, range }),
    [actor, action, outcome, taskName, scheduleId, executionId, range]
  )
}

import { useMemo } from 'react'
import { minDurationFrom, type ExecutionFilter } from '../format/executions/execution-filter.ts'
import { isStatus } from '../format/executions/status.ts'
import { useAddress } from './use-address.ts'
import { useTimeRange } from './use-time-range.ts'

/** The filter in the address; the same object until the filter changes. */
export function useExecutionFilter(): ExecutionFilter {
  const { get } = useAddress()
  const { range } = useTimeRange(null)
  const [status, taskName, scheduleId] = [get('status'), get('task'), get('schedule')]
  const [workerId, errorGroup, took, search] = [get('worker'), get('group'), get('took'), get('search')]
  const isOldestFirst = get('order') === 'oldest'
  return useMemo(() => ({
    status: isStatus(status) ? status : null,
    range,
    minDurationMs: minDurationFrom(took),
    order: isOldestFirst ? 'oldest' : null,
    taskName, scheduleId, workerId, errorGroup, search
  }), [status, range, taskName, scheduleId, workerId, errorGroup, took, search, isOldestFirst])
}

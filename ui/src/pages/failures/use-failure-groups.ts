import { useQuery } from '@tanstack/react-query'
import { failureGroupsQuery } from '../../api/failures.ts'
import { hourlyLoadQuery } from '../../api/timeseries.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { MINUTE_MS } from '../../format/time/units.ts'

export const LOAD_POLLED_EVERY_MS = MINUTE_MS

/** The failure groups of the last 24 hours, and what their trends are measured against. */
export function useFailureGroups() {
  const groups = useSettled(useQuery({ ...failureGroupsQuery, ...usePolling(10_000) }))
  const load = useSettled(useQuery({ ...hourlyLoadQuery, ...usePolling(LOAD_POLLED_EVERY_MS) }))
  return { groups, load }
}

import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { executionCountQuery } from '../../api/executions.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { STATUSES } from '../../format/executions/status.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'

/**
 * How many executions of each status a filter finds. While some cannot be counted, the last numbers stay, with the failure and their time.
 * @param isAsked false if the search is not valid, or would have to scan everything for each number
 */
export function useCounts(filter: ExecutionFilter, isAsked: boolean) {
  const polling = usePolling(5_000)
  const wanted = [null, ...STATUSES] as const
  const results = useQueries({
    queries: wanted.map(status => ({
      ...executionCountQuery({ ...filter, status, order: null }), ...polling, placeholderData: keepPreviousData, enabled: isAsked
    }))
  })
  // Counts of the previous filters, kept while these load, would be wrong.
  const [all, pending, running, success, failed, cancelled] = results.map(result =>
    (result.isPlaceholderData || !isAsked ? undefined : result.data))
  const { failure, updatedAt } = useSettled(results.find(({ status, data }) => status === 'error' && data !== undefined) ?? results[0]!)
  return { counts: { all, pending, running, success, failed, cancelled }, failure, updatedAt }
}

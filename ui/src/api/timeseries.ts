import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Timeseries } from '../../../schemas/index.ts'
import { toHourlyLoad } from '../format/failure-groups.ts'
import type { Range } from '../format/address.ts'
import { get } from './request.ts'

/** What finished, span by span, with the percentiles of how long it took. */
export function timeseriesQuery(window: Range) {
  return queryOptions({
    queryKey: ['timeseries', window],
    queryFn: ({ signal }) => get<Timeseries>('api/timeseries', { query: { metric: 'duration_ms', window }, signal }),
    placeholderData: keepPreviousData
  })
}

/** What became of one task, hour by hour, over the last 24 hours. */
export function taskHoursQuery(taskName: string) {
  return queryOptions({
    queryKey: ['timeseries', 'task', taskName],
    queryFn: ({ signal }) =>
      get<Timeseries>('api/timeseries', { query: { metric: 'duration_ms', task_name: taskName, window: '24h', step: '1h' }, signal })
  })
}

/** How much finished in each of the last 24 hours. */
export const hourlyLoadQuery = queryOptions({
  queryKey: ['timeseries', 'hourly'],
  queryFn: async ({ signal }) =>
    toHourlyLoad((await get<Timeseries>('api/timeseries', { query: { metric: 'executions', window: '24h', step: '1h' }, signal })).points)
})

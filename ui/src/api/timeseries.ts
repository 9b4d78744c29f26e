import { queryOptions } from '@tanstack/react-query'
import type { Timeseries } from '../../../schemas/index.ts'
import { toHourlyLoad } from '../format/failures/failure-groups.ts'
import type { SeriesPlan } from '../format/stats/series-plan.ts'
import { get } from './request.ts'

/** Finished executions for each span, with the percentiles of their durations; of one task or of all. */
export function timeseriesQuery({ window, step }: SeriesPlan, taskName: string | null = null) {
  return queryOptions({
    queryKey: ['timeseries', window, step, taskName],
    queryFn: ({ signal }) =>
      get<Timeseries>('api/timeseries', { query: { metric: 'duration_ms', window, step, task_name: taskName }, signal })
  })
}

/** The outcomes of one task, hour by hour, over the last 24 hours. */
export function taskHoursQuery(taskName: string) {
  return queryOptions({
    queryKey: ['timeseries', 'task', taskName],
    queryFn: ({ signal }) =>
      get<Timeseries>('api/timeseries', { query: { metric: 'duration_ms', task_name: taskName, window: '24h', step: '1h' }, signal })
  })
}

/** The number of executions that finished in each of the last 24 hours. */
export const hourlyLoadQuery = queryOptions({
  queryKey: ['timeseries', 'hourly'],
  queryFn: async ({ signal }) =>
    toHourlyLoad((await get<Timeseries>('api/timeseries', { query: { metric: 'executions', window: '24h', step: '1h' }, signal })).points)
})

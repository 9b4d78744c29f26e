import { NoQuery, Ref } from '../../../../schemas/common.ts'
import { Stats } from '../../../../schemas/stats.ts'
import { Timeseries, TimeseriesQuery } from '../../../../schemas/timeseries.ts'
import type { Api } from '../../http/routes/api.ts'
import { statsOf } from '../../decorators.ts'
import { described, errors, unchanged } from '../responses.ts'

export function statsRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/stats',
    config: { action: 'stats:view', polled: true },
    schema: {
      operationId: 'getStats',
      tags: ['system'],
      summary: 'Statistics of the whole queue app',
      querystring: NoQuery,
      response: { 200: described('The statistics, at most a second old', Ref(Stats)), ...unchanged, ...errors }
    },
    handler: request => statsOf(request).read()
  })

  api.route({
    method: 'GET',
    url: '/api/timeseries',
    config: { action: 'stats:view', polled: true },
    schema: {
      operationId: 'getTimeseries',
      tags: ['system'],
      summary: 'Executions, durations or waits over time, up to now',
      querystring: TimeseriesQuery,
      response: { 200: described('The points, at most a second old', Ref(Timeseries)), ...unchanged, ...errors }
    },
    handler: request => statsOf(request).timeseries(request.query)
  })
}

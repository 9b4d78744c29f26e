import { NoQuery, Ref } from '../../../schemas/common.ts'
import { Stats } from '../../../schemas/stats.ts'
import type { Api } from '../api.ts'
import { statsOf } from '../decorators.ts'
import { described, errors, unchanged } from './responses.ts'

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
    handler: (request) => statsOf(request).read()
  })
}

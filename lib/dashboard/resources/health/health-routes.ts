import { NoQuery, Ref } from '../../../../schemas/common.ts'
import { Health } from '../../../../schemas/health.ts'
import type { Api } from '../../http/routes/api.ts'
import { healthOf } from '../../decorators.ts'
import { RETRY_AFTER_SECONDS } from '../../http/error-handler.ts'
import { described, errors } from '../responses.ts'

export function healthRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/health',
    config: { action: 'health:view' },
    schema: {
      operationId: 'getHealth',
      tags: ['system'],
      summary: 'Health of each component',
      querystring: NoQuery,
      response: {
        ...errors,
        200: described('It works; `degraded` means that something needs attention', Ref(Health)),
        503: described('It does not work', Ref(Health), { 'Retry-After': 'Seconds to wait' })
      }
    },
    async handler(request, reply) {
      const health = await healthOf(request)()
      if (!health.healthy) reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
      return reply.send(health)
    }
  })
}

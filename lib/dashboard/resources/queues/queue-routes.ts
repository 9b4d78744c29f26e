import { NoQuery } from '../../../../schemas/common.ts'
import { QueueList } from '../../../../schemas/queue.ts'
import type { Api } from '../../http/routes/api.ts'
import { queuesOf } from '../../decorators.ts'
import { described, errors, unchanged } from '../responses.ts'

export function queueRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/queues',
    config: { action: 'queues:view', polled: true },
    schema: {
      operationId: 'listQueues',
      tags: ['workers'],
      summary: 'The queue of every registered task',
      querystring: NoQuery,
      response: { 200: described('The queues, by task', QueueList), ...unchanged, ...errors }
    },
    handler: request => queuesOf(request).list()
  })
}

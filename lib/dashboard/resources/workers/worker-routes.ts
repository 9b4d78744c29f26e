import { NoQuery } from '../../../../schemas/common.ts'
import { WorkerList } from '../../../../schemas/worker.ts'
import type { Api } from '../../http/routes/api.ts'
import { workersOf } from '../../decorators.ts'
import { described, errors, unchanged } from '../responses.ts'

export function workerRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/workers',
    config: { action: 'workers:view', polled: true },
    schema: {
      operationId: 'listWorkers',
      tags: ['workers'],
      summary: 'Every process that runs tasks',
      querystring: NoQuery,
      response: { 200: described('The workers, by id', WorkerList), ...unchanged, ...errors }
    },
    handler: request => workersOf(request).list()
  })
}

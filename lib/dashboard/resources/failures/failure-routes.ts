import { Ref } from '../../../../schemas/common.ts'
import { FailureGroupPage, FailureListQuery } from '../../../../schemas/failure.ts'
import type { Api } from '../../http/routes/api.ts'
import { failuresOf } from '../../decorators.ts'
import { described, errors, unchanged } from '../responses.ts'

export function failureRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/failures',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'listFailures',
      tags: ['executions'],
      summary: 'Failures grouped by their cause, last seen first',
      querystring: FailureListQuery,
      response: { 200: described('A page of groups', Ref(FailureGroupPage)), ...unchanged, ...errors }
    },
    handler: request => failuresOf(request).list(request.query)
  })
}

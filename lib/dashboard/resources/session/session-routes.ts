import { Ref } from '../../../../schemas/common.ts'
import { Session, SessionQuery } from '../../../../schemas/session.ts'
import type { Api } from '../../http/routes/api.ts'
import { sessionOf } from '../../decorators.ts'
import { described, errors } from '../responses.ts'

export function sessionRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/session',
    config: { action: 'session:view', tellsAboutTask: true },
    schema: {
      operationId: 'getSession',
      tags: ['system'],
      summary: 'The current user and what they may do, in general or with one task',
      querystring: SessionQuery,
      response: { 200: described('The session', Ref(Session)), ...errors }
    },
    handler: request => sessionOf(request)(request, request.query.task_name)
  })
}

import { Type } from '@sinclair/typebox'
import { NoQuery } from '../../../../schemas/common.ts'
import type { Api } from '../../http/routes/api.ts'
import { documentOf } from '../../decorators.ts'
import { described, errors } from '../responses.ts'

export function openApiRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/openapi.json',
    config: { action: 'openapi:view' },
    schema: {
      operationId: 'getOpenApiDocument',
      tags: ['system'],
      summary: 'This document',
      querystring: NoQuery,
      response: { 200: described('OpenAPI 3.1', Type.Object({}, { additionalProperties: true })), ...errors }
    },
    handler: request => documentOf(request)()
  })
}

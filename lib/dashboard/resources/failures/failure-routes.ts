import type { FastifyRequest } from 'fastify'
import { NoQuery, Ref } from '../../../../schemas/common.ts'
import {
  FailureDecisionInput, FailureGroup, FailureGroupPage, FailureGroupParams, FailureListQuery, FailureResolveInput
} from '../../../../schemas/failure.ts'
import type { Api } from '../../http/routes/api.ts'
import { failureCommandsOf, failuresOf, userOf } from '../../decorators.ts'
import { acceptNoBody } from '../../http/json-body.ts'
import { conflict, described, errors, notFound, unchanged, writeErrors } from '../responses.ts'

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

  api.route({
    method: 'PUT',
    url: '/api/failures/:group/resolve',
    config: { action: 'failures:resolve', before: standing },
    schema: {
      operationId: 'resolveFailureGroup',
      tags: ['executions'],
      summary: 'Marks a failure group as resolved, until it fails again',
      params: FailureGroupParams,
      querystring: NoQuery,
      body: Ref(FailureResolveInput),
      response: { 200: described('The failure group', Ref(FailureGroup)), ...writeErrors, ...notFound, ...conflict }
    },
    preValidation: acceptNoBody,
    handler: async request => failureCommandsOf(request).resolve(request.params.group, request.body, await userOf(request))
  })

  api.route({
    method: 'PUT',
    url: '/api/failures/:group/reopen',
    config: { action: 'failures:reopen', before: standing },
    schema: {
      operationId: 'reopenFailureGroup',
      tags: ['executions'],
      summary: 'Opens a resolved failure group again, or gives an open one a note',
      params: FailureGroupParams,
      querystring: NoQuery,
      body: Ref(FailureDecisionInput),
      response: { 200: described('The failure group', Ref(FailureGroup)), ...writeErrors, ...notFound }
    },
    preValidation: acceptNoBody,
    handler: async request => failureCommandsOf(request).reopen(request.params.group, request.body, await userOf(request))
  })
}

/** The group before a change, for the audit log. */
async function standing(request: FastifyRequest): Promise<object | null> {
  return await failuresOf(request).find((request.params as { group: string }).group)
}

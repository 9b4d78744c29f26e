import type { FastifyRequest } from 'fastify'
import {
  BulkIdParams, BulkInput, BulkItemPage, BulkItemsQuery, BulkListQuery, BulkOperation, BulkPage, BulkPreview
} from '../../../../schemas/bulk.ts'
import { NoQuery, Ref } from '../../../../schemas/common.ts'
import type { Action } from '../../actions.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import { reasonOf } from '../../audit/audit-writes.ts'
import { bulkCommandsOf, bulkOf, isAllowedOf, reasonsRequiredBy, userOf } from '../../decorators.ts'
import { operationOf } from '../../http/idempotency.ts'
import type { Api } from '../../http/routes/api.ts'
import { locationOf } from '../../http/routes/links.ts'
import { ITEM_ACTIONS, type MayDo } from './touched-tasks-reader.ts'
import { conflict, described, errors, notFound, unchanged, writeErrors } from '../responses.ts'

export function bulkRoutes(api: Api): void {
  api.route({
    method: 'POST',
    url: '/api/bulk',
    config: { action: 'bulk:create', changes: request => !isDryRun(request) },
    schema: {
      operationId: 'createBulkOperation',
      tags: ['bulk'],
      summary: 'Retries, cancels, deletes or resolves everything that matches a filter; a dry run tells what would be done',
      querystring: NoQuery,
      body: Ref(BulkInput),
      response: {
        200: described('The dry run: nothing was changed', Ref(BulkPreview)),
        202: described('It was accepted', Ref(BulkOperation), { Location: 'Address of the operation, relative to the request' }),
        ...writeErrors, ...conflict
      }
    },
    async handler(request, reply) {
      if (request.body.dry_run) return reply.code(200).send(await bulkOf(request).preview(mayDoOf(request), request.body))
      const input = { ...request.body, ...reasonFor(request) }
      const started = await bulkCommandsOf(request).create(mayDoOf(request), input, await userOf(request), operationOf(request))
      return reply.code(202).header('location', locationOf(started.operation_id, 'bulk')).send(started)
    }
  })

  api.route({
    method: 'GET',
    url: '/api/bulk',
    config: { action: 'bulk:view', polled: true },
    schema: {
      operationId: 'listBulkOperations',
      tags: ['bulk'],
      summary: 'Bulk operations of the last 7 days, newest first',
      querystring: BulkListQuery,
      response: { 200: described('A page of operations', Ref(BulkPage)), ...unchanged, ...errors }
    },
    handler: request => bulkOf(request).list(request.query)
  })

  api.route({
    method: 'GET',
    url: '/api/bulk/:id',
    config: { action: 'bulk:view', polled: true },
    schema: {
      operationId: 'getBulkOperation',
      tags: ['bulk'],
      summary: 'One bulk operation and its progress',
      params: BulkIdParams,
      querystring: NoQuery,
      response: { 200: described('The operation', Ref(BulkOperation)), ...unchanged, ...errors, ...notFound }
    },
    handler: request => bulkOf(request).get(request.params.id)
  })

  api.route({
    method: 'GET',
    url: '/api/bulk/:id/items',
    config: { action: 'bulk:view', polled: true },
    schema: {
      operationId: 'listBulkItems',
      tags: ['bulk'],
      summary: 'The outcome of each item of a bulk operation, in the order in which they were done',
      params: BulkIdParams,
      querystring: BulkItemsQuery,
      response: { 200: described('A page of items', Ref(BulkItemPage)), ...unchanged, ...errors, ...notFound }
    },
    handler: request => bulkOf(request).items(request.params.id, request.query)
  })

  for (const { verb, operationId, summary } of CHANGES) {
    api.route({
      method: 'PUT',
      url: `/api/bulk/:id/${verb}`,
      config: { action: `bulk:${verb}` satisfies Action, before: standing },
      schema: {
        operationId,
        tags: ['bulk'],
        summary,
        params: BulkIdParams,
        querystring: NoQuery,
        response: { 200: described('The operation', Ref(BulkOperation)), ...writeErrors, ...notFound, ...conflict }
      },
      handler: async request => bulkCommandsOf(request).change(verb, mayDoOf(request), request.params.id, await userOf(request))
    })
  }
}

const CHANGES = [
  { verb: 'suspend', operationId: 'suspendBulkOperation', summary: 'Suspends a bulk operation until it is resumed' },
  { verb: 'resume', operationId: 'resumeBulkOperation', summary: 'Resumes a suspended bulk operation' },
  { verb: 'abort', operationId: 'abortBulkOperation', summary: 'Ends a bulk operation; what it did stays' },
  {
    verb: 'undo', operationId: 'undoBulkOperation',
    summary: 'Takes back what a bulk operation did, where that is possible: retries that have not started, and resolved groups'
  }
] as const

function mayDoOf(request: FastifyRequest): MayDo {
  return (action, resource) => isAllowedOf(request)(request, action, resource)
}

/** An action that needs a reason for one item also needs one for many. The header counts as well. */
function reasonFor(request: FastifyRequest): { reason?: string } {
  const action = ITEM_ACTIONS[(request.body as BulkInput).action]
  const reason = reasonOf(request)
  if (reason === null && reasonsRequiredBy(request).includes(action)) throw createTaskDashboardError('REASON_REQUIRED', [action])
  return reason === null ? {} : { reason }
}

function isDryRun(request: FastifyRequest): boolean {
  return (request.body as { dry_run?: unknown } | null | undefined)?.dry_run === true
}

function standing(request: FastifyRequest): Promise<object | null> {
  return bulkOf(request).standing((request.params as { id: string }).id)
}

import type { FastifyRequest } from 'fastify'
import { ExecutionIdParams, NoQuery, Ref } from '../../../../schemas/common.ts'
import {
  ExecutionCancel, ExecutionCancelInput, ExecutionChanges, ExecutionDeleted, ExecutionDetail, ExecutionListQuery, ExecutionPage,
  ExecutionRetry, ExecutionRetryInput, SearchCompletionQuery, SearchCompletions
} from '../../../../schemas/execution.ts'
import { ExecutionJob } from '../../../../schemas/execution-job.ts'
import { ExecutionWhy } from '../../../../schemas/why.ts'
import { fittedArguments, fittedExecution } from '../../audit/fitted-execution.ts'
import type { Api } from '../../http/routes/api.ts'
import { executionCommandsOf, executionsOf, isAllowedOf, userOf } from '../../decorators.ts'
import { operationOf } from '../../http/idempotency.ts'
import { acceptNoBody } from '../../http/json-body.ts'
import { locationOf } from '../../http/routes/links.ts'
import { conflict, described, errors, notFound, pruned, unchanged, writeErrors } from '../responses.ts'

export function executionRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/executions',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'listExecutions',
      tags: ['executions'],
      summary: 'Executions of all tasks, newest first',
      querystring: ExecutionListQuery,
      response: { 200: described('A page of executions', Ref(ExecutionPage)), ...unchanged, ...errors }
    },
    handler: request => executionsOf(request).list(request.query)
  })

  api.route({
    method: 'GET',
    url: '/api/executions/:id',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'getExecution',
      tags: ['executions'],
      summary: 'One execution with its payloads',
      params: ExecutionIdParams,
      querystring: NoQuery,
      response: { 200: described('The execution', Ref(ExecutionDetail)), ...unchanged, ...errors, ...notFound, ...pruned }
    },
    handler: request => executionsOf(request).get(request.params.id)
  })

  api.route({
    method: 'GET',
    url: '/api/executions/:id/why',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'getExecutionWhy',
      tags: ['executions'],
      summary: 'Why an execution does not run: one sentence and the facts behind it',
      params: ExecutionIdParams,
      querystring: NoQuery,
      response: {
        200: described('What is known, also of one that runs or has finished, and while a store is out of reach', Ref(ExecutionWhy)),
        ...unchanged, ...errors, ...notFound, ...pruned
      }
    },
    handler: request => executionsOf(request).why(
      request.params.id, taskName => isAllowedOf(request)(request, 'queues:view', { taskName }))
  })

  api.route({
    method: 'GET',
    url: '/api/executions/:id/job',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'getExecutionJob',
      tags: ['executions'],
      summary: 'What BullMQ keeps of the job of an execution in an existing queue: parent, children, deduplication key, trace',
      params: ExecutionIdParams,
      querystring: NoQuery,
      response: { 200: described('What is known of the job', Ref(ExecutionJob)), ...unchanged, ...errors, ...notFound, ...pruned }
    },
    handler: request => executionsOf(request).job(request.params.id)
  })

  api.route({
    method: 'POST',
    url: '/api/executions/:id/retry',
    config: { action: 'executions:retry', before: retried },
    schema: {
      operationId: 'retryExecution',
      tags: ['executions'],
      summary: 'Runs a failed execution again, once; its retry has an id of its own',
      params: ExecutionIdParams,
      querystring: NoQuery,
      body: Ref(ExecutionRetryInput),
      response: {
        202: described('The retry was enqueued', Ref(ExecutionRetry), { Location: 'Address of the retry, relative to the request' }),
        ...writeErrors, ...notFound, ...pruned, ...conflict
      }
    },
    preValidation: acceptNoBody,
    async handler(request, reply) {
      const retry = await executionCommandsOf(request).retry(request.params.id, request.body, operationOf(request))
      return reply.code(202).header('location', locationOf(retry.execution_id, '..')).send(retry)
    }
  })

  api.route({
    method: 'PATCH',
    url: '/api/executions/:id',
    config: { action: 'executions:update', before: standing },
    schema: {
      operationId: 'updateExecution',
      tags: ['executions'],
      summary: 'Changes the priority or due time of a pending execution',
      params: ExecutionIdParams,
      querystring: NoQuery,
      body: Ref(ExecutionChanges),
      response: {
        200: described('The changed execution', Ref(ExecutionDetail)), ...writeErrors, ...notFound, ...pruned, ...conflict
      }
    },
    handler: request => executionCommandsOf(request).update(request.params.id, request.body)
  })

  api.route({
    method: 'DELETE',
    url: '/api/executions/:id',
    config: { action: 'executions:delete', before: deleted },
    schema: {
      operationId: 'deleteExecution',
      tags: ['executions'],
      summary: 'Deletes a finished execution from the history; counts and charts stay',
      params: ExecutionIdParams,
      querystring: NoQuery,
      response: {
        200: described('The execution was deleted', Ref(ExecutionDeleted)), ...writeErrors, ...notFound, ...pruned, ...conflict
      }
    },
    handler: request => executionCommandsOf(request).delete(request.params.id)
  })

  api.route({
    method: 'POST',
    url: '/api/executions/:id/cancel',
    config: { action: 'executions:cancel', before: standing },
    schema: {
      operationId: 'cancelExecution',
      tags: ['executions'],
      summary: 'Cancels a pending execution, or asks the handler of a running one to stop; the answer says which',
      params: ExecutionIdParams,
      querystring: NoQuery,
      body: Ref(ExecutionCancelInput),
      response: {
        202: described('It is cancelled, or will be when its handler ends', Ref(ExecutionCancel)),
        ...writeErrors, ...notFound, ...pruned, ...conflict
      }
    },
    preValidation: acceptNoBody,
    async handler(request, reply) {
      const cancel = await executionCommandsOf(request).cancel(request.params.id, request.body, await userOf(request))
      return reply.code(202).send(cancel)
    }
  })

  api.route({
    method: 'GET',
    url: '/api/search/completions',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'listSearchCompletions',
      tags: ['executions'],
      summary: 'Completions for an execution search',
      querystring: SearchCompletionQuery,
      response: { 200: described('The completions, best first', Ref(SearchCompletions)), ...unchanged, ...errors }
    },
    handler: request => executionsOf(request).completions(request.query)
  })
}

function standing(request: FastifyRequest) {
  return executionsOf(request).standing(idIn(request))
}

/** For a retry with other arguments: the arguments that these replace. */
async function retried(request: FastifyRequest) {
  const { args } = (request.body ?? {}) as { args?: unknown }
  if (args === undefined) return standing(request)
  const original = await executionsOf(request).standingDetail(idIn(request))
  return original && fittedArguments(original)
}

async function deleted(request: FastifyRequest) {
  const execution = await executionsOf(request).standingDetail(idIn(request))
  return execution && fittedExecution(execution)
}

function idIn(request: FastifyRequest): string {
  return (request.params as { id: string }).id
}

import { ExecutionIdParams, NoQuery, Ref } from '../../../../schemas/common.ts'
import {
  ExecutionDetail, ExecutionListQuery, ExecutionPage, SearchCompletionQuery, SearchCompletions
} from '../../../../schemas/execution.ts'
import type { Api } from '../../http/routes/api.ts'
import { executionsOf } from '../../decorators.ts'
import { described, errors, notFound, pruned, unchanged } from '../responses.ts'

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

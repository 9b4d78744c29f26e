import { NoQuery, Ref, TaskNameParams } from '../../../../schemas/common.ts'
import { ExecutionPage, TaskExecutionListQuery } from '../../../../schemas/execution.ts'
import { TaskDetail, TaskList } from '../../../../schemas/task.ts'
import type { Api } from '../../http/routes/api.ts'
import { executionsOf, tasksOf } from '../../decorators.ts'
import { pageOf } from '../answer.ts'
import { described, errors, notFound, unchanged } from '../responses.ts'

export function taskRoutes(api: Api): void {
  api.route({
    method: 'GET',
    url: '/api/tasks',
    config: { action: 'tasks:view', polled: true },
    schema: {
      operationId: 'listTasks',
      tags: ['tasks'],
      summary: 'Every registered task',
      querystring: NoQuery,
      response: { 200: described('The tasks, by name', TaskList), ...unchanged, ...errors }
    },
    handler: request => tasksOf(request).list()
  })

  api.route({
    method: 'GET',
    url: '/api/tasks/:name',
    config: { action: 'tasks:view', polled: true },
    schema: {
      operationId: 'getTask',
      tags: ['tasks'],
      summary: 'One task in detail',
      params: TaskNameParams,
      querystring: NoQuery,
      response: { 200: described('The task', Ref(TaskDetail)), ...unchanged, ...errors, ...notFound }
    },
    handler: request => tasksOf(request).get(request.params.name)
  })

  api.route({
    method: 'GET',
    url: '/api/tasks/:name/executions',
    config: { action: 'executions:view', polled: true },
    schema: {
      operationId: 'listTaskExecutions',
      tags: ['tasks', 'executions'],
      summary: 'The executions of one task, newest first',
      params: TaskNameParams,
      querystring: TaskExecutionListQuery,
      response: { 200: described('A page of executions', Ref(ExecutionPage)), ...unchanged, ...errors, ...notFound }
    },
    handler(request) {
      const { name } = request.params
      return pageOf(tasksOf(request).get(name), executionsOf(request).list({ ...request.query, task_name: name }))
    }
  })
}

import { NoQuery, Ref, TaskNameParams } from '../../../../schemas/common.ts'
import { ExecutionPage, TaskExecutionListQuery } from '../../../../schemas/execution.ts'
import { TaskDetail, TaskList, TaskRun, TaskRunInput } from '../../../../schemas/task.ts'
import type { Api } from '../../http/routes/api.ts'
import { executionsOf, taskCommandsOf, tasksOf } from '../../decorators.ts'
import { operationOf } from '../../http/idempotency.ts'
import { acceptNoBody } from '../../http/json-body.ts'
import { locationOf } from '../../http/routes/links.ts'
import { pageOf } from '../answer.ts'
import { described, errors, notFound, unchanged, writeErrors } from '../responses.ts'

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
    method: 'POST',
    url: '/api/tasks/:name/run',
    config: { action: 'tasks:run' },
    schema: {
      operationId: 'runTask',
      tags: ['tasks'],
      summary: 'Enqueues an execution of a task',
      params: TaskNameParams,
      querystring: NoQuery,
      body: Ref(TaskRunInput),
      response: {
        202: described('The execution was enqueued', Ref(TaskRun), { Location: 'Address of the execution, relative to the request' }),
        ...writeErrors, ...notFound
      }
    },
    preValidation: acceptNoBody,
    async handler(request, reply) {
      const run = await taskCommandsOf(request).run(request.params.name, request.body, operationOf(request))
      return reply.code(202).header('location', locationOf(run.execution_id, '../../executions')).send(run)
    }
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

import type { FastifyRequest } from 'fastify'
import { scopeOf } from '../decorators.ts'
import { answerOf } from '../resources/answer.ts'
import { resourcesOf } from './access-resource.ts'
import type { AccessResource } from '../options.ts'

/** Whether the request may see the task, schedule or execution that a write names. */
export async function isInScope(request: FastifyRequest): Promise<boolean> {
  const { monitoring, sees } = scopeOf(request)
  if (sees === null) return true
  const { taskName, scheduleId, executionId } = namedBy(request)
  if (taskName !== undefined && await answerOf(monitoring, () => monitoring.task(taskName)) === null) return false
  if (scheduleId !== undefined && await answerOf(monitoring, () => monitoring.schedule(scheduleId)) === null) return false
  return executionId === undefined || await answerOf(monitoring, () => monitoring.execution(executionId)) !== null
}

/** The tasks that a request may see if it names nothing else, because its answer depends on them; undefined if it does not. */
export async function scopeNamesOf(request: FastifyRequest): Promise<readonly string[] | undefined> {
  const { monitoring, sees } = scopeOf(request)
  if (sees === null || Object.keys(namedBy(request)).length > 0) return undefined
  return (await answerOf(monitoring, () => monitoring.tasks())).map(({ name }) => name)
}

function namedBy(request: FastifyRequest): AccessResource {
  const taskName = (request.body as { task_name?: unknown } | null | undefined)?.task_name
  return { ...typeof taskName === 'string' && { taskName }, ...resourcesOf(request, scopeOf(request).monitoring)[0] }
}

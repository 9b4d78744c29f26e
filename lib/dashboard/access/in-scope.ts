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

/**
 * The tasks that a request may see, if its response depends on them (a dry run within a scope that names nothing); otherwise undefined.
 * Other writes do not include them: a deployment may change the names, and a repeated write must still look like the same request.
 */
export async function scopeNamesOf(request: FastifyRequest): Promise<readonly string[] | undefined> {
  const { monitoring, sees } = scopeOf(request)
  const { dry_run: isDryRun } = (request.body ?? {}) as { dry_run?: unknown }
  if (sees === null || isDryRun !== true || Object.keys(namedBy(request)).length > 0) return undefined
  return (await answerOf(monitoring, () => monitoring.tasks())).map(({ name }) => name)
}

/** Whether the request may still see the bulk operation in a stored response; true for any other response. */
export async function isAnswerInScope(request: FastifyRequest, answer: string): Promise<boolean> {
  const { monitoring, sees } = scopeOf(request)
  if (sees === null || answer === '') return true
  const { operation_id: operationId } = (JSON.parse(answer) ?? {}) as { operation_id?: unknown }
  return typeof operationId !== 'string' || await answerOf(monitoring, () => monitoring.bulk.find(operationId)) !== null
}

function namedBy(request: FastifyRequest): AccessResource {
  const taskName = (request.body as { task_name?: unknown } | null | undefined)?.task_name
  return { ...typeof taskName === 'string' && { taskName }, ...resourcesOf(request, scopeOf(request).monitoring)[0] }
}

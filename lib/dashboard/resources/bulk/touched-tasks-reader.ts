import type { BulkAction } from '../../../../schemas/bulk.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { BulkConditions, BulkRequest } from '../../../queue-app/bulk/bulk.ts'
import { inChunks } from '../../../collections/in-chunks.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import type { Action } from '../../actions.ts'
import type { AccessResource } from '../../options.ts'

/** The action that a bulk action performs on each item. A user who may not do it to one execution may not do it in bulk either. */
export const ITEM_ACTIONS: Readonly<Record<BulkAction, Action>> = {
  retry: 'executions:retry', cancel: 'executions:cancel', delete: 'executions:delete', resolve: 'failures:resolve'
}

/** The host decides about this many tasks at a time. */
const DECISIONS_AT_A_TIME = 50

/** Whether the user of a request may do something. */
export type MayDo = (action: Action, resource: AccessResource) => Promise<boolean>

export type TouchedTasks = Pick<BulkRequest, 'taskNames' | 'tasksLeftOut' | 'executionIds' | 'executionsLeftOut'>

/**
 * The tasks that an operation may touch: those that its filter can match, if this user may view their executions and use the action on
 * them. They are frozen with the operation, so a task that is added later is never touched. If the filter names executions, each of them is
 * decided separately. Rejects with FORBIDDEN if nothing that matches is allowed, or if the task that the filter names is not.
 */
export async function tasksToTouch(
  mayDo: MayDo, monitoring: Monitoring, action: BulkAction, filter: BulkConditions
): Promise<TouchedTasks> {
  const { scheduleIds, executionIds } = monitoring.searchNames(filter.search ?? '')
  const scheduleId = filter.scheduleId ?? scheduleIds[0]
  const named: AccessResource = {
    ...scheduleId !== undefined && { scheduleId }, ...executionIds[0] !== undefined && { executionId: executionIds[0] },
    ...filter.errorGroup !== undefined && { errorGroup: filter.errorGroup }
  }
  const resources: Array<AccessResource & { readonly taskName: string }> = filter.executionIds === undefined
    ? (await monitoring.bulk.taskNames({ action, filter })).map(taskName => ({ ...named, taskName }))
    : (await monitoring.bulk.executions({ action, filter })).map(execution => ({ ...named, ...execution }))
  const permitted = await allowedOf(mayDo, ITEM_ACTIONS[action], resources)
  const allowed = filter.executionIds === undefined ? permitted : wholly(resources, permitted)
  const names = new Set(resources.map(each => each.taskName))
  const taskNames = [...new Set(allowed.map(each => each.taskName))].sort()
  const { taskName } = filter
  if (names.size > 0 && taskNames.length === 0 || taskName !== undefined && names.has(taskName) && !taskNames.includes(taskName))
    throw createTaskDashboardError('FORBIDDEN', [ITEM_ACTIONS[action]])
  const [mayTouch, listed] = [idsOf(allowed), idsOf(resources)]
  return {
    taskNames, tasksLeftOut: names.size - taskNames.length,
    ...filter.executionIds !== undefined && { executionIds: mayTouch, executionsLeftOut: listed.length - mayTouch.length }
  }
}

/** An execution that could not be looked up may have several tasks. The user needs the right for each of them. */
function wholly<Resource extends AccessResource>(resources: readonly Resource[], permitted: readonly Resource[]): readonly Resource[] {
  const isPermitted = new Set(permitted)
  const refused = new Set(resources.filter(resource => !isPermitted.has(resource)).map(({ executionId }) => executionId))
  return permitted.filter(({ executionId }) => !refused.has(executionId))
}

function idsOf(resources: readonly AccessResource[]): string[] {
  return [...new Set(resources.flatMap(({ executionId }) => executionId ?? []))]
}

/** A user who changes an operation must be allowed the action for all of its tasks. To undo a resolution is to reopen. */
export async function requireTasks(mayDo: MayDo, action: BulkAction, taskNames: readonly string[], isUndo: boolean): Promise<void> {
  const needed = isUndo && action === 'resolve' ? 'failures:reopen' : ITEM_ACTIONS[action]
  const mayTouch = await allowedOf(mayDo, needed, taskNames.map(taskName => ({ taskName })))
  if (mayTouch.length < taskNames.length) throw createTaskDashboardError('FORBIDDEN', [needed])
}

async function allowedOf<Resource extends AccessResource>(
  mayDo: MayDo, action: Action, resources: readonly Resource[]
): Promise<readonly Resource[]> {
  const allowed: Resource[] = []
  for (const chunk of inChunks(resources, DECISIONS_AT_A_TIME)) {
    const decisions = await Promise.all(chunk.map(async resource =>
      await mayDo(action, resource) && await mayDo('executions:view', resource)))
    allowed.push(...chunk.filter((_resource, index) => decisions[index]))
  }
  return allowed
}

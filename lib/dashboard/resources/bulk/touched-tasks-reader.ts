import type { BulkAction } from '../../../../schemas/bulk.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { BulkConditions } from '../../../queue-app/bulk/bulk.ts'
import { inChunks } from '../../../collections/in-chunks.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import type { Action } from '../../actions.ts'
import type { AccessResource } from '../../options.ts'

/** What a bulk action does to each item. Whoever may not do that to an execution may not do it in bulk either. */
export const ITEM_ACTIONS: Readonly<Record<BulkAction, Action>> = {
  retry: 'executions:retry', cancel: 'executions:cancel', delete: 'executions:delete', resolve: 'failures:resolve'
}

/** The host decides about so many tasks at a time. */
const DECISIONS_AT_A_TIME = 50

/** Whether the user of a request may do something. */
export type MayDo = (action: Action, resource: AccessResource) => Promise<boolean>

export interface TouchedTasks { readonly taskNames: readonly string[]; readonly tasksLeftOut: number }

/**
 * The tasks that an operation may touch: those that its filter can match, if this user may view their executions and use the action on
 * them. They are frozen with the operation, so a task that is added later is never touched. Rejects with FORBIDDEN if there is none.
 */
export async function tasksToTouch(
  mayDo: MayDo, monitoring: Monitoring, action: BulkAction, filter: BulkConditions
): Promise<TouchedTasks> {
  const names = await monitoring.bulk.taskNames({ action, filter })
  const { scheduleIds, executionIds } = monitoring.searchNames(filter.search ?? '')
  const only = filter.executionIds?.length === 1 ? filter.executionIds[0] : executionIds[0]
  const named: AccessResource = {
    ...filter.scheduleId !== undefined ? { scheduleId: filter.scheduleId } : scheduleIds[0] !== undefined && { scheduleId: scheduleIds[0] },
    ...only !== undefined && { executionId: only },
    ...filter.errorGroup !== undefined && { errorGroup: filter.errorGroup }
  }
  const taskNames = await allowed(mayDo, ITEM_ACTIONS[action], names, named)
  const { taskName } = filter
  if (names.length > 0 && taskNames.length === 0 || taskName !== undefined && names.includes(taskName) && !taskNames.includes(taskName))
    throw createTaskDashboardError('FORBIDDEN', [ITEM_ACTIONS[action]])
  return { taskNames, tasksLeftOut: names.length - taskNames.length }
}

/** Every task of an operation must be allowed to whoever changes it. To undo a resolution is to reopen. */
export async function requireTasks(mayDo: MayDo, action: BulkAction, taskNames: readonly string[], isUndo: boolean): Promise<void> {
  const needed = isUndo && action === 'resolve' ? 'failures:reopen' : ITEM_ACTIONS[action]
  const mayTouch = await allowed(mayDo, needed, taskNames, {})
  if (mayTouch.length < taskNames.length) throw createTaskDashboardError('FORBIDDEN', [needed])
}

async function allowed(
  mayDo: MayDo, action: Action, names: readonly string[], named: AccessResource
): Promise<readonly string[]> {
  const allowed: string[] = []
  for (const chunk of inChunks(names, DECISIONS_AT_A_TIME)) {
    const decisions = await Promise.all(chunk.map(async taskName => {
      const resource = { ...named, taskName }
      return await mayDo(action, resource) && await mayDo('executions:view', resource)
    }))
    allowed.push(...chunk.filter((_name, index) => decisions[index]))
  }
  return allowed
}

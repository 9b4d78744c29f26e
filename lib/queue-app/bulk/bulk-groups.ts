import type { FailureGroup, ResultBackend } from '../../backend/result-backend.ts'
import type { Acting } from './acting.ts'
import type { PlannedItem, SettledItem } from './bulk-records.ts'
import { isReopenedBy, isResolvedBy } from './own-changes.ts'

/** Resolves failure groups in bulk, and undoes it. Every call may be repeated. */
export function createGroupActions(backend: Pick<ResultBackend, 'failureGroups' | 'decideFailureGroup'>) {
  return {
    async resolve(acting: Acting, [errorGroup, task]: PlannedItem): Promise<SettledItem> {
      const { by, reason, before, createdAt, isAllTasks } = acting.order
      const unknown: SettledItem = [errorGroup, task, 'skipped', 'FAILURE_GROUP_NOT_FOUND']
      const standing = await groupOf(acting, errorGroup)
      if (isResolvedBy(acting, standing)) return [errorGroup, task, 'done']
      // Another task may have failed with this error since the item was planned.
      if (!isAllTasks && (standing === undefined || standing.isShared)) return unknown
      // In both cases, a person has to check the group.
      const whyNot = (group: FailureGroup): SettledItem =>
        [errorGroup, task, 'skipped', group.lastSeenAt >= before ? 'FAILED_AGAIN' : 'FAILURE_GROUP_DECIDED']
      const decision = standing?.decision ?? null
      const isDecided = decision !== null && decision.at >= createdAt
      if (standing !== undefined && (standing.lastSeenAt >= before || isDecided)) return whyNot(standing)
      await acting.stillHeld()
      const group = await backend.decideFailureGroup(errorGroup, {
        isResolved: true, by, note: reason, ifSeenBefore: before, ifDecidedAt: decision?.at ?? null, operationId: acting.operationId
      })
      if (group === null) return unknown
      return isResolvedBy(acting, group) ? [errorGroup, task, 'done'] : whyNot(group)
    },

    /** Leaves a group alone if someone has decided about it since. The code of the item's outcome says so. */
    async reopen(acting: Acting, item: SettledItem): Promise<SettledItem> {
      const [errorGroup, task] = item
      const undone: SettledItem = [errorGroup, task, 'undone']
      const standing = await groupOf(acting, errorGroup)
      if (standing === undefined || standing.isShared) return [errorGroup, task, 'done', 'FAILURE_GROUP_NOT_FOUND']
      // An earlier attempt did it.
      if (isReopenedBy(acting, standing)) return undone
      if (!isResolvedBy(acting, standing)) return [errorGroup, task, 'done', 'FAILURE_GROUP_DECIDED']
      await acting.stillHeld()
      const group = await backend.decideFailureGroup(errorGroup, {
        isResolved: false, by: acting.order.changedBy, note: null, ifDecidedAt: standing.decision!.at, operationId: acting.operationId
      })
      if (group === null) return [errorGroup, task, 'done', 'FAILURE_GROUP_NOT_FOUND']
      return isReopenedBy(acting, group) ? undone : [errorGroup, task, 'done', 'FAILURE_GROUP_DECIDED']
    },

    async wasResolvedHere(acting: Acting, errorGroup: string): Promise<boolean> {
      return isResolvedBy(acting, await groupOf(acting, errorGroup))
    }
  }

  /** Undefined if none of the operation's tasks failed with this error. `isShared` if other tasks did, too. */
  async function groupOf({ order, taskNames }: Acting, errorGroup: string): Promise<FailureGroup | undefined> {
    const { groups: [group] } = await backend.failureGroups({ errorGroup, limit: 1, ...!order.isAllTasks && { taskNames } })
    return group
  }
}

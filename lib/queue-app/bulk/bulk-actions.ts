import type { ResultBackend } from '../../backend/result-backend.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Execution, FinishedReference } from '../../execution.ts'
import { isObservedId } from '../../engine/observing/observed-id.ts'
import { groupBy } from '../../collections/group-by.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { isOutOfReach } from '../../stores/failures/unavailable.ts'
import { retryIdOf } from '../operations/retry-id.ts'
import type { Acting } from './acting.ts'
import { createGroupActions } from './bulk-groups.ts'
import type { BulkOfExistingQueues } from './bulk-of-existing-queues.ts'
import { taskNameAt, type PlannedItem, type SettledItem } from './bulk-records.ts'
import { isBrokerAway } from './bulk-waiting.ts'
import { createBulkRetry, type RetryDependencies } from './bulk-retry.ts'
import { cancellationOf } from './own-changes.ts'

/** The engine's calls that bulk operations use. */
export type BulkEngine = RetryDependencies['engine'] & Pick<
  Engine, 'find' | 'findMany' | 'cancel' | 'requestIdsOf' | 'takeBack' | 'readFinished' | 'removeFinished'
>

interface ActionsDependencies {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: BulkEngine
  readonly enqueue: RetryDependencies['enqueue']
  readonly backend: Pick<ResultBackend, 'missing' | 'findMany' | 'find' | 'failureGroups' | 'decideFailureGroup' | 'record'>
  deleteExecutions(executions: readonly FinishedReference[]): Promise<string[]>
  readonly argumentsOf: RetryDependencies['argumentsOf']
  readonly policyOf: RetryDependencies['policyOf']
  /** Default: there are no existing queues. */
  readonly ofOthers?: BulkOfExistingQueues
}

const DELETED_AT_A_TIME = 100
const CALLS_AT_A_TIME = 10

export type BulkActions = ReturnType<typeof createBulkActions>

/**
 * Carries out what an operation does to its items. Every call may be repeated: if an earlier attempt of the same operation has done an
 * item, it is `done` again. Rejects if a store is out of reach. Then it is unknown which items were done.
 */
export function createBulkActions(
  { engine, enqueue, backend, deleteExecutions, argumentsOf, policyOf, ofOthers }: ActionsDependencies
) {
  const groups = createGroupActions(backend)
  const retryAll = createBulkRetry({ engine, enqueue, backend, argumentsOf, policyOf, requestIdsOf })
  return {
    /** Applies the action. Returns one outcome per item, in their order, except for items that are postponed. */
    async settle(acting: Acting, items: readonly PlannedItem[]): Promise<SettledItem[]> {
      const { action } = acting.order
      if (action === 'resolve') return await inTurns(items, item => groups.resolve(acting, item), 2)
      const outcomes = new Map<string, SettledItem>()
      const settle = { retry: retryAll, cancel: cancelAll, delete: deleteAll }[action]
      const byKind = groupBy(items, item => isOthers(taskNameAt(acting.taskNames, item[1]), item))
      const settled = await settleOthers(acting, byKind.get(true) ?? [])
      for (const [task, ofTask] of groupBy(byKind.get(false) ?? [], ([, task]) => task))
        settled.push(...await orPostponed(acting, ofTask, () => settle(acting, taskNameAt(acting.taskNames, task), ofTask)))
      for (const outcome of settled) outcomes.set(keyOf(outcome), outcome)
      return items.map(item => outcomes.get(keyOf(item))).filter(outcome => outcome !== undefined)
    },

    /** Changes nothing. Returns the outcomes of the items that an interrupted attempt has done. */
    async whatWasDone(acting: Acting, items: readonly PlannedItem[]): Promise<SettledItem[]> {
      const { action } = acting.order
      const done: SettledItem[] = []
      for (const [task, all] of groupBy(items, ([, task]) => task)) {
        const taskName = taskNameAt(acting.taskNames, task)
        const byKind = groupBy(all, item => action !== 'resolve' && isOthers(taskName, item))
        done.push(...await ofOthers?.whatWasDone(acting, byKind.get(true) ?? []) ?? [])
        const ofTask = byKind.get(false) ?? []
        const requestIds = action === 'retry' ? await requestIdsOf(taskName, ofTask.map(([id]) => retryIdOf(id))) : NOTHING
        const wasDone = {
          retry: (id: string) => requestIds.get(retryIdOf(id)) === acting.operationId,
          cancel: (id: string) => wasCancelledHere(acting, taskName, id),
          delete: async (id: string) => (await finishedOf(taskName, [id])).length === 0,
          resolve: (id: string) => groups.wasResolvedHere(acting, id)
        }[action]
        await inTurns(ofTask, async ([id]) => { if (await wasDone(id)) done.push([id, task, 'done']) }, CALLS_AT_A_TIME)
      }
      return done
    },

    /** Undoes what can be undone, newest first. */
    async undo(acting: Acting, items: readonly SettledItem[]): Promise<SettledItem[]> {
      const done = items.filter(([, , outcome]) => outcome === 'done')
      if (acting.order.action === 'resolve') {
        const reopened = await inTurns(done, item => groups.reopen(acting, item), 2)
        const settled = new Map(done.map((item, index) => [item, reopened[index]!]))
        return items.map(item => settled.get(item) ?? item)
      }
      const undone = new Set(acting.order.action === 'retry' ? await takeBack(acting, done) : [])
      return items.map(item => undone.has(item) ? [item[0], item[1], 'undone'] : item)
    }
  }

  /**
   * Whether an item belongs to an existing queue. Its id shows that even if the queue is gone, so it is never taken for one of the app's
   * own.
   */
  function isOthers(taskName: string, [id]: PlannedItem | SettledItem): boolean {
    return isObservedId(id) || ofOthers?.has(taskName) === true
  }

  /** Postpones all items if the broker is down. Any of them may have been done, which the next attempt finds out. */
  async function orPostponed(
    { postpone }: Acting, items: readonly PlannedItem[], settle: () => Promise<SettledItem[]>
  ): Promise<SettledItem[]> {
    try {
      return await settle()
    } catch (error) {
      if (postpone === undefined || !isBrokerAway(error)) throw error
      for (const item of items) postpone(item, error, true)
      return []
    }
  }

  async function settleOthers(acting: Acting, items: readonly PlannedItem[]): Promise<SettledItem[]> {
    if (items.length === 0) return []
    return await ofOthers?.settle(acting, items) ?? items.map(([id, task]) => [id, task, 'failed', 'OBSERVED_ONLY'])
  }

  async function cancelAll(acting: Acting, taskName: string, items: readonly PlannedItem[]): Promise<SettledItem[]> {
    const finished: FinishedReference[] = []
    const settled = await inTurns(items, async ([id, task]): Promise<SettledItem> => {
      await acting.stillHeld()
      const outcome = await engine.cancel(taskName, id, cancellationOf(acting))
      if (outcome === 'cancelled') finished.push({ executionId: id, taskName, status: 'cancelled', finishedAt: Date.now() })
      const isDone = outcome === 'cancelled' || outcome === 'requested' ||
        outcome === 'over' && await wasCancelledHere(acting, taskName, id)
      return isDone ? [id, task, 'done'] : [id, task, 'skipped', 'NOT_CANCELLABLE']
    }, CALLS_AT_A_TIME)
    await recordNow(finished)
    return settled
  }

  /** @returns the items whose retries are removed: they had not started */
  async function takeBack(acting: Acting, done: readonly SettledItem[]): Promise<SettledItem[]> {
    const undone: SettledItem[] = []
    // An existing queue runs the same job again, so there is no retry to remove.
    const own = done.filter(item => !isOthers(taskNameAt(acting.taskNames, item[1]), item))
    for (const [task, ofTask] of groupBy(own.toReversed(), ([, task]) => task)) {
      const taskName = taskNameAt(acting.taskNames, task)
      const retryIds = ofTask.map(([id]) => retryIdOf(id))
      await acting.stillHeld()
      const removed = await engine.takeBack(taskName, retryIds, acting.operationId)
      const gone = acting.isFirstAttempt ? NONE : await inNeitherStore(taskName, retryIds.filter(id => !removed.has(id)))
      undone.push(...ofTask.filter((_, index) => removed.has(retryIds[index]!) || gone.has(retryIds[index]!)))
    }
    return undone
  }

  /** Retries that an attempt before a crash removed, or that ran so long ago that no store has them any more. */
  async function inNeitherStore(taskName: string, retryIds: readonly string[]): Promise<ReadonlySet<string>> {
    const standing = await requestIdsOf(taskName, retryIds)
    return new Set(await backend.missing(retryIds.filter(id => !standing.has(id))))
  }

  /**
   * If an execution is gone, someone else or retention deleted it. After an interrupted attempt, it is unknown who did. The item existed
   * when it was planned, so it then counts as done.
   */
  async function deleteAll(acting: Acting, taskName: string, items: readonly PlannedItem[]): Promise<SettledItem[]> {
    const settled: SettledItem[] = []
    for (const chunk of inChunks(items, DELETED_AT_A_TIME)) {
      const references = await finishedOf(taskName, chunk.map(([id]) => id))
      await acting.stillHeld()
      const deleted = new Set(await deleteExecutions(references))
      settled.push(...chunk.map(([id, task]): SettledItem =>
        deleted.has(id) || !acting.isFirstAttempt ? [id, task, 'done'] : [id, task, 'skipped', 'EXECUTION_PRUNED']))
    }
    return settled
  }

  /** Finds them in the history, or in the broker, which has them before the history does. */
  async function finishedOf(taskName: string, ids: readonly string[]): Promise<FinishedReference[]> {
    const recorded: readonly Execution[] = await backend.findMany(ids, { payloads: false })
    const known = new Set(recorded.map(each => each.executionId))
    const left = ids.filter(id => !known.has(id))
    const others = left.length === 0 ? [] : await engine.findMany([taskName], left)
    return [...recorded, ...others].flatMap(({ executionId, status, finishedAt }) =>
      finishedAt === null || status === 'pending' || status === 'running' ? [] : [{ executionId, taskName, status, finishedAt }])
  }

  /** Records them at once. Otherwise the reconciler would record them within a minute. */
  async function recordNow(finished: readonly FinishedReference[]): Promise<void> {
    try {
      for await (const executions of engine.readFinished(finished)) await backend.record(executions)
    } catch (error) {
      if (!isOutOfReach(error)) throw error
    }
  }

  async function wasCancelledHere(acting: Acting, taskName: string, executionId: string): Promise<boolean> {
    const found = await engine.find([taskName], executionId) ?? await backend.find(executionId)
    const { requestedAt, requestedBy } = cancellationOf(acting)
    return found?.cancellation?.requestedAt === requestedAt && found.cancellation.requestedBy === requestedBy
  }

  async function requestIdsOf(taskName: string, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    return ids.length === 0 ? NOTHING : await engine.requestIdsOf(taskName, ids)
  }
}

/** Executions of different tasks may have the same id. */
function keyOf([id, task]: PlannedItem | SettledItem): string {
  return `${task}:${id}`
}

const NOTHING: ReadonlyMap<string, string | null> = new Map()
const NONE: ReadonlySet<string> = new Set()

import type { ResultBackend } from '../../backend/result-backend.ts'
import type { Engine } from '../../engine/engine.ts'
import { isTaskDashboardError } from '../../errors.ts'
import type { ExecutionDetail, FinishedReference } from '../../execution.ts'
import { groupBy } from '../../collections/group-by.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { isOutOfReach } from '../../stores/failures/unavailable.ts'
import type { RetryPolicy } from '../operations/operations.ts'
import { toRetryRequest } from '../operations/retry-arguments.ts'
import { retryIdOf } from '../operations/retry-id.ts'
import type { Acting } from './acting.ts'
import { createGroupActions } from './bulk-groups.ts'
import type { PlannedItem, SettledItem } from './bulk-records.ts'
import { cancellationOf } from './own-changes.ts'
import { ReadPace } from './read-pace.ts'

interface ActionsDependencies {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: Engine
  readonly enqueue: Engine['enqueue']
  readonly backend: Pick<ResultBackend, 'missing' | 'findMany' | 'find' | 'failureGroups' | 'decideFailureGroup' | 'record'>
  deleteExecutions(executions: readonly FinishedReference[]): Promise<string[]>
  argumentsOf(original: ExecutionDetail): Promise<readonly unknown[]>
  policyOf(taskName: string): Promise<RetryPolicy | undefined>
}

/** The step ends without outcomes: whoever works on the operation now finds out what was done. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

const DELETED_AT_A_TIME = 100
const CALLS_AT_A_TIME = 10
/** Characters of arguments in one call. One execution can have up to 8 MiB. */
const ENQUEUED_AT_A_TIME = 8 * 2 ** 20

export type { Acting } from './acting.ts'

export type BulkActions = ReturnType<typeof createBulkActions>

/**
 * What an operation does to its items. Everything may be repeated: an item that was done by an earlier attempt of the same operation is
 * `done` again. Rejects if a store is out of reach; nobody knows then which items were done.
 */
export function createBulkActions(
  { engine, enqueue, backend, deleteExecutions, argumentsOf, policyOf }: ActionsDependencies
) {
  const groups = createGroupActions(backend)
  const pace = new ReadPace()
  return {
    /** Does it, and returns the outcome of each item in their order. */
    async settle(acting: Acting, items: readonly PlannedItem[]): Promise<SettledItem[]> {
      const outcomes = new Map<PlannedItem, SettledItem>()
      const { action } = acting.order
      if (action === 'resolve') await inTurns(items, async item => { outcomes.set(item, await groups.resolve(acting, item)) }, 2)
      else {
        const settle = { retry: retryAll, cancel: cancelAll, delete: deleteAll }[action]
        for (const [task, ofTask] of groupBy(items, ([, task]) => task)) {
          const settled = await settle(acting, acting.taskNames[task]!, ofTask)
          for (const [index, item] of ofTask.entries()) outcomes.set(item, settled[index]!)
        }
      }
      return items.map(item => outcomes.get(item)!)
    },

    /** Does nothing more: the outcomes of those that an interrupted attempt had done. */
    async whatWasDone(acting: Acting, items: readonly PlannedItem[]): Promise<SettledItem[]> {
      const { action } = acting.order
      const done: SettledItem[] = []
      for (const [task, ofTask] of groupBy(items, ([, task]) => task)) {
        const taskName = acting.taskNames[task] ?? ''
        const requestIds = action === 'retry' ? await requestIdsOf(taskName, ofTask.map(([id]) => retryIdOf(id))) : NOTHING
        await inTurns(ofTask, async ([id]) => {
          const isDone = action === 'retry' ? requestIds.get(retryIdOf(id)) === acting.operationId
            : action === 'cancel' ? await wasCancelledHere(acting, taskName, id)
            : action === 'delete' ? await wasDeleted(id) : await groups.wasResolvedHere(acting, id)
          if (isDone) done.push([id, task, 'done'])
        }, CALLS_AT_A_TIME)
      }
      return done
    },

    /** Takes back what can be, newest first. */
    async undo(acting: Acting, items: readonly SettledItem[]): Promise<SettledItem[]> {
      const undone = new Set<SettledItem>()
      const done = items.filter(([, , outcome]) => outcome === 'done')
      if (acting.order.action === 'resolve') {
        const settled = new Map<SettledItem, SettledItem>()
        await inTurns(done, async item => { settled.set(item, await groups.reopen(acting, item)) }, 2)
        return items.map(item => settled.get(item) ?? item)
      }
      if (acting.order.action === 'retry') {
        for (const [task, ofTask] of groupBy(done.toReversed(), ([, task]) => task)) {
          const taskName = acting.taskNames[task]!
          const retryIds = ofTask.map(([id]) => retryIdOf(id))
          await acting.stillHeld()
          const removed = await engine.takeBack(taskName, retryIds, acting.operationId)
          // Removed before a crash, if nothing has it.
          const left = retryIds.filter(id => !removed.has(id))
          const standing = await requestIdsOf(taskName, left)
          const gone = new Set(await backend.missing(left.filter(id => !standing.has(id))))
          for (const [index, item] of ofTask.entries())
            if (removed.has(retryIds[index]!) || gone.has(retryIds[index]!)) undone.add(item)
        }
      }
      return items.map(item => undone.has(item) ? [item[0], item[1], 'undone'] : item)
    }
  }

  async function retryAll(acting: Acting, taskName: string, items: readonly PlannedItem[]): Promise<SettledItem[]> {
    const policy = await policyOf(taskName)
    const settled: SettledItem[] = []
    while (settled.length < items.length) {
      await acting.stillHeld()
      const chunk = items.slice(settled.length, settled.length + pace.count)
      settled.push(...await retryChunk(acting, taskName, chunk, policy))
    }
    return settled
  }

  async function retryChunk(
    acting: Acting, taskName: string, items: readonly PlannedItem[], policy: RetryPolicy | undefined
  ): Promise<SettledItem[]> {
    const { operationId, order } = acting
    const missing = new Set(await backend.missing(items.map(([id]) => retryIdOf(id))))
    // A retry that the history has is over: it must not run again.
    const wanted = items.filter(([id]) => missing.has(retryIdOf(id)))
    const refused = new Map<string, string>()
    if (policy === undefined) for (const [id] of wanted) refused.set(id, 'TASK_NOT_REGISTERED')
    else if (wanted.length > 0) {
      const originals = new Map((await backend.findMany(wanted.map(([id]) => id))).map(found => [found.executionId, found]))
      let requests: Array<Parameters<Engine['enqueue']>[0][number]> = []
      let size = 0
      let sizeOfAll = 0
      await inTurns(wanted, async ([id]) => {
        const original = originals.get(id)
        if (original === undefined) refused.set(id, 'EXECUTION_PRUNED')
        else if (original.status !== 'failed') refused.set(id, 'NOT_RETRYABLE')
        else {
          try {
            const args = await argumentsOf(original)
            requests.push(toRetryRequest(original, args, policy, operationId))
            const characters = JSON.stringify(args).length
            size += characters
            sizeOfAll += characters
          } catch (error) {
            refused.set(id, codeOf(error))
          }
          if (size < ENQUEUED_AT_A_TIME) return
          const full = requests
          requests = []
          size = 0
          await enqueueAll(acting, full, refused)
        }
      }, CALLS_AT_A_TIME)
      await enqueueAll(acting, requests, refused)
      pace.took(wanted.length, sizeOfAll)
    }
    const standing = await requestIdsOf(taskName, items.map(([id]) => retryIdOf(id)))
    return await Promise.all(items.map(async ([id, task]): Promise<SettledItem> => {
      const retryId = retryIdOf(id)
      const requestId = standing.get(retryId)
      if (requestId === operationId) return [id, task, 'done']
      if (requestId !== undefined) return [id, task, 'skipped', 'ALREADY_RETRIED']
      const code = refused.get(id)
      if (code !== undefined) return [id, task, 'failed', code]
      // It was retried longer ago than the broker keeps executions. Before this operation, it was somebody else.
      const retry = await backend.find(retryId)
      return retry !== null && retry.submittedAt >= order.createdAt ? [id, task, 'done'] : [id, task, 'skipped', 'ALREADY_RETRIED']
    }))
  }

  async function enqueueAll(
    { stillHeld }: Acting, requests: Parameters<Engine['enqueue']>[0], refused: Map<string, string>
  ): Promise<void> {
    if (requests.length === 0) return
    await stillHeld()
    try {
      await enqueue(requests)
    } catch (error) {
      if (isOutOfReach(error)) throw error
      // One of them cannot be added. The others can.
      await inTurns(requests, async request => {
        await stillHeld()
        try {
          await enqueue([request])
        } catch (error) {
          refused.set(request.retryOf!, codeOf(error))
        }
      })
    }
  }

  async function cancelAll(acting: Acting, taskName: string, items: readonly PlannedItem[]): Promise<SettledItem[]> {
    const settled = new Map<PlannedItem, SettledItem>()
    const finished: FinishedReference[] = []
    await inTurns(items, async item => {
      const [id, task] = item
      await acting.stillHeld()
      const outcome = await engine.cancel(taskName, id, cancellationOf(acting))
      if (outcome === 'cancelled') finished.push({ executionId: id, taskName, status: 'cancelled', finishedAt: Date.now() })
      const isDone = outcome === 'cancelled' || outcome === 'requested' ||
        outcome === 'over' && await wasCancelledHere(acting, taskName, id)
      settled.set(item, isDone ? [id, task, 'done'] : [id, task, 'skipped', 'NOT_CANCELLABLE'])
    }, CALLS_AT_A_TIME)
    await recordNow(finished)
    return items.map(item => settled.get(item)!)
  }

  /**
   * What is gone was deleted by somebody else, or by retention. If an earlier attempt may have begun, nobody can tell: it was planned
   * because it was there, so it counts as done.
   */
  async function deleteAll(acting: Acting, taskName: string, items: readonly PlannedItem[]): Promise<SettledItem[]> {
    const settled: SettledItem[] = []
    for (const chunk of inChunks(items, DELETED_AT_A_TIME)) {
      const found = await backend.findMany(chunk.map(([id]) => id), { payloads: false })
      await acting.stillHeld()
      const references = found.map(({ executionId, status, finishedAt }) => ({ executionId, taskName, status, finishedAt }))
      const deleted = new Set(await deleteExecutions(references))
      settled.push(...chunk.map(([id, task]): SettledItem =>
        deleted.has(id) || !acting.isFirstAttempt ? [id, task, 'done'] : [id, task, 'skipped', 'EXECUTION_PRUNED']))
    }
    return settled
  }

  async function wasDeleted(executionId: string): Promise<boolean> {
    return (await backend.findMany([executionId], { payloads: false })).length === 0
  }

  /** Otherwise the history's upkeep records them, up to a minute later. */
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

const NOTHING: ReadonlyMap<string, string | null> = new Map()

/** The code of an error about one item. Errors of stores are about all. */
function codeOf(error: unknown): string {
  if (isOutOfReach(error)) throw error
  return isTaskDashboardError(error) ? error.code : 'INTERNAL'
}

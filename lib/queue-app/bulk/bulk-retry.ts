import type { ResultBackend } from '../../backend/result-backend.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { inTurns } from '../../collections/in-turns.ts'
import type { Engine } from '../../engine/engine.ts'
import { isTaskDashboardError } from '../../errors.ts'
import type { ExecutionDetail } from '../../execution.ts'
import { isOutOfReach } from '../../stores/failures/unavailable.ts'
import type { RetryPolicy } from '../operations/operations.ts'
import { toRetryRequest } from '../operations/retry-arguments.ts'
import { retryIdOf } from '../operations/retry-id.ts'
import type { Acting } from './acting.ts'
import type { PlannedItem, SettledItem } from './bulk-records.ts'
import { EnqueueBatch, ReadBatch } from './batch-size.ts'

export interface RetryDependencies {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: Pick<Engine, 'gentleBatch' | 'find' | 'findMany'>
  readonly enqueue: Engine['enqueue']
  readonly backend: Pick<ResultBackend, 'missing' | 'findMany' | 'find'>
  argumentsOf(original: ExecutionDetail): Promise<readonly unknown[]>
  policyOf(taskName: string): Promise<RetryPolicy | undefined>
  /** The id of the request that added it, for each of these executions that the broker has. */
  requestIdsOf(taskName: string, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

const CALLS_AT_A_TIME = 10
/** How many retries are looked up in the broker at a time. */
const ASKED_AT_A_TIME = 100
/** Characters of arguments in one call. One execution can have up to 8 MiB. */
const MAX_CHARACTERS_PER_CALL = 8 * 2 ** 20

type RetryRequest = Parameters<Engine['enqueue']>[0][number]

/** Retries executions of one task; see `createBulkActions`. */
export function createBulkRetry({ engine, enqueue, backend, argumentsOf, policyOf, requestIdsOf }: RetryDependencies) {
  const readBatch = new ReadBatch()
  const nextBatch = new EnqueueBatch(engine.gentleBatch)

  return async (acting: Acting, taskName: string, items: readonly PlannedItem[]): Promise<SettledItem[]> => {
    const policy = await policyOf(taskName)
    // Kept here, because an id is a hash: computing it again wherever it is needed would take a tenth of the time.
    const retryIds = new Map<string, string>()
    const refused = new Map<string, string>()
    let requests: RetryRequest[] = []
    let characters = 0
    const add = async (request: RetryRequest, size: number): Promise<void> => {
      requests.push(request)
      characters += size
      if (characters < MAX_CHARACTERS_PER_CALL) return
      const full = requests
      requests = []
      characters = 0
      await enqueueAll(acting, full, refused)
    }
    for (let at = 0; at < items.length;) {
      await acting.stillHeld()
      const chunk = items.slice(at, at + readBatch.count)
      at += chunk.length
      for (const [id] of chunk) retryIds.set(id, retryIdOf(id))
      await prepare(acting, taskName, chunk, policy, { retryIds, add, refused })
    }
    await enqueueAll(acting, requests, refused)
    const settled: SettledItem[] = []
    for (const chunk of inChunks(items, ASKED_AT_A_TIME)) settled.push(...await outcomesOf(acting, taskName, chunk, { retryIds, refused }))
    return settled
  }

  /** Reads the originals and prepares their retries. */
  async function prepare(
    { operationId }: Acting, taskName: string, items: readonly PlannedItem[], policy: RetryPolicy | undefined,
    { retryIds, add, refused }: {
      readonly retryIds: ReadonlyMap<string, string>; readonly refused: Map<string, string>
      add(request: RetryRequest, size: number): Promise<void>
    }
  ): Promise<void> {
    const missing = new Set(await backend.missing(items.map(([id]) => retryIds.get(id)!)))
    // A retry that is in the history has finished and must not run again.
    const wanted = items.filter(([id]) => missing.has(retryIds.get(id)!))
    if (policy === undefined) for (const [id] of wanted) refused.set(id, 'TASK_NOT_REGISTERED')
    if (policy === undefined || wanted.length === 0) return
    const originals = new Map((await backend.findMany(wanted.map(([id]) => id))).map(found => [found.executionId, found]))
    const left = wanted.flatMap(([id]) => originals.has(id) ? [] : [id])
    // The broker has them before the history does.
    const inBroker = new Set(left.length === 0 ? [] : (await engine.findMany([taskName], left)).map(each => each.executionId))
    let characters = 0
    await inTurns(wanted, async ([id]) => {
      const original = originals.get(id) ?? (inBroker.has(id) ? await engine.find([taskName], id) : null)
      if (original === null) refused.set(id, 'EXECUTION_PRUNED')
      else if (original.status !== 'failed') refused.set(id, 'NOT_RETRYABLE')
      else {
        let args: readonly unknown[]
        try {
          args = await argumentsOf(original)
        } catch (error) {
          refused.set(id, codeOf(error))
          return
        }
        const size = JSON.stringify(args).length
        characters += size
        await add(toRetryRequest(original, args, policy, operationId), size)
      }
    }, CALLS_AT_A_TIME)
    readBatch.took(wanted.length, characters)
  }

  async function outcomesOf(
    { operationId, order }: Acting, taskName: string, items: readonly PlannedItem[],
    { retryIds, refused }: { readonly retryIds: ReadonlyMap<string, string>; readonly refused: ReadonlyMap<string, string> }
  ): Promise<SettledItem[]> {
    const standing = await requestIdsOf(taskName, items.map(([id]) => retryIds.get(id)!))
    return await Promise.all(items.map(async ([id, task]): Promise<SettledItem> => {
      const retryId = retryIds.get(id)!
      const requestId = standing.get(retryId)
      if (requestId === operationId) return [id, task, 'done']
      if (requestId !== undefined) return [id, task, 'skipped', 'ALREADY_RETRIED']
      const code = refused.get(id)
      if (code !== undefined) return [id, task, 'failed', code]
      // The retry finished so long ago that the broker has dropped it. If it was submitted before this operation, someone else made it.
      const retry = await backend.find(retryId)
      return retry !== null && retry.submittedAt >= order.createdAt ? [id, task, 'done'] : [id, task, 'skipped', 'ALREADY_RETRIED']
    }))
  }

  async function enqueueAll(acting: Acting, requests: readonly RetryRequest[], refused: Map<string, string>): Promise<void> {
    for (let at = 0; at < requests.length;) {
      const batch = requests.slice(at, at + nextBatch.count)
      at += batch.length
      const begun = performance.now()
      await enqueueBatch(acting, batch, refused)
      nextBatch.took(performance.now() - begun)
    }
  }

  async function enqueueBatch({ stillHeld }: Acting, requests: readonly RetryRequest[], refused: Map<string, string>): Promise<void> {
    await stillHeld()
    try {
      await enqueue(requests)
    } catch (error) {
      if (isOutOfReach(error)) throw error
      // One of them cannot be added, so add the others without it.
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
}

/** The code of an error that concerns one item. An error of a store concerns all items, so it is thrown. */
function codeOf(error: unknown): string {
  if (isOutOfReach(error)) throw error
  return isTaskDashboardError(error) ? error.code : 'INTERNAL'
}

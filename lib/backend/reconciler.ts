import type { FinishedExecution } from '../execution.ts'
import type { DocumentStore } from '../stores/documents.ts'
import { recordInHalves } from './record-in-halves.ts'
import { soonForgotten } from './recorder.ts'
import type { ResultBackend } from './result-backend.ts'

export interface ReconcilerOptions {
  readonly backend: Pick<ResultBackend, 'record' | 'missing' | 'watermark' | 'saveWatermark' | 'kept'>
  /** Finished executions that the broker still has, of those that `missing` says are wanted: the engine's method of that name. Ends in time. */
  readonly finishedSince: (taskName: string, sinceMs: number, missing: (executionIds: string[]) => Promise<string[]>) => AsyncIterable<FinishedExecution[]>
  readonly taskNames: () => Promise<readonly string[]>
  /** So that one process at a time does it, of all that share the broker. */
  readonly leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'>
  /** Names this process. */
  readonly holder: string
  /** How long the broker keeps finished executions, milliseconds. Default for ever. */
  readonly keptByBrokerMs?: number
  /** Default 15 s. */
  readonly everyMs?: number
  /** Called when a pass fails, once until one succeeds again. */
  readonly onError: (error: Error) => void
}

/** Brings into the ledger what finished and was not recorded: a worker that died, a recorder that was full, a backend that was away. */
export interface Reconciler {
  /** The first pass starts at once; nothing is awaited. */
  start(): void
  /** Ends the pass that runs, after its batch, and gives the lease back. Idempotent; never rejects. */
  stop(): Promise<void>
  /** One pass. @returns how many were recorded, or null when another process is doing it. Rejects with the first error. */
  runOnce(): Promise<number | null>
  status(): ReconcilerStatus
  /** One sentence for health, null when all is well. */
  problem(): string | null
}

export interface ReconcilerStatus {
  /** When this process last finished a pass, milliseconds since the epoch. */
  readonly lastPassAt: number | null
  /** Executions that it brought since the process started. */
  readonly recorded: number
  readonly lastError: Error | null
  /** Since when passes fail, milliseconds since the epoch; null while they do not. */
  readonly failingSinceMs: number | null
}

/** Read again before the watermark: clocks of workers differ, and a finish becomes visible after its own time. */
export const OVERLAP_MS = 60_000
/** A watermark older than this stood still: its task was not known for a while. */
const STALE_MS = 5 * 60_000
const LEASE = 'result-backend:reconciler'
const LEASE_MS = 60_000
/** So many batches in a row of which nothing was taken end the work at a task. */
const REFUSED_BATCHES = 10
const GIVEN_UP = new Error('Another process compares the history with the broker, or this one stops')

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { backend, finishedSince, taskNames, leases, holder, keptByBrokerMs = Infinity, everyMs = 15_000, onError } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<number | null> | undefined
  let isStopped = false
  let lastPassAt: number | null = null
  let recorded = 0
  let lastError: Error | null = null
  let failingSinceMs: number | null = null

  return {
    start() {
      if (!isStopped && timer === undefined) passAndPlanNext()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running?.catch(() => {})
      await leases.releaseLease(LEASE, holder).catch(() => {})
    },
    runOnce,
    status: () => ({ lastPassAt, recorded, lastError, failingSinceMs }),
    problem() {
      if (failingSinceMs === null) return null
      const problem = `The history may lack executions that finished since ${new Date(lastPassAt ?? failingSinceMs).toISOString()}: comparing it with the broker fails`
      return [problem, soonForgotten(failingSinceMs, keptByBrokerMs)].filter(Boolean).join('; ')
    }
  }

  function passAndPlanNext(): void {
    // runOnce() keeps the error.
    void runOnce().catch(() => {}).finally(() => {
      if (!isStopped) timer = setTimeout(passAndPlanNext, everyMs).unref()
    })
  }

  function runOnce(): Promise<number | null> {
    return (running ??= pass().then(count => {
      failingSinceMs = null
      return count
    }, (error: unknown) => {
      lastError = toError(error)
      if (failingSinceMs === null && !isStopped) onError(lastError)
      failingSinceMs ??= Date.now()
      throw lastError
    }).finally(() => { running = undefined }))
  }

  async function pass(): Promise<number | null> {
    if (!await holdLease()) return null
    let count = 0
    let failure: Error | undefined
    for (const taskName of await taskNames()) {
      try {
        if (isStopped || !await holdLease()) return count
        count += await reconcile(taskName)
      } catch (error) {
        if (isStopped || error === GIVEN_UP) return count
        failure ??= toError(error)
        // A store that is away fails all of them; anything else may concern this task alone.
        if (!await isThere(taskName)) throw failure
      }
    }
    if (failure !== undefined) throw failure
    lastPassAt = Date.now()
    return count
  }

  async function reconcile(taskName: string): Promise<number> {
    const startedAt = Date.now()
    const watermark = await backend.watermark(taskName)
    const since = watermark === null ? 0 : await startOf(watermark, startedAt)
    let count = 0
    let refusal: unknown = null
    let refusedInARow = 0
    for await (const executions of finishedSince(taskName, since, missingWhileHeld)) {
      const brought = await recordInHalves(backend, await withoutRemoved(executions, since), () => isStopped)
      count += brought.added
      recorded += brought.added
      refusal ??= brought.refusal
      refusedInARow = brought.isTaken ? 0 : refusedInARow + 1
      if (refusedInARow === REFUSED_BATCHES || refusedInARow === 1 && !await isThere(taskName)) break
      // Short of the end the watermark stays: the next pass, or another process, begins where this one did.
      if (isStopped || !await holdLease()) return count
    }
    if (refusal !== null) throw toError(refusal)
    await backend.saveWatermark(taskName, startedAt)
    return count
  }

  /** Long lists are compared without a word of them: whoever does it must still be the one. */
  async function missingWhileHeld(executionIds: string[]): Promise<string[]> {
    if (isStopped || !await holdLease()) throw GIVEN_UP
    return await backend.missing(executionIds)
  }

  /**
   * The clock of a worker may be behind, so what finished before `since` and is missing may never have been recorded: certainly when it
   * is later than all that was ever removed. Else it must not come back, for it might be counted a second time.
   */
  async function withoutRemoved(executions: readonly FinishedExecution[], since: number): Promise<readonly FinishedExecution[]> {
    if (executions.every(each => each.finishedAt >= since)) return executions
    const { prunedBefore } = await backend.kept()
    return executions.filter(each => each.finishedAt >= since || prunedBefore === null || each.finishedAt > prunedBefore)
  }

  async function startOf(watermark: number, nowMs: number): Promise<number> {
    // A watermark of the future was saved under a wrong clock.
    const from = Math.max(0, Math.min(watermark, nowMs) - OVERLAP_MS)
    if (watermark > nowMs - STALE_MS) return from
    // Retention does not wait for a task that nobody knows: what was removed meanwhile must not come back with it.
    const { prunedBefore } = await backend.kept()
    return prunedBefore === null ? from : Math.max(from, Math.min(watermark, prunedBefore + 1))
  }

  /** Both stores, asked for little. */
  function isThere(taskName: string): Promise<boolean> {
    return Promise.all([backend.watermark(taskName), holdLease()]).then(() => true, () => false)
  }

  function holdLease(): Promise<boolean> {
    return leases.acquireLease(LEASE, holder, LEASE_MS)
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

import type { FinishedExecution, FinishedReference } from '../../execution.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { createLeasedLoop, toError, type Turn, type Upkeep, type UpkeepOptions } from './leased-loop.ts'
import { recordInHalves } from './record-in-halves.ts'
import { SupersededError } from '../../stores/documents/fence.ts'
import { lossWarning } from './recorder.ts'
import type { ResultBackend } from '../result-backend.ts'
import { createSlowRefusals } from './slow-refusals.ts'
import { createUnrecorded } from './unrecorded.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'

export interface ReconcilerOptions extends UpkeepOptions {
  readonly backend: Pick<ResultBackend, 'record' | 'missing' | 'watermarks' | 'saveWatermarks' | 'kept'>
  /** The engine's `newestFinished`: executions that finished at or after a time, for many tasks at once. Has a deadline. */
  readonly newestFinished: (
    queries: ReadonlyArray<{ readonly taskName: string; readonly sinceMs: number }>
  ) => Promise<ReadonlyArray<Newest>>
  /** The engine's `finishedSince`: finished executions still in the broker, filtered to those that `missing` returns. Has a deadline. */
  readonly finishedSince: (
    taskName: string, sinceMs: number, missing: (executionIds: string[]) => Promise<string[]>
  ) => AsyncIterable<FinishedExecution[]>
  readonly taskNames: () => Promise<readonly string[]>
  /** The broker's clock. */
  readonly now: () => Promise<number>
  /** See `BrokerMark`. */
  readonly brokerHasAfter: () => Promise<number>
  /** How long the broker keeps finished executions, milliseconds. Default forever. */
  readonly keptByBrokerMs?: number
  /** Default 15 s. */
  readonly everyMs?: number
}

interface Newest { readonly executions: readonly FinishedReference[]; readonly isAll: boolean }

/**
 * Writes finished executions that were not recorded to the history: the worker died, the recorder was full, or the backend was unavailable.
 * A pass returns how many it recorded. The first starts at once.
 */
export interface Reconciler extends Upkeep {
  status(): ReconcilerStatus
}

export interface ReconcilerStatus {
  /** When this process last finished a pass, milliseconds since the epoch. */
  readonly lastPassAt: number | null
  /** Executions it has recorded since the process started. */
  readonly recorded: number
  readonly lastError: Error | null
  /** Since when passes have been failing, milliseconds since the epoch; null while they succeed. */
  readonly failingSinceMs: number | null
}

/**
 * How far before the watermark each pass reads again, because worker clocks differ and a finish becomes visible later than its timestamp.
 * The sweeper catches anything later still before the broker drops it.
 */
const OVERLAP_MS = MINUTE_MS
/** For tasks that are no longer registered. */
const WATERMARK_KEPT_MS = 7 * DAY_MS
const TASKS_AT_A_TIME = 500
const IDS_AT_A_TIME = 1_000
/** After this many fully refused batches in a row, the pass moves on to the next task. */
const MAX_REFUSED_BATCHES = 10
const GIVEN_UP = new Error('Another process compares the history with the broker, or this one stops')

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { backend, newestFinished, finishedSince, taskNames, now, brokerHasAfter } = options
  const { leases, holder, keptByBrokerMs = Infinity, everyMs = 15_000, onError } = options
  const unrecorded = createUnrecorded(backend, brokerHasAfter)
  /** Watermarks up to which this process found nothing missing after the overlap had passed. */
  const settled = new Map<string, number>()
  const slowRefusals = createSlowRefusals()
  /** The task where the next pass starts, because slow refusals cut the last one short. */
  let resumeFrom: string | undefined
  let lastPassAt: number | null = null
  let recorded = 0
  let lastError: Error | null = null
  const loop = createLeasedLoop({
    lease: 'result-backend:reconciler', leases, holder, everyMs, startsAtOnce: true, onError,
    pass: turn => pass(turn).catch((error: unknown) => {
      lastError = toError(error)
      throw lastError
    })
  })

  return {
    start: loop.start,
    stop: loop.stop,
    runOnce: loop.runOnce,
    status: () => ({ lastPassAt, recorded, lastError, failingSinceMs: loop.failingSinceMs() }),
    problem() {
      const failingSinceMs = loop.failingSinceMs()
      if (failingSinceMs === null) return null
      const problem =
        `The history may lack executions that finished since ${new Date(lastPassAt ?? failingSinceMs).toISOString()}: ` +
        'comparing it with the broker keeps failing'
      return [problem, lossWarning(failingSinceMs, keptByBrokerMs)].filter(Boolean).join('; ')
    }
  }

  async function pass(turn: Turn): Promise<number | null> {
    if (!await turn.holdLease()) return null
    slowRefusals.begin()
    const [nowMs, names, watermarks] = await Promise.all([now(), taskNames(), backend.watermarks()])
    const tasks = rotatedTo(resumeFrom, names).map(taskName => toTask(taskName, watermarks.get(taskName), nowMs))
    resumeFrom = undefined
    const newest = await newestOf(tasks, turn)
    const missing = await missingOf(newest)
    const changed = new Map<string, number | null>()
    let count = 0
    let failure: Error | undefined
    try {
      for (const [index, task] of tasks.entries()) {
        const seen = newest[index]!
        try {
          if (seen === null || !seen.isAll || seen.executions.some(each => missing.has(each.executionId)))
            count += await reconcile(task, turn)
          if (seen !== null) settle(task, seen, nowMs, changed)
        } catch (error) {
          if (turn.signal.aborted || error === GIVEN_UP || error instanceof SupersededError) return count
          failure ??= toError(error)
          // If a store is down, every task fails. Any other error may concern this task alone.
          if (!await isThere(turn)) throw failure
          if (slowRefusals.areSpent()) {
            resumeFrom = tasks[index + 1]?.taskName
            throw failure
          }
        }
      }
      forgetWatermarks(new Set(names), watermarks, nowMs, changed)
    } finally {
      if (changed.size > 0) await backend.saveWatermarks(changed)
    }
    if (failure !== undefined) throw failure
    lastPassAt = Date.now()
    return count
  }

  function toTask(taskName: string, watermark: number | undefined, nowMs: number): Task {
    if (watermark === undefined) return { taskName, watermark, sinceMs: 0 }
    // A watermark in the future was saved while a clock was wrong.
    const sinceMs = settled.get(taskName) === watermark && watermark <= nowMs
      ? watermark + 1
      : Math.max(0, Math.min(watermark, nowMs) - OVERLAP_MS)
    return { taskName, watermark, sinceMs }
  }

  /** Reads many tasks at once. A task that cannot be read gets null and does not block the others. */
  async function newestOf(tasks: readonly Task[], turn: Turn): Promise<Array<Newest | null>> {
    const found: Array<Newest | null> = []
    for (const chunk of inChunks(tasks, TASKS_AT_A_TIME)) {
      try {
        found.push(...await newestFinished(chunk))
      } catch (error) {
        if (!await isThere(turn)) throw error
        const middle = Math.ceil(chunk.length / 2)
        found.push(
          ...chunk.length === 1 ? [null] : [...await newestOf(chunk.slice(0, middle), turn), ...await newestOf(chunk.slice(middle), turn)]
        )
      }
    }
    return found
  }

  async function missingOf(newest: ReadonlyArray<Newest | null>): Promise<Set<string>> {
    const missing = new Set<string>()
    // Tasks with more than one page are read in full anyway.
    const ids = newest.flatMap(each => each?.isAll ? each.executions.map(({ executionId }) => executionId) : [])
    for (const chunk of inChunks(ids, IDS_AT_A_TIME)) for (const id of await backend.missing(chunk)) missing.add(id)
    return missing
  }

  /** The watermark moves only at the end. If this stops early, the next pass or another process starts from the same point. */
  async function reconcile({ taskName, sinceMs }: Task, turn: Turn): Promise<number> {
    if (turn.signal.aborted || !await turn.holdLease()) throw GIVEN_UP
    let count = 0
    let refusal: unknown = null
    let refusedInARow = 0
    for await (const executions of finishedSince(taskName, sinceMs, ids => missingWhileHeld(ids, turn))) {
      const brought = await recordInHalves(backend, await unrecorded(executions), {
        slowRefusals,
        isStopped: () => turn.signal.aborted,
        isThere: () => Promise.all([backend.kept(), turn.holdLease()]).then(([, isHeld]) => isHeld, () => false)
      })
      count += brought.added
      recorded += brought.added
      refusal ??= brought.refusal
      refusedInARow = brought.isTaken ? 0 : refusedInARow + 1
      if (refusedInARow === MAX_REFUSED_BATCHES || refusedInARow === 1 && !await isThere(turn)) break
    }
    if (refusal !== null) throw toError(refusal)
    return count
  }

  /** Rechecks the lease during long comparisons. */
  async function missingWhileHeld(executionIds: string[], turn: Turn): Promise<string[]> {
    if (turn.signal.aborted || !await turn.holdLease()) throw GIVEN_UP
    return await backend.missing(executionIds)
  }

  /** The watermark is an observed finish time, never later than the broker's clock. */
  function settle({ taskName, watermark }: Task, { executions }: Newest, nowMs: number, changed: Map<string, number | null>): void {
    const newest = Math.max(...executions.map(each => each.finishedAt), watermark ?? -Infinity)
    const reached = Math.min(newest, nowMs)
    if (reached === -Infinity) return
    if (reached !== watermark) changed.set(taskName, reached)
    if (nowMs > reached + OVERLAP_MS) settled.set(taskName, reached)
  }

  function forgetWatermarks(
    names: ReadonlySet<string>, watermarks: ReadonlyMap<string, number>, nowMs: number, changed: Map<string, number | null>
  ): void {
    for (const [taskName, watermark] of watermarks) {
      if (names.has(taskName) || watermark > nowMs - WATERMARK_KEPT_MS) continue
      changed.set(taskName, null)
      settled.delete(taskName)
    }
  }

  /** A cheap check that both stores respond. */
  function isThere(turn: Turn): Promise<boolean> {
    return Promise.all([backend.kept(), turn.holdLease()]).then(() => true, () => false)
  }
}

interface Task { readonly taskName: string; readonly watermark: number | undefined; readonly sinceMs: number }

function rotatedTo(first: string | undefined, names: readonly string[]): readonly string[] {
  const at = first === undefined ? -1 : names.indexOf(first)
  return at < 1 ? names : [...names.slice(at), ...names.slice(0, at)]
}

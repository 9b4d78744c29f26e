import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedExecution, FinishedReference } from '../../execution.ts'
import { type BrokerMark, CLOCK_SKEW_MS } from './broker-mark.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { createLeasedLoop, toError, type Turn, type Upkeep, type UpkeepOptions } from './leased-loop.ts'
import { recordInHalves } from './record-in-halves.ts'
import type { ResultBackend } from '../result-backend.ts'
import { createSlowRefusals } from './slow-refusals.ts'
import { createUnrecorded } from './unrecorded.ts'
import { MINUTE_MS } from '../../time/units.ts'

export interface SweeperOptions extends UpkeepOptions {
  readonly backend: Pick<ResultBackend, 'record' | 'missing' | 'kept'>
  /** The engine's methods of these names; each call has a deadline. */
  readonly finishedBefore: (taskNames: readonly string[], beforeMs: number, limit: number) => Promise<readonly FinishedReference[]>
  readonly readFinished: (references: readonly FinishedReference[]) => AsyncIterable<FinishedExecution[]>
  readonly removeFinished: (references: readonly FinishedReference[], beforeMs: number) => Promise<number>
  /** The engine's method of this name, called once per pass. Default: does nothing. */
  readonly indexQueues?: (taskNames: readonly string[]) => Promise<void>
  readonly taskNames: () => Promise<readonly string[]>
  /** The broker's clock. */
  readonly now: () => Promise<number>
  readonly mark: BrokerMark
  /** How long finished executions stay in the broker, milliseconds. */
  readonly keptMs: number
  /** Executions removed per step, at most 1,000. Default 500. */
  readonly stepSize?: number
  /**
   * Called when a pass fails, then not again until one has succeeded. Also called when executions are removed that could not be recorded.
   */
  readonly onError: (error: Error) => void
}

/**
 * Removes executions from the broker once they finished long enough ago, in small steps. Each one is compared with the history first, and
 * recorded if missing. So whatever worker clocks and the watermark say, nothing leaves the broker unchecked. An execution that cannot be
 * recorded stays an hour longer, because its worker's clock may be slow, and is then removed too. A pass returns how many it removed. The
 * first starts after `everyMs`.
 */
export type Sweeper = Upkeep

const TASKS_AT_A_TIME = 500
/** A single failed pass is not worth reporting. */
const SHOWN_AFTER_MS = 10 * MINUTE_MS

export function createSweeper(options: SweeperOptions): Sweeper {
  const { backend, finishedBefore, readFinished, removeFinished, indexQueues, taskNames, now, mark } = options
  const { leases, holder, keptMs, everyMs = MINUTE_MS, stepSize = 500, onError } = options
  const unrecorded = createUnrecorded(backend, mark.brokerHasAfter)
  const slowRefusals = createSlowRefusals()
  const loop = createLeasedLoop({ lease: 'result-backend:sweeper', leases, holder, everyMs, startsAtOnce: false, pass, onError })
  let isIndexFailing = false

  return {
    start: loop.start,
    stop: loop.stop,
    runOnce: loop.runOnce,
    problem() {
      const sinceMs = loop.failingSinceMs()
      if (sinceMs === null || Date.now() - sinceMs < SHOWN_AFTER_MS) return null
      return `The broker keeps finished executions for longer than ${keptMs / MINUTE_MS} minutes: removing them has failed since ` +
        `${new Date(sinceMs).toISOString()}`
    }
  }

  async function pass(turn: Turn): Promise<number | null> {
    if (!await turn.holdLease()) return null
    slowRefusals.begin()
    const beforeMs = await now() - keptMs
    const sweep: Sweep = { turn, beforeMs, removed: 0, lost: 0, failure: null }
    const all = await taskNames()
    await keepIndex(all)
    try {
      for (const names of inChunks(all, TASKS_AT_A_TIME)) {
        if (!await sweepTasks(names, sweep)) return sweep.removed
      }
    } finally {
      // Report however the pass ends: no other process knows about them.
      if (sweep.lost > 0) {
        const minutes = (keptMs + CLOCK_SKEW_MS) / MINUTE_MS
        onError(
          new Error(
            `${sweep.lost} executions left the broker without being compared with the history for ${minutes} minutes: they may be ` +
              'missing from it'
          )
        )
      }
    }
    if (sweep.failure !== null) throw sweep.failure
    await mark.save(beforeMs, await now())
    return sweep.removed
  }

  /** If this fails, nothing is lost, but reads of many tasks become slow. */
  async function keepIndex(names: readonly string[]): Promise<void> {
    try {
      await indexQueues?.(names)
      isIndexFailing = false
    } catch (error) {
      if (!isIndexFailing) onError(toError(error))
      isIndexFailing = true
    }
  }

  /** @returns false when this process is stopping or another one has the lease */
  async function sweepTasks(names: readonly string[], sweep: Sweep): Promise<boolean> {
    try {
      for (let open = names; open.length > 0;) {
        if (sweep.turn.signal.aborted || !await sweep.turn.holdLease()) return false
        const startedAt = performance.now()
        const found = await finishedBefore(open, sweep.beforeMs, stepSize)
        if (found.length === 0) return true
        const left = await recordBefore(found, sweep)
        // A pass that was stopped has not tried all of them.
        const staying = new Set(left.filter(each => sweep.turn.signal.aborted || each.finishedAt > sweep.beforeMs - CLOCK_SKEW_MS))
        const going = found.filter(each => !staying.has(each))
        const removed = going.length === 0 ? 0 : await removeFinished(going, sweep.beforeMs)
        sweep.removed += removed
        sweep.lost += Math.min(removed, left.length - staying.size)
        // Executions that stay are the oldest of their task, so the rest of that task waits for the next pass. The same applies if nothing
        // could be removed.
        const stuck = new Set((removed === 0 ? found : [...staying]).map(each => each.taskName))
        if (stuck.size > 0) open = open.filter(name => !stuck.has(name))
        // Pause for as long as the step took, so that sweeping uses at most half of the stores' time.
        await sleep(performance.now() - startedAt, undefined, { signal: sweep.turn.signal }).catch(() => {})
      }
      return true
    } catch (error) {
      // If the broker is down, every task fails. Any other error may concern one task alone.
      await sweep.turn.holdLease()
      if (names.length === 1) {
        sweep.failure ??= toError(error)
        return true
      }
      const middle = Math.ceil(names.length / 2)
      return await sweepTasks(names.slice(0, middle), sweep) && await sweepTasks(names.slice(middle), sweep)
    }
  }

  /**
   * Records those that were never recorded.
   * @returns those still not known to be recorded
   */
  async function recordBefore(found: readonly FinishedReference[], sweep: Sweep): Promise<readonly FinishedReference[]> {
    let left = found
    try {
      left = await neverRecorded(found)
      if (left.length > 0) {
        for await (const executions of readFinished(left)) {
          if (sweep.turn.signal.aborted) break
          const { refusal } = await recordInHalves(backend, await unrecorded(executions), {
            slowRefusals,
            isStopped: () => sweep.turn.signal.aborted,
            isThere: () => Promise.all([backend.kept(), sweep.turn.holdLease()]).then(([, isHeld]) => isHeld, () => false)
          })
          if (refusal !== null) sweep.failure ??= toError(refusal)
        }
        left = await neverRecorded(left)
      }
    } catch (error) {
      sweep.failure ??= toError(error)
    }
    return left
  }

  async function neverRecorded(references: readonly FinishedReference[]): Promise<readonly FinishedReference[]> {
    const missing = new Set(await backend.missing(references.map(each => each.executionId)))
    return await unrecorded(references.filter(each => missing.has(each.executionId)))
  }
}

interface Sweep {
  readonly turn: Turn
  readonly beforeMs: number
  removed: number
  /** Removed although it is unknown whether they were recorded. */
  lost: number
  failure: Error | null
}

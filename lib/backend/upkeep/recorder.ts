import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionAttempt, FinishedExecution } from '../../execution.ts'
import { estimateBytes } from '../entry/estimate-bytes.ts'
import type { AttemptToRecord, ResultBackend } from '../result-backend.ts'
import { MINUTE_MS } from '../../time/units.ts'

export interface RecorderOptions {
  readonly backend: Pick<ResultBackend, 'record' | 'recordAttempts' | 'kept'>
  /** What waits to be written at most; what comes on top is dropped, for the reconciler to bring. Default 20,000. */
  readonly maxQueued?: number
  /** The same in bytes of memory, by an estimate. Default 64 MiB. */
  readonly maxQueuedBytes?: number
  /** How long the broker keeps finished executions for the reconciler, milliseconds. Default for ever. */
  readonly keptByBrokerMs?: number
  /** How long records are gathered before they are written. Default 20 ms. */
  readonly flushEveryMs?: number
  /** Records a write. Default 500. */
  readonly batchSize?: number
  /** Called once when the backend goes away, once when the queue is full, and for each record that it refuses for good. */
  readonly onError: (error: Error) => void
}

/** Writes what workers report, behind their back: nothing here is awaited by a worker, and nothing throws into one. */
export interface Recorder {
  record(execution: FinishedExecution): void
  /** An attempt that failed and will be tried again. */
  recordAttempt(execution: { readonly executionId: string; readonly taskName: string }, attempt: ExecutionAttempt): void
  /** Writes what is queued now, for `timeoutMs` at most. @returns whether all of it was written. */
  flush(timeoutMs: number): Promise<boolean>
  status(): RecorderStatus
  /** One sentence for health, null when all is well. */
  problem(): string | null
}

export interface RecorderStatus {
  readonly queued: number
  readonly queuedBytes: number
  /** The earliest finish of what waits to be written, milliseconds since the epoch; null when no execution does. */
  readonly oldestFinishedAt: number | null
  /** Records dropped since the process started, because the queue was full. */
  readonly dropped: number
  /** Records given up since the process started, because the backend refused them again and again while it took others. */
  readonly refused: number
  readonly lastError: Error | null
  /** Since when the backend takes nothing, milliseconds since the epoch; null while it does. */
  readonly behindSinceMs: number | null
}

type Queued =
  {
    failures: number; failedSince: number; readonly bytes: number
  } & ({ readonly execution: FinishedExecution } | { readonly attempt: AttemptToRecord })

const FIRST_BACK_OFF_MS = 100
const LAST_BACK_OFF_MS = 2_000
/** How often a record is refused, while others are taken, before it is given up. */
const REFUSED_AT_MOST = 5
const DROPS_SHOWN_MS = 5 * MINUTE_MS
/**
 * What finished so lately is never removed from the history: a recorder may be writing it a second time, after an answer that it did not
 * get.
 */
export const ALWAYS_KEPT_MS = 5 * MINUTE_MS
/** From this age on it is asked what was removed: half of it, since clocks differ. */
const PERHAPS_REMOVED_MS = ALWAYS_KEPT_MS / 2
/** What an attempt takes without its error, about. */
const ATTEMPT_BYTES = 400

export function createRecorder(options: RecorderOptions): Recorder {
  const { backend, maxQueued = 20_000, maxQueuedBytes = 64 * 1024 * 1024, keptByBrokerMs = Infinity } = options
  const { flushEveryMs = 20, batchSize = 500, onError } = options
  const queue: Queued[] = []
  let writing: readonly Queued[] = []
  let bytes = 0
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let size = batchSize
  let failures = 0
  let dropped = 0
  let lastDropAt = -Infinity
  let refused = 0
  let lastRefusalAt = -Infinity
  let lastSuccessAt = -Infinity
  let lastError: Error | null = null
  let behindSinceMs: number | null = null

  return {
    record(execution) { add({ execution, bytes: estimateBytes(execution), failures: 0, failedSince: 0 }) },
    recordAttempt({ executionId, taskName }, attempt) {
      const { message = '', stack } = attempt.error ?? {}
      add({
        attempt: { executionId, taskName, attempt }, bytes: ATTEMPT_BYTES + message.length + (stack?.length ?? 0), failures: 0,
        failedSince: 0
      })
    },
    async flush(timeoutMs) {
      const deadline = Date.now() + timeoutMs
      while (queue.length + writing.length > 0) {
        const left = deadline - Date.now()
        if (left <= 0) return false
        await settledWithin(start(), left)
        if (failures > 0) await sleep(Math.min(FIRST_BACK_OFF_MS, Math.max(0, deadline - Date.now())))
      }
      return true
    },
    status: () => ({
      queued: queue.length + writing.length, queuedBytes: bytes, oldestFinishedAt: oldestFinish(), dropped, refused, lastError,
      behindSinceMs
    }),
    problem() {
      const queued = queue.length + writing.length
      const problems = [
        behindSinceMs !== null &&
          `${queued} finished executions have been waiting to be written to the history since ${new Date(behindSinceMs).toISOString()}`,
        behindSinceMs !== null && soonForgotten(behindSinceMs, keptByBrokerMs),
        Date.now() - lastDropAt < DROPS_SHOWN_MS && `${dropped} records did not fit into the recorder's queue; the reconciler will write ` +
          'them',
        Date.now() - lastRefusalAt < DROPS_SHOWN_MS &&
          `${refused} records were refused by the result backend; the reconciler retries them as long as the broker has them`
      ].filter(problem => typeof problem === 'string')
      if (problems.length > 0) return problems.join('; ')
      return null
    }
  }

  function add(entry: Queued): void {
    const queued = queue.length + writing.length
    if (queued >= maxQueued || queued > 0 && bytes + entry.bytes > maxQueuedBytes) {
      if (Date.now() - lastDropAt > DROPS_SHOWN_MS) {
        onError(
          new Error(
            `The recorder's queue is full (${queued} records, ${Math.round(bytes / 1024)} KiB): further ` +
              'executions are left to the reconciler'
          )
        )
      }
      drop()
      return
    }
    bytes += entry.bytes
    queue.push(entry)
    if (running === undefined) startIn(queue.length >= batchSize && failures === 0 ? 0 : flushEveryMs)
  }

  function startIn(delayMs: number): void {
    timer ??= setTimeout(() => { void start() }, delayMs).unref()
  }

  function start(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return (running ??= drain().finally(() => {
      running = undefined
      if (queue.length > 0) startIn(failures === 0 ? flushEveryMs : Math.min(LAST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (failures - 1)))
    }))
  }

  /**
   * Until less than a batch is left or a write fails. What came during the last write is gathered again: many small batches in a
   * row would cost the backend more than a few large ones. Writing again what was written in part is harmless.
   */
  async function drain(): Promise<void> {
    for (let isFirst = true; queue.length > 0 && (isFirst || queue.length >= size); isFirst = false) {
      const batch = queue.splice(0, size)
      writing = batch
      try {
        await write(batch)
      } catch (error) {
        putBack(batch, error instanceof Error ? error : new Error(String(error)))
        return
      } finally {
        writing = []
      }
      for (const entry of batch) bytes -= entry.bytes
      failures = 0
      behindSinceMs = null
      lastSuccessAt = Date.now()
      size = Math.min(batchSize, size * 2)
    }
  }

  async function write(batch: readonly Queued[]): Promise<void> {
    const attempts = batch.flatMap(entry => 'attempt' in entry ? [entry.attempt] : [])
    const executions = batch.flatMap(entry => 'execution' in entry ? [entry.execution] : [])
    if (attempts.length > 0) await backend.recordAttempts(attempts)
    if (executions.length > 0) await backend.record(await withoutRemoved(executions))
  }

  /**
   * While this process was out of reach, or did not run, the reconciler may have brought what waited here, and retention removed it:
   * written again it would be counted a second time. What finished until then is the reconciler's.
   */
  async function withoutRemoved(executions: FinishedExecution[]): Promise<readonly FinishedExecution[]> {
    const old = Date.now() - PERHAPS_REMOVED_MS
    if (executions.every(each => each.finishedAt > old)) return executions
    const { prunedBefore } = await backend.kept()
    return prunedBefore === null ? executions : executions.filter(each => each.finishedAt > prunedBefore)
  }

  /**
   * Smaller batches after each failure, so that one record that is refused does not hold up the others: alone in its batch it
   * goes to the end of the queue, and away when others were taken meanwhile.
   */
  function putBack(batch: Queued[], error: Error): void {
    failures++
    if (behindSinceMs === null) onError(error)
    behindSinceMs ??= Date.now()
    lastError = error
    size = Math.max(1, Math.floor(Math.min(size, batch.length) / 2))
    const [only] = batch
    if (batch.length > 1 || only === undefined) {
      queue.unshift(...batch)
      return
    }
    if (only.failures++ === 0) only.failedSince = Date.now()
    if (only.failures > REFUSED_AT_MOST && lastSuccessAt > only.failedSince) {
      bytes -= only.bytes
      refused++
      lastRefusalAt = Date.now()
      onError(new Error('The result backend refused a record permanently, so the record is skipped', { cause: error }))
    } else {
      queue.push(only)
    }
  }

  function oldestFinish(): number | null {
    let oldest = Infinity
    for (const entries of [writing, queue]) {
      for (const entry of entries) if ('execution' in entry) oldest = Math.min(oldest, entry.execution.finishedAt)
    }
    return oldest === Infinity ? null : oldest
  }

  function drop(): void {
    dropped++
    lastDropAt = Date.now()
  }
}

/** What to say of an outage that lasts nearly as long as the broker keeps what finished; null before. */
export function soonForgotten(sinceMs: number, keptByBrokerMs: number): string | null {
  if (Date.now() - sinceMs < keptByBrokerMs * 0.75) return null
  return `the broker drops executions ${Math.round(keptByBrokerMs / MINUTE_MS)} minutes after they finished: records not written by ` +
    `${new Date(sinceMs + keptByBrokerMs).toISOString()} may be lost`
}

/** The timer holds the process: whoever flushes waits for it. */
async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  const cancel = new AbortController()
  await Promise.race([work, sleep(ms, undefined, { signal: cancel.signal }).catch(() => {})])
  cancel.abort()
}

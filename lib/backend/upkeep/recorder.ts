import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionAttempt, FinishedExecution } from '../../execution.ts'
import { estimateBytes } from '../entry/estimate-bytes.ts'
import type { AttemptToRecord, ResultBackend } from '../result-backend.ts'
import { MINUTE_MS } from '../../time/units.ts'

export interface RecorderOptions {
  readonly backend: Pick<ResultBackend, 'record' | 'recordAttempts' | 'kept'>
  /** Maximum records waiting to be written. Further ones are dropped and left to the reconciler. Default 20,000. */
  readonly maxQueued?: number
  /** The same limit in estimated bytes of memory. Default 64 MiB. */
  readonly maxQueuedBytes?: number
  /** How long the broker keeps finished executions for the reconciler, milliseconds. Default forever. */
  readonly keptByBrokerMs?: number
  /** How long records are buffered before they are written. Default 20 ms. */
  readonly flushEveryMs?: number
  /** Records per write. Default 500. */
  readonly batchSize?: number
  /** Called once when the backend becomes unavailable, once when the queue is full, and for each record it refuses permanently. */
  readonly onError: (error: Error) => void
}

/**
 * Writes what workers report, in the background. Workers never await it, and it never throws into a worker. If something is not written,
 * the reconciler and the sweeper record it.
 */
export interface Recorder {
  record(execution: FinishedExecution): void
  /** A failed attempt that will be retried. */
  recordAttempt(execution: { readonly executionId: string; readonly taskName: string }, attempt: ExecutionAttempt): void
  /**
   * Writes what is queued now, within `timeoutMs`.
   * @returns whether all of it was written
   */
  flush(timeoutMs: number): Promise<boolean>
  status(): RecorderStatus
  /** One sentence for health, null when all is well. */
  problem(): string | null
}

export interface RecorderStatus {
  readonly queued: number
  readonly queuedBytes: number
  /** The earliest finish time among queued executions, milliseconds since the epoch; null when none are queued. */
  readonly oldestFinishedAt: number | null
  /** Records dropped since the process started because the queue was full. */
  readonly dropped: number
  /** Records skipped since the process started: the backend kept refusing them while it accepted others. */
  readonly refused: number
  readonly lastError: Error | null
  /** Since when the backend has accepted nothing, milliseconds since the epoch; null while it accepts records. */
  readonly behindSinceMs: number | null
}

type Queued =
  {
    failures: number; failedSince: number; readonly bytes: number
  } & ({ readonly execution: FinishedExecution } | { readonly attempt: AttemptToRecord })

const FIRST_BACK_OFF_MS = 100
const LAST_BACK_OFF_MS = 2_000
/** How often a record may be refused, while others are accepted, before it is skipped. */
const MAX_REFUSED = 5
const DROPS_SHOWN_MS = 5 * MINUTE_MS
/** Executions that finished this recently are never pruned, because a recorder may be retrying their write after a lost response. */
export const ALWAYS_KEPT_MS = 5 * MINUTE_MS
/** From this age on, check what was pruned. Half the limit, because clocks differ. */
const PERHAPS_REMOVED_MS = ALWAYS_KEPT_MS / 2
/** Approximate size of an attempt without its error. */
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
        behindSinceMs !== null && lossWarning(behindSinceMs, keptByBrokerMs),
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
   * Runs until less than a batch is left or a write fails. Records that arrived during the last write are buffered again: many small
   * batches cost the backend more than a few large ones. Repeating a partial write is harmless.
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
   * While this process was cut off or suspended, the reconciler may have recorded what waited here, and retention may have pruned it.
   * Writing it again would count it twice. So anything at or before the pruned point is left to the reconciler.
   */
  async function withoutRemoved(executions: FinishedExecution[]): Promise<readonly FinishedExecution[]> {
    const old = Date.now() - PERHAPS_REMOVED_MS
    if (executions.every(each => each.finishedAt > old)) return executions
    const { prunedBefore } = await backend.kept()
    return prunedBefore === null ? executions : executions.filter(each => each.finishedAt > prunedBefore)
  }

  /**
   * Halves the batch after each failure, so that one refused record does not block the others. A record that fails alone goes to the end of
   * the queue. It is skipped once it keeps failing while others succeed.
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
    if (only.failures > MAX_REFUSED && lastSuccessAt > only.failedSince) {
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

/** The warning for an outage that lasts nearly as long as the broker keeps finished executions; null before that. */
export function lossWarning(sinceMs: number, keptByBrokerMs: number): string | null {
  if (Date.now() - sinceMs < keptByBrokerMs * 0.75) return null
  return `the broker drops executions ${Math.round(keptByBrokerMs / MINUTE_MS)} minutes after they finished: records not written by ` +
    `${new Date(sinceMs + keptByBrokerMs).toISOString()} may be lost`
}

/** The timer is not unref'd, so it keeps the process alive while someone waits for the flush. */
async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  const cancel = new AbortController()
  await Promise.race([work, sleep(ms, undefined, { signal: cancel.signal }).catch(() => {})])
  cancel.abort()
}

import type { DocumentStore } from '../../stores/documents/documents.ts'
import { MINUTE_MS } from '../../time/units.ts'

/** Options shared by everything that runs on a leased loop. */
export interface UpkeepOptions {
  /** Among all processes that share the broker, one at a time does the work. */
  readonly leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'>
  /** Identifies this process. */
  readonly holder: string
  /** Milliseconds from the end of a pass to the next, default a minute. After a failed pass the next comes sooner, with growing pauses. */
  readonly everyMs?: number
  /** Called when a pass fails, then not again until one has succeeded. */
  readonly onError: (error: Error) => void
}

/** What everything on a leased loop offers. */
export interface Upkeep {
  /** Returns at once. */
  start(): void
  /** Ends a running pass after its current step and releases the lease. Idempotent; never rejects. */
  stop(): Promise<void>
  /**
   * Runs one pass, or joins the one that is running.
   * @returns how much it did, or null when another process is doing it. Rejects with its first error.
   */
  runOnce(): Promise<number | null>
  /** One sentence for health, null when all is well. */
  problem(): string | null
}

interface LeasedLoopOptions extends Required<UpkeepOptions> {
  /** Name of the lease. */
  readonly lease: string
  /** Whether the first pass starts at once or after `everyMs`. */
  readonly startsAtOnce: boolean
  /** @returns null when another process has the lease */
  readonly pass: (turn: Turn) => Promise<number | null>
}

/** What a pass checks between its steps. */
export interface Turn {
  /** Aborted when the loop stops. */
  readonly signal: AbortSignal
  /** Takes or renews the lease; false when another process has it. */
  holdLease(): Promise<boolean>
}

/** Recurring work, in one process at a time. */
interface LeasedLoop extends Omit<Upkeep, 'problem'> {
  /** Since when passes have been failing, milliseconds since the epoch by this process's clock; null while they succeed. */
  failingSinceMs(): number | null
}

export const LEASE_MS = MINUTE_MS
const RENEWED_AFTER_MS = LEASE_MS / 6
/**
 * Retry soon after a failed pass: most failures are outages of seconds, and health reports a possibly incomplete history until a pass
 * succeeds.
 */
const FIRST_RETRY_MS = 500
/** Under lasting failures, retries come at most this many times as often as `everyMs`. */
const RETRIES_PER_TURN = 3

export function createLeasedLoop({ lease, leases, holder, everyMs, startsAtOnce, pass, onError }: LeasedLoopOptions): LeasedLoop {
  const stopping = new AbortController()
  const turn: Turn = { signal: stopping.signal, holdLease: () => leases.acquireLease(lease, holder, LEASE_MS) }
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let running: Promise<number | null> | undefined
  let failingSinceMs: number | null = null
  let failures = 0

  return {
    start() {
      if (isStarted || stopping.signal.aborted) return
      isStarted = true
      if (startsAtOnce) passAndPlanNext()
      else planNext()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running?.catch(() => {})
      await leases.releaseLease(lease, holder).catch(() => {})
    },
    runOnce,
    failingSinceMs: () => failingSinceMs
  }

  function planNext(): void {
    if (!stopping.signal.aborted) timer = setTimeout(passAndPlanNext, pauseMs()).unref()
  }

  function pauseMs(): number {
    if (failures === 0) return everyMs
    // Jitter, so that processes do not retry in lockstep.
    return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), everyMs / RETRIES_PER_TURN) * (0.5 + Math.random() / 2)
  }

  function passAndPlanNext(): void {
    // runOnce() has recorded the error.
    void runOnce().catch(() => {}).finally(planNext)
  }

  function runOnce(): Promise<number | null> {
    return (running ??= pass(turn).then(result => {
      failingSinceMs = null
      failures = 0
      return result
    }, (thrown: unknown) => {
      const error = toError(thrown)
      if (failingSinceMs === null && !stopping.signal.aborted) onError(error)
      failingSinceMs ??= Date.now()
      failures++
      throw error
    }).finally(() => { running = undefined }))
  }
}

/** For work of many small steps under a lease just taken: asks `holdLease` only now and then; once it was lost, never again. */
export function renewing(holdLease: () => Promise<boolean>): () => Promise<boolean> {
  let renewedAt = performance.now()
  let isHeld = true
  return async () => {
    if (!isHeld || performance.now() - renewedAt < RENEWED_AFTER_MS) return isHeld
    isHeld = await holdLease()
    renewedAt = performance.now()
    return isHeld
  }
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

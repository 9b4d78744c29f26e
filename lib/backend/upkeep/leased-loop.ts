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

interface LeasedLoopOptions<Result> extends Required<UpkeepOptions> {
  /** Name of the lease. */
  readonly lease: string
  /** How long others wait for a process that died, milliseconds. Default a minute. */
  readonly leaseMs?: number
  /** How long `holdLease` relies on its last result, milliseconds. Default 0: it checks every time. */
  readonly renewAfterMs?: number
  /** Whether the first pass starts at once or after `everyMs`. */
  readonly startsAtOnce: boolean
  readonly pass: (turn: Turn) => Promise<Result>
  /** Milliseconds from the end of a pass that succeeded to the next. Default `everyMs`. */
  readonly pauseMs?: (result: Result) => number
}

/** What a pass checks between its steps. */
export interface Turn {
  /** Aborted when the loop stops. */
  readonly signal: AbortSignal
  /** Takes or renews the lease; false when another process has it. */
  holdLease(): Promise<boolean>
  /** If this number changes between two calls of `holdLease`, another process may have held the lease and released it in between. */
  leaseNumber(): number
}

/**
 * Recurring work, in one process at a time. Not everything that needs a lease uses this. `resolve-retried.ts` waits until it is called,
 * `overdue-watch.ts` and `schedule-copies.ts` are steps of another loop, and a run has its lease in `run-guard.ts`. The follower of events
 * has its own loop, because it shares the reconciler's lease: it must not release it, and it drops its state when it loses it.
 */
interface LeasedLoop<Result> extends Pick<Upkeep, 'start' | 'stop'> {
  /** Runs one pass, or joins the one that is running. Rejects with its first error. */
  runOnce(): Promise<Result>
  /** There is something to do: the next pass begins now, or right after the one that is running. */
  wake(): void
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

export function createLeasedLoop<Result = number | null>({
  lease, leases, holder, leaseMs = LEASE_MS, renewAfterMs = 0, everyMs, startsAtOnce, pass, pauseMs = () => everyMs, onError
}: LeasedLoopOptions<Result>): LeasedLoop<Result> {
  const stopping = new AbortController()
  const turn: Turn = { signal: stopping.signal, holdLease, leaseNumber: () => leaseNumber }
  /** Set only while no pass of the loop is running. */
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let isWoken = false
  let heldUntil = -Infinity
  let expiresAt = -Infinity
  let leaseNumber = 0
  let running: Promise<Result> | undefined
  let failingSinceMs: number | null = null
  let failures = 0

  return {
    start() {
      if (isStarted || stopping.signal.aborted) return
      isStarted = true
      if (startsAtOnce) passAndPlanNext()
      else planNext(everyMs)
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running?.catch(() => {})
      await leases.releaseLease(lease, holder).catch(() => {})
    },
    runOnce,
    wake() {
      isWoken = true
      if (timer === undefined || stopping.signal.aborted) return
      clearTimeout(timer)
      passAndPlanNext()
    },
    failingSinceMs: () => failingSinceMs
  }

  async function holdLease(): Promise<boolean> {
    const askedAt = performance.now()
    if (askedAt < heldUntil) return true
    const isHeld = await leases.acquireLease(lease, holder, leaseMs)
    heldUntil = isHeld ? askedAt + renewAfterMs : -Infinity
    if (isHeld && performance.now() > expiresAt) leaseNumber++
    expiresAt = isHeld ? askedAt + leaseMs : -Infinity
    return isHeld
  }

  function planNext(inMs: number): void {
    if (!stopping.signal.aborted) timer = setTimeout(passAndPlanNext, isWoken ? 0 : inMs).unref()
  }

  function retryMs(): number {
    // Jitter, so that processes do not retry in lockstep.
    return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), everyMs / RETRIES_PER_TURN) * (0.5 + Math.random() / 2)
  }

  function passAndPlanNext(): void {
    timer = undefined
    isWoken = false
    // runOnce() has recorded the error.
    void runOnce().then(pauseMs, retryMs).then(planNext)
  }

  function runOnce(): Promise<Result> {
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

/** For many small steps under a lease that was just taken. Calls `holdLease` only now and then, and never again once the lease is lost. */
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

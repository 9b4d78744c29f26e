/** How long a failed execution waits before its next attempt. Fixed when the execution is enqueued. */
export interface Backoff {
  readonly type: 'fixed' | 'exponential'
  /** Milliseconds before the second attempt. */
  readonly delayMs: number
  /** The longest wait in milliseconds: `delayMs` for `fixed`. */
  readonly maxDelayMs: number
  /** The random share of each wait, 0 to 1. With 0.5, a wait has 50 to 100 % of its length. */
  readonly jitter: number
}

export function fixedDelay(delayMs: number): Backoff {
  return { type: 'fixed', delayMs, maxDelayMs: delayMs, jitter: 0 }
}

/**
 * Milliseconds until the next attempt. Jitter only shortens a wait, so the cap still holds.
 * @param failures failed attempts so far, at least 1
 * @param random 0 to 1, exclusive
 */
export function delayAfter(failures: number, { type, delayMs, maxDelayMs, jitter }: Backoff, random: () => number = Math.random): number {
  const grown = type === 'exponential' ? delayMs * 2 ** (failures - 1) : delayMs
  return Math.round(Math.min(grown, maxDelayMs) * (1 - jitter * random()))
}

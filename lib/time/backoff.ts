/** How long a failed execution waits before its next attempt. It keeps what it was enqueued with. */
export interface Backoff {
  readonly type: 'fixed' | 'exponential'
  /** Milliseconds before the second attempt. */
  readonly delayMs: number
  /** The longest wait in milliseconds: `delayMs` for `fixed`. */
  readonly maxDelayMs: number
  /** The share of each wait that is left to chance, 0 to 1: 0.5 is a wait of 50 to 100 % of its length. */
  readonly jitter: number
}

export function fixedDelay(delayMs: number): Backoff {
  return { type: 'fixed', delayMs, maxDelayMs: delayMs, jitter: 0 }
}

/**
 * Milliseconds until the next attempt. Jitter only makes a wait shorter, so the cap holds with it.
 * @param failures attempts that failed so far, 1 and more
 * @param random 0 to 1, exclusive
 */
export function delayAfter(failures: number, { type, delayMs, maxDelayMs, jitter }: Backoff, random: () => number = Math.random): number {
  const grown = type === 'exponential' ? delayMs * 2 ** (failures - 1) : delayMs
  return Math.round(Math.min(grown, maxDelayMs) * (1 - jitter * random()))
}

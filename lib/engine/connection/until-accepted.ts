import { setTimeout as sleep } from 'node:timers/promises'
import { isTransientError } from './transient-error.ts'

/** The longest pause between two retries. */
export const TRIED_AGAIN_WITHIN_MS = 1_000
const FIRST_PAUSE_MS = 100

/**
 * Retries while the broker refuses temporarily. Rejects with any other error, and with the last refusal once `signal` aborts.
 * @param onRefused called with each refusal, before the pause
 */
export async function untilAccepted<Result>(
  call: () => Promise<Result>, signal: AbortSignal, onRefused: (error: unknown) => void
): Promise<Result> {
  for (let refusals = 0; ; refusals++) {
    try {
      return await call()
    } catch (error) {
      if (signal.aborted || !isTransientError(error)) throw error
      onRefused(error)
      await pauseAfter(refusals, { signal })
      if (signal.aborted) throw error
    }
  }
}

/**
 * Exponential backoff with jitter. Ends at once when `signal` aborts.
 * @param refusals number of earlier refusals, 0 for the first pause
 */
export async function pauseAfter(
  refusals: number, { signal, firstMs = FIRST_PAUSE_MS, longestMs = TRIED_AGAIN_WITHIN_MS }: PauseOptions = {}
): Promise<void> {
  const longest = Math.min(firstMs * 2 ** Math.min(refusals, 10), longestMs)
  await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
}

interface PauseOptions {
  readonly signal?: AbortSignal
  /** Default 100. */
  readonly firstMs?: number
  /** Default 1,000. */
  readonly longestMs?: number
}

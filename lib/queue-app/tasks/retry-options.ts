import { fixedDelay, type Backoff } from '../../time/backoff.ts'
import { DAY_MS } from '../../time/units.ts'

/** How long a failed execution waits before its next attempt. */
export interface BackoffOptions {
  /** `fixed`: the same wait each time. `exponential`: twice as long after each failure, up to `maxDelayMs`. */
  type: 'fixed' | 'exponential'
  /** Milliseconds before the second attempt, 0 to 86,400,000; 1 and more for `exponential`. */
  delayMs: number
  /** The longest wait of `exponential` in milliseconds, `delayMs` to 86,400,000. Default 86,400,000 (a day). */
  maxDelayMs?: number
  /** The share of each wait that is left to chance, 0 to 1: with 0.5 a wait of 10 s is 5 to 10 s long. Default 0. */
  jitter?: number
}

/** Of a task, and of one execution of it. */
export interface RetryOptions {
  /** Attempts after the first one, 0 to 100. Default 0; of an execution, what its task has. */
  retries?: number
  /** Milliseconds between attempts, 0 to 86,400,000. Default 0; of an execution, what its task has. In place of `backoff`. */
  retryDelayMs?: number
  /** How the wait between attempts grows and varies. In place of `retryDelayMs`. */
  backoff?: BackoffOptions
}

/** Of a task alone. */
export interface TaskRetryOptions extends RetryOptions {
  /** Seconds between attempts, 0 to 86,400. `retryDelayMs` says the same in milliseconds, like every other option. */
  retryDelay?: number
}

export const MAX_RETRIES = 100
export const MAX_RETRY_DELAY_MS = DAY_MS

/** The names of the options that say how long to wait. */
export const DELAY_OPTIONS = ['retryDelayMs', 'retryDelay', 'backoff'] as const

/** What is wrong with these options, all of it. They may come from anywhere. */
export function retryProblems(
  { retries, retryDelayMs, retryDelay, backoff }: { readonly [Option in keyof TaskRetryOptions]?: unknown }
): string[] {
  const given = Object.entries({ retryDelayMs, retryDelay, backoff }).flatMap(([name, value]) => value === undefined ? [] : [name])
  return [
    ...isInteger(retries ?? 0, 0, MAX_RETRIES) ? [] : [`retries must be an integer from 0 to ${MAX_RETRIES}`],
    ...given.length < 2 ? [] : [`${given.join(' and ')} say the same: give one of them`],
    ...isInteger(retryDelayMs ?? 0, 0, MAX_RETRY_DELAY_MS) ? [] : [`retryDelayMs must be an integer from 0 to ${MAX_RETRY_DELAY_MS}`],
    ...isWithin(retryDelay ?? 0, 0, MAX_RETRY_DELAY_MS / 1000)
      ? []
      : [`retryDelay (seconds) must be a number from 0 to ${MAX_RETRY_DELAY_MS / 1000}`],
    ...backoff === undefined ? [] : backoffProblems(backoff)
  ]
}

/** Of options without a problem; undefined when they say nothing of it. */
export function toBackoff({ retryDelayMs, retryDelay, backoff }: TaskRetryOptions): Backoff | undefined {
  if (retryDelayMs !== undefined) return fixedDelay(retryDelayMs)
  if (retryDelay !== undefined) return fixedDelay(Math.round(retryDelay * 1000))
  if (backoff === undefined) return undefined
  const { type, delayMs, maxDelayMs = type === 'fixed' ? delayMs : MAX_RETRY_DELAY_MS, jitter = 0 } = backoff
  return { type, delayMs, maxDelayMs, jitter }
}

function backoffProblems(backoff: unknown): string[] {
  if (typeof backoff !== 'object' || backoff === null) return ['backoff must be an object']
  const { type, delayMs, maxDelayMs, jitter, ...rest } = backoff as { readonly [Option in keyof BackoffOptions]?: unknown }
  const shortest = type === 'exponential' ? 1 : 0
  const from = isInteger(delayMs, shortest, MAX_RETRY_DELAY_MS) ? delayMs as number : shortest
  return [
    ...Object.keys(rest).map(name => `backoff.${name} is not an option`),
    ...type === 'fixed' || type === 'exponential' ? [] : ['backoff.type must be "fixed" or "exponential"'],
    ...isInteger(delayMs, shortest, MAX_RETRY_DELAY_MS)
      ? []
      : [`backoff.delayMs must be an integer from ${shortest} to ${MAX_RETRY_DELAY_MS}`],
    ...maxDelayMs === undefined || type !== 'fixed' ? [] : ['backoff.maxDelayMs is for type "exponential": a fixed wait does not grow'],
    ...isInteger(maxDelayMs ?? from, from, MAX_RETRY_DELAY_MS)
      ? []
      : [`backoff.maxDelayMs must be an integer from delayMs to ${MAX_RETRY_DELAY_MS}`],
    ...isWithin(jitter ?? 0, 0, 1) ? [] : ['backoff.jitter must be a number from 0 to 1']
  ]
}

function isInteger(value: unknown, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && isWithin(value, minimum, maximum)
}

function isWithin(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === 'number' && value >= minimum && value <= maximum
}

import { isObject } from '../../json/is-object.ts'
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
  /** The random share of each wait, 0 to 1. With 0.5, a wait of 10 s becomes 5 to 10 s. Default 0. */
  jitter?: number
}

/** Retry options of a task, or of a single execution. */
export interface RetryOptions {
  /** Attempts after the first one, 0 to 100. Default 0; for an execution, the setting of its task. */
  retries?: number
  /** Milliseconds between attempts, 0 to 86,400,000. Use this or `backoff`. Default 0; for an execution, the setting of its task. */
  retryDelayMs?: number
  /** How the wait between attempts grows and varies. Use this or `retryDelayMs`. */
  backoff?: BackoffOptions
}

/** Retry options of a task only. */
export interface TaskRetryOptions extends RetryOptions {
  /** Seconds between attempts, 0 to 86,400. `retryDelayMs` is the same in milliseconds, like every other option. */
  retryDelay?: number
}

export const MAX_RETRIES = 100
export const MAX_RETRY_DELAY_MS = DAY_MS

/** The options that set the wait between attempts. */
export const DELAY_OPTIONS = ['retryDelayMs', 'retryDelay', 'backoff'] as const

/** Every problem with these options. Their types are not trusted. */
export function retryProblems(
  { retries, retryDelayMs, retryDelay, backoff }: { readonly [Option in keyof TaskRetryOptions]?: unknown }
): string[] {
  const given = Object.entries({ retryDelayMs, retryDelay, backoff }).flatMap(([name, value]) => value === undefined ? [] : [name])
  return [
    ...isInteger(retries ?? 0, 0, MAX_RETRIES) ? [] : [`retries must be an integer from 0 to ${MAX_RETRIES}`],
    ...given.length < 2 ? [] : [`${given.join(' and ')} set the same thing: use only one of them`],
    ...isInteger(retryDelayMs ?? 0, 0, MAX_RETRY_DELAY_MS) ? [] : [`retryDelayMs must be an integer from 0 to ${MAX_RETRY_DELAY_MS}`],
    ...isWithin(retryDelay ?? 0, 0, MAX_RETRY_DELAY_MS / 1000)
      ? []
      : [`retryDelay (seconds) must be a number from 0 to ${MAX_RETRY_DELAY_MS / 1000}`],
    ...backoff === undefined ? [] : backoffProblems(backoff)
  ]
}

/** Converts checked options; undefined if none of them is set. */
export function toBackoff({ retryDelayMs, retryDelay, backoff }: TaskRetryOptions): Backoff | undefined {
  if (retryDelayMs !== undefined) return fixedDelay(retryDelayMs)
  if (retryDelay !== undefined) return fixedDelay(Math.round(retryDelay * 1000))
  if (backoff === undefined) return undefined
  const { type, delayMs, maxDelayMs = type === 'fixed' ? delayMs : MAX_RETRY_DELAY_MS, jitter = 0 } = backoff
  return { type, delayMs, maxDelayMs, jitter }
}

function backoffProblems(backoff: unknown): string[] {
  if (!isObject(backoff)) return ['backoff must be an object']
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

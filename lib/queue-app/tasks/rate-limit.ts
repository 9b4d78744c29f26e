import { MAX_RATE, MAX_RATE_WINDOW_MS } from '../../../schemas/limits.ts'
import { isObject } from '../../json/is-object.ts'

/** Limits how many attempts of a task start in a period, across all processes. */
export interface RateLimit {
  /** Attempts that may start in each window, 1 to 1,000,000. Retries count. */
  readonly max: number
  /** Length of a window in milliseconds, 1 to 86,400,000. A window begins with the first start after the previous window. */
  readonly durationMs: number
}

/** Every problem with the option. Its type is not trusted. */
export function rateLimitProblems(rateLimit: unknown): string[] {
  if (rateLimit === undefined) return []
  if (!isObject(rateLimit)) return ['rateLimit must be an object']
  const { max, durationMs, ...rest } = rateLimit as { readonly [Option in keyof RateLimit]?: unknown }
  return [
    ...Object.keys(rest).map(name => `rateLimit.${name} is not an option`),
    ...isIntegerTo(max, MAX_RATE) ? [] : [`rateLimit.max must be an integer from 1 to ${MAX_RATE}`],
    ...isIntegerTo(durationMs, MAX_RATE_WINDOW_MS) ? [] : [`rateLimit.durationMs must be an integer from 1 to ${MAX_RATE_WINDOW_MS}`]
  ]
}

function isIntegerTo(value: unknown, maximum: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum
}

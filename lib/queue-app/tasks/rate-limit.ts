import { DAY_MS } from '../../time/units.ts'

/** How many attempts of a task start in some time, over all processes. */
export interface RateLimit {
  /** Attempts that may start in each window, 1 to 1,000,000. Retries count. */
  readonly max: number
  /** How long a window is in milliseconds, 1 to 86,400,000. It begins with the first attempt that starts after the one before it. */
  readonly durationMs: number
}

const MAX = 1_000_000
const MAX_DURATION_MS = DAY_MS

/** What is wrong with it, all of it. It may come from anywhere. */
export function rateLimitProblems(rateLimit: unknown): string[] {
  if (rateLimit === undefined) return []
  if (typeof rateLimit !== 'object' || rateLimit === null) return ['rateLimit must be an object']
  const { max, durationMs, ...rest } = rateLimit as { readonly [Option in keyof RateLimit]?: unknown }
  return [
    ...Object.keys(rest).map(name => `rateLimit.${name} is not an option`),
    ...isIntegerTo(max, MAX) ? [] : [`rateLimit.max must be an integer from 1 to ${MAX}`],
    ...isIntegerTo(durationMs, MAX_DURATION_MS) ? [] : [`rateLimit.durationMs must be an integer from 1 to ${MAX_DURATION_MS}`]
  ]
}

function isIntegerTo(value: unknown, maximum: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum
}

import type { Task } from '../../../../schemas/index.ts'
import { formatInterval } from '../time/duration.ts'
import { formatCount, plural } from '../stats/number.ts'

type Backoff = Task['backoff']
type RateLimit = NonNullable<Task['rate_limit']>

/** Short enough for a cell. */
export function backoffWords(backoff: Backoff): string {
  return grows(backoff)
    ? `${formatInterval(backoff.delay_ms)} to ${formatInterval(backoff.max_delay_ms)}`
    : formatInterval(backoff.delay_ms)
}

export function backoffTitle(backoff: Backoff): string {
  const wait = formatInterval(backoff.delay_ms)
  const words = grows(backoff)
    ? `${wait} before the second attempt, twice as long after each failure, at most ${formatInterval(backoff.max_delay_ms)}`
    : `${wait} before each further attempt`
  return backoff.jitter === 0 ? words : `${words}; up to ${formatCount(Math.round(backoff.jitter * 100))} % less, by chance`
}

export function rateLimitWords({ max, duration_ms: ms }: RateLimit): string {
  return `${formatCount(max)} per ${formatInterval(ms)}`
}

export function rateLimitTitle({ max, duration_ms: ms }: RateLimit): string {
  return `Rate limit: at most ${plural(max, 'attempt')} ${max === 1 ? 'starts' : 'start'} in ${formatInterval(ms)}, over all ` +
    'processes. Due executions wait.'
}

function grows({ type, delay_ms: first, max_delay_ms: longest }: Backoff): boolean {
  return type === 'exponential' && longest > first
}

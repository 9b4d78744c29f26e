import type { Task } from '../../../../schemas/index.ts'
import { formatInterval } from '../time/duration.ts'
import { taskTexts } from '../../texts/tasks.ts'

type Backoff = NonNullable<Task['backoff']>
type RateLimit = NonNullable<Task['rate_limit']>

/** Short enough for a cell. */
export function backoffWords(backoff: Backoff): string {
  return grows(backoff)
    ? taskTexts.delayTo(formatInterval(backoff.delay_ms), formatInterval(backoff.max_delay_ms))
    : formatInterval(backoff.delay_ms)
}

export function backoffTitle(backoff: Backoff): string {
  const wait = formatInterval(backoff.delay_ms)
  const words = grows(backoff)
    ? taskTexts.delayGrows(wait, formatInterval(backoff.max_delay_ms))
    : taskTexts.delayStays(wait)
  return backoff.jitter === 0 ? words : taskTexts.lessByChance(words, Math.round(backoff.jitter * 100))
}

export function rateLimitWords({ max, duration_ms: ms }: RateLimit): string {
  return taskTexts.rateLimit(max, formatInterval(ms))
}

export function rateLimitTitle({ max, duration_ms: ms }: RateLimit): string {
  return taskTexts.rateLimitTitle(max, formatInterval(ms))
}

function grows({ type, delay_ms: first, max_delay_ms: longest }: Backoff): boolean {
  return type === 'exponential' && longest > first
}

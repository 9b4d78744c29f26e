import { MAX_LIVE_CONCURRENCY, MAX_RATE, MAX_RATE_WINDOW_MS } from '../../../../schemas/limits.ts'
import type { Queue, QueueLimitsInput } from '../../../../schemas/index.ts'

/** The fields as typed; empty means no limit. */
export interface LimitsDraft { readonly concurrency: string; readonly max: string; readonly seconds: string }

type Limits = Required<Pick<QueueLimitsInput, 'concurrency' | 'rate'>>

/** The window of a limit in the code cannot be changed. */
export function limitsDraftOf({ limits, rate_limit: inCode }: Queue): LimitsDraft {
  const windowMs = inCode?.duration_ms ?? limits?.rate?.duration_ms
  return {
    concurrency: String(limits?.concurrency ?? ''), max: String(limits?.rate?.max ?? ''),
    seconds: windowMs === undefined ? '' : String(windowMs / 1_000)
  }
}

/** The limits in the form; null if they make no sense. A window without a number of starts is not a limit. */
export function limitsFromDraft({ concurrency, max, seconds }: LimitsDraft): Limits | null {
  if (!isFine(concurrency, MAX_LIVE_CONCURRENCY) || !isFine(max, MAX_RATE)) return null
  const limit = concurrency.trim() === '' ? null : Number(concurrency)
  if (max.trim() === '') return { concurrency: limit, rate: null }
  // With three digits after it, a comma may separate thousands.
  const decimal = seconds.trim().replace(/,(?=\d{1,2}$)/, '.')
  const durationMs = /^\d+(\.\d{1,3})?$/.test(decimal) ? Math.round(Number(decimal) * 1_000) : 0
  if (durationMs < 1 || durationMs > MAX_RATE_WINDOW_MS) return null
  return { concurrency: limit, rate: { max: Number(max), duration_ms: durationMs } }
}

/**
 * Only the limits that differ from those that the dialog showed when it opened, because someone may have changed the rest since.
 * @returns null if nothing differs
 */
export function changedLimits(limits: Limits, queue: Queue): Partial<Limits> | null {
  const { concurrency = null, rate = null } = queue.limits ?? {}
  const shown = rate && { max: rate.max, duration_ms: queue.rate_limit?.duration_ms ?? rate.duration_ms }
  const changed = {
    ...limits.concurrency !== concurrency && { concurrency: limits.concurrency },
    ...!isSameRate(limits.rate, shown) && { rate: limits.rate }
  }
  if (Object.keys(changed).length > 0) return changed
  // A deploy changed the window of the code: the draft sets the rate again with this window.
  return isSameRate(limits.rate, rate) ? null : { rate: limits.rate }
}

function isSameRate(one: Limits['rate'], other: Limits['rate']): boolean {
  return one?.max === other?.max && one?.duration_ms === other?.duration_ms
}

function isFine(text: string, most: number): boolean {
  return text.trim() === '' || /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most
}

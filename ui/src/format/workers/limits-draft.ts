import { MAX_LIVE_CONCURRENCY } from '../../../../schemas/limits.ts'
import type { Queue, QueueLimitsInput } from '../../../../schemas/index.ts'

/** As typed; empty for no limit. */
export interface LimitsDraft { readonly concurrency: string; readonly max: string; readonly seconds: string }

type Limits = Required<Pick<QueueLimitsInput, 'concurrency' | 'rate'>>

const MAX_STARTS = 1_000_000
const MAX_SECONDS = 86_400

/** The window of a limit in the code cannot be changed. */
export function limitsDraftOf({ limits, rate_limit: inCode }: Queue): LimitsDraft {
  const windowMs = inCode?.duration_ms ?? limits?.rate?.duration_ms
  return {
    concurrency: String(limits?.concurrency ?? ''), max: String(limits?.rate?.max ?? ''),
    seconds: windowMs === undefined ? '' : String(windowMs / 1_000)
  }
}

/** The limits that it asks for; null if it is no sense. A window without a number of starts is no limit. */
export function limitsFromDraft({ concurrency, max, seconds }: LimitsDraft): Limits | null {
  if (!isFine(concurrency, MAX_LIVE_CONCURRENCY) || !isFine(max, MAX_STARTS)) return null
  const limit = concurrency.trim() === '' ? null : Number(concurrency)
  if (max.trim() === '') return { concurrency: limit, rate: null }
  const durationMs = /^\d+(\.\d{1,3})?$/.test(seconds.trim()) ? Math.round(Number(seconds) * 1_000) : 0
  if (durationMs < 1 || durationMs > MAX_SECONDS * 1_000) return null
  return { concurrency: limit, rate: { max: Number(max), duration_ms: durationMs } }
}

export function isSameLimits(limits: Limits, queue: Queue): boolean {
  const { concurrency = null, rate = null } = queue.limits ?? {}
  return limits.concurrency === concurrency && limits.rate?.max === rate?.max && limits.rate?.duration_ms === rate?.duration_ms
}

function isFine(text: string, most: number): boolean {
  return text.trim() === '' || /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most
}

import { numberOrNull, textOrNull } from '../../json/foreign-json.ts'

/**
 * Limits that someone set on a queue while it runs, across the workers of all processes. Who did it, when and why are null if unknown:
 * other code does not store them. They describe the last change of either limit. `since`: milliseconds by the broker's clock.
 */
export interface QueueLimits {
  /** Executions that run at once, over all workers; null for no such limit. */
  readonly concurrency: number | null
  /** Attempts that start per window, over all workers; null for no such limit. */
  readonly rate: QueueRate | null
  readonly since: number | null
  readonly by: string | null
  readonly reason: string | null
}

export interface QueueRate { readonly max: number; readonly durationMs: number }

/** What to change: null lifts a limit, and an absent limit stays. */
export interface LimitsRequest {
  readonly concurrency?: number | null
  readonly rate?: QueueRate | null
  readonly by: string | null
  readonly reason: string | null
}

/** BullMQ's own fields. Workers of every version obey them. */
export interface StoredLimits { readonly concurrency: string | null; readonly max: string | null; readonly duration: string | null }

/**
 * The limits that BullMQ's fields set. The facts in `known` are only used if they describe the same limits.
 * @param known JSON that `limitQueue` stored
 * @returns null if there are none
 */
export function limitsFrom(stored: StoredLimits, known: string | null): QueueLimits | null {
  const concurrency = toWhole(stored.concurrency)
  const max = toWhole(stored.max)
  const durationMs = toWhole(stored.duration)
  const rate = max === null || durationMs === null ? null : { max, durationMs }
  if (concurrency === null && rate === null) return null
  const limits = { concurrency, rate }
  return { ...limits, ...storyOf(known, limits) }
}

type Story = Pick<QueueLimits, 'since' | 'by' | 'reason'>

const UNKNOWN: Story = { since: null, by: null, reason: null }

function storyOf(known: string | null, limits: Pick<QueueLimits, 'concurrency' | 'rate'>): Story {
  if (known === null) return UNKNOWN
  try {
    const { concurrency, max, duration, since, by, reason } = JSON.parse(known) as Record<string, unknown>
    const isSame = concurrency === limits.concurrency && max === (limits.rate?.max ?? null) &&
      duration === (limits.rate?.durationMs ?? null)
    if (!isSame) return UNKNOWN
    return { since: numberOrNull(since), by: textOrNull(by), reason: textOrNull(reason) }
  } catch {
    return UNKNOWN
  }
}

function toWhole(text: string | null): number | null {
  const value = text === null ? NaN : Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : null
}

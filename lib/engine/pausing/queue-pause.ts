import { numberOrNull, textOrNull } from '../../json/foreign-json.ts'

/** Who paused a queue, when and why, as far as known: other code does not store it. Times: milliseconds by the broker's clock. */
export interface QueuePause {
  readonly since: number | null
  readonly by: string | null
  readonly reason: string | null
  /** When the queue resumes by itself; null for never. */
  readonly until: number | null
}

export type PauseRequest = Pick<QueuePause, 'by' | 'reason' | 'until'>

/** A queue that other code paused, with plain BullMQ. */
export const UNKNOWN_PAUSE: QueuePause = { since: null, by: null, reason: null, until: null }

/** What `pauseQueue` stored. Unreadable text is treated like other code's pause. */
export function pauseFromJson(json: string | null | undefined): QueuePause {
  if (json === null || json === undefined) return UNKNOWN_PAUSE
  try {
    const { since, by, reason, until } = JSON.parse(json) as Record<keyof QueuePause, unknown>
    return { since: numberOrNull(since), by: textOrNull(by), reason: textOrNull(reason), until: numberOrNull(until) }
  } catch {
    return UNKNOWN_PAUSE
  }
}

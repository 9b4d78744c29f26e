import type { TIMELINE_EVENTS } from '../../../../schemas/execution.ts'
import type { ExecutionDetail } from '../../../execution.ts'

interface TimelineEntry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly event: (typeof TIMELINE_EVENTS)[number]
  readonly attempt: number | null
}

/** The known events of an execution, in time order. */
export function timelineOf(execution: ExecutionDetail): TimelineEntry[] {
  const { submittedAt, startedAt, finishedAt, waitMs, status, attempt, losses = [], cancellation } = execution
  const entries: TimelineEntry[] = [{ at: submittedAt, event: 'submitted', attempt: null }]
  const firstStart = [losses[0], execution.attempts[0]].find(first => first?.attempt === 1)?.startedAt ?? startedAt
  if (firstStart !== null && waitMs !== null && firstStart - waitMs > submittedAt)
    entries.push({ at: firstStart - waitMs, event: 'due', attempt: null })
  const starts = new Map<number, number>()
  for (const ended of execution.attempts) {
    if (ended.startedAt !== null) starts.set(ended.attempt, ended.startedAt)
    const final = finishedAt !== null && ended.attempt === attempt
    if (ended.finishedAt !== null && ended.error && !final)
      entries.push({ at: ended.finishedAt, event: 'attempt_failed', attempt: ended.attempt })
  }
  if (startedAt !== null && attempt > 0 && !starts.has(attempt)) starts.set(attempt, startedAt)
  for (const [number, at] of starts) entries.push({ at, event: 'started', attempt: number })
  for (const loss of losses) {
    entries.push({ at: loss.startedAt, event: 'started', attempt: loss.attempt }, {
      at: loss.endedAt, event: loss.isHandedBack ? 'handed_back' : 'lost', attempt: loss.attempt
    })
  }
  if (cancellation !== undefined && (finishedAt === null || cancellation.requestedAt < finishedAt))
    entries.push({ at: cancellation.requestedAt, event: 'cancel_requested', attempt: null })
  if (finishedAt !== null) {
    const event = status === 'success' ? 'succeeded' : status === 'cancelled' ? 'cancelled' : 'failed'
    entries.push({ at: finishedAt, event, attempt: attempt === 0 ? null : attempt })
  }
  return entries.sort((a, b) => a.at - b.at)
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { SchedulePreview } from '../../../../schemas/index.ts'
import { ApiError } from '../../api/request.ts'
import { previewQuery } from '../../api/schedules.ts'
import { currentTime } from '../../format/time/clock.ts'
import type { DraftProblems, ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { instantOfInput } from '../../format/time/time.ts'
import { useSlowly } from '../../hooks/use-slowly.ts'

const DELAY_MS = 300
export const MAX_PREVIEWED = 5
const TIMING_FIELDS = ['timing', 'cron', 'everySeconds', 'timezone', 'startAt'] as const satisfies ReadonlyArray<keyof ScheduleDraft>

export interface TimingPreviewState {
  /** False while nothing is typed that could be previewed. */
  readonly isAskable: boolean
  readonly preview: SchedulePreview | undefined
  /** The preview belongs to an earlier text. */
  readonly isStale: boolean
  /** The server has not responded to the current text yet. */
  readonly isChecking: boolean
  /** Why there is no preview. */
  readonly failure: string | null
  /** What the server refuses in the draft. It stays until another text is accepted, so that nothing flickers. */
  readonly refused: DraftProblems
}

/**
 * Asks the server when the schedule that is being typed would run, once the typing pauses.
 * @param anchor RFC 3339: the time from which its intervals count; null means now
 */
export function useTimingPreview(draft: ScheduleDraft, anchor: string | null = null): TimingPreviewState {
  const slow = useSlowly(draft, DELAY_MS)
  const { timing, cron, everySeconds, timezone, startAt } = slow
  const question = timing === 'cron' ? { cron: cron.trim(), timezone } : { intervalMs: Math.round(Number(everySeconds) * 1000), timezone }
  const isAskable = timing === 'cron' ? cron.trim() !== '' : Number(everySeconds) >= 1
  const start = startAt === '' ? null : instantOfInput(startAt)
  const { data, error, isPlaceholderData, isPending } = useQuery({
    ...previewQuery(
      question, MAX_PREVIEWED, start !== null && Date.parse(start) > currentTime() ? timing === 'cron' ? justBefore(start) : start : anchor
    ),
    enabled: isAskable, placeholderData: keepPreviousData
  })
  const refused = useRef<DraftProblems>({})
  if (!isAskable || data && !isPlaceholderData) refused.current = {}
  else if (error) refused.current = refusalOf(error, timing)
  return {
    isAskable, preview: data, isStale: isPlaceholderData,
    isChecking: isPlaceholderData || isPending || TIMING_FIELDS.some(field => draft[field] !== slow[field]),
    failure: error && messageOf(error),
    // The other kind of timing has not been requested yet.
    refused: draft.timing === timing ? refused.current : {}
  }
}

/** What the server refuses. An outage is not a refusal. */
function refusalOf(error: Error, timing: ScheduleDraft['timing']): DraftProblems {
  if (!(error instanceof ApiError) || error.status !== 400) return {}
  return { [timing === 'cron' ? 'cron' : 'everySeconds']: messageOf(error) }
}

function messageOf(error: Error): string {
  return (error instanceof ApiError ? error.fields[0]?.message : undefined) ?? error.message
}

/** A start time so early that a run at the first instant counts as well. */
function justBefore(instant: string): string {
  return new Date(Date.parse(instant) - 1).toISOString()
}

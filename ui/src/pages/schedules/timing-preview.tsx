import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewQuery } from '../../api/schedules.ts'
import { RunList } from '../../components/executions/run-list.tsx'
import { SkeletonRows } from '../../components/frame/states.tsx'
import { currentTime } from '../../format/time/clock.ts'
import type { ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { instantOfInput } from '../../format/time/time.ts'
import { useSlowly } from '../../hooks/use-slowly.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

const DELAY_MS = 300
const RUNS_SHOWN = 5

interface Props {
  readonly draft: ScheduleDraft
  /** RFC 3339: where its intervals count from; null is now. */
  readonly anchor?: string | null
}

/** When the schedule that is being typed would run. */
export function TimingPreview({ draft, anchor = null }: Props) {
  const { timing, cron, everySeconds, timezone, startAt, endAt, jitterSeconds } = useSlowly(draft, DELAY_MS)
  const question = timing === 'cron' ? { cron: cron.trim(), timezone } : { intervalMs: Math.round(Number(everySeconds) * 1000), timezone }
  const isAskable = timing === 'cron' ? cron.trim() !== '' : Number(everySeconds) >= 1
  const start = startAt === '' ? null : instantOfInput(startAt)
  const { data, error, isPlaceholderData } = useQuery({
    ...previewQuery(
      question, RUNS_SHOWN, start !== null && Date.parse(start) > currentTime() ? timing === 'cron' ? justBefore(start) : start : anchor
    ),
    enabled: isAskable, placeholderData: keepPreviousData
  })
  if (!isAskable) return <p className="muted">{scheduleTexts.noTimingYet}</p>
  if (error)
    return <p className="tone-bad" role="status">
      {'fields' in error && Array.isArray(error.fields) && error.fields[0]
        ? (error.fields[0] as { message: string }).message
        : error.message}
    </p>
  if (!data) return <SkeletonRows count={RUNS_SHOWN} label={scheduleTexts.loadingNextRuns} />
  return (
    <div className={isPlaceholderData ? 'is-stale' : undefined}>
      <p><b>{data.description}</b></p>
      <RunList preview={data} endAt={endAt === '' ? null : instantOfInput(endAt)} jitterMs={Number(jitterSeconds) * 1000 || 0} />
    </div>
  )
}

/** The first instant counts as well. */
function justBefore(instant: string): string {
  return new Date(Date.parse(instant) - 1).toISOString()
}

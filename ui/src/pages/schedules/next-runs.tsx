import { useQuery } from '@tanstack/react-query'
import type { Schedule } from '../../../../schemas/index.ts'
import { previewQuery, type Timing } from '../../api/schedules.ts'
import { Moment } from '../../components/elements/moment.tsx'
import { RunList } from '../../components/executions/run-list.tsx'
import { Failed, SkeletonRows } from '../../components/frame/states.tsx'
import { currentTime } from '../../format/time/clock.ts'
import { anchorOf } from '../../format/schedules/schedule-timing.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

/** The next runs of a schedule, as the server computes them. */
export function NextRuns({ schedule, count }: { schedule: Schedule; count: number }) {
  const timing: Timing = schedule.cron !== null
    ? { cron: schedule.cron, timezone: schedule.timezone }
    : { intervalMs: schedule.interval_ms ?? 0, timezone: schedule.timezone }
  const { data, failure } = useSettled(useQuery(previewQuery(timing, count, anchorOf(schedule))))
  if (schedule.end_at !== null && Date.parse(schedule.end_at) < currentTime())
    return <p className="muted">{scheduleTexts.noneEnded(<Moment at={schedule.end_at} as="both" />)}</p>
  if (data) return <RunList preview={data} endAt={schedule.end_at} jitterMs={schedule.jitter_ms} />
  return failure
    ? <Failed what={scheduleTexts.theNextRuns} failure={failure} isBrief />
    : <SkeletonRows count={count} label={scheduleTexts.loadingNextRuns} />
}

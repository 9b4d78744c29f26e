import type { Schedule } from '../../../../schemas/index.ts'
import { formatInterval } from '../../format/time/duration.ts'
import { formatRate } from '../../format/stats/number.ts'
import { statusWord } from '../../format/executions/status.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { Countdown, Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Switch } from '../elements/switch.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'
import { taskTexts } from '../../texts/tasks.ts'

/** Null if it is not allowed. Then the column shows a word instead. */
export type ChangeEnabled = ((schedule: Schedule, isEnabled: boolean) => void) | null

export function EnabledCell({ schedule, onChange, isBusy }: { schedule: Schedule; onChange: ChangeEnabled; isBusy: boolean }) {
  const { on, off } = scheduleTexts
  if (!onChange) return <StatusMark mark={schedule.enabled ? 'success' : 'off'} word={schedule.enabled ? on : off} />
  return <Switch
    isOn={schedule.enabled} isBusy={isBusy} label={scheduleTexts.switch(scheduleTitle(schedule))}
    onChange={isOn => onChange(schedule, isOn)}
  />
}

export function Timing({ schedule }: { schedule: Schedule }) {
  if (schedule.cron === null) return <>{scheduleTexts.intervalOf(formatInterval(schedule.interval_ms ?? 0))}</>
  return <><code><bdi>{schedule.cron}</bdi></code> · <bdi>{schedule.timezone}</bdi></>
}

export function NextRun({ schedule }: { schedule: Schedule }) {
  if (!schedule.enabled) return <span className="muted" title={scheduleTexts.disabledTitle}>{scheduleTexts.disabled}</span>
  if (!schedule.next_run_at) return <Unknown reason={scheduleTexts.notPlannedYet} />
  return <><span><Countdown at={schedule.next_run_at} /></span><span className="muted"><Moment at={schedule.next_run_at} /></span></>
}

export function LastRun({ schedule }: { schedule: Schedule }) {
  if (!schedule.last_run_at) return <span className="muted">{scheduleTexts.never}</span>
  const word = schedule.last_status ? statusWord(schedule.last_status) : scheduleTexts.outcomeUnknown
  return <><StatusMark mark={schedule.last_status ?? 'unknown'} word={word} isQuiet /> <Moment at={schedule.last_run_at} as="relative" /></>
}

export function SuccessRate({ schedule }: { schedule: Schedule }) {
  const { success, failed } = schedule.stats
  // In the response to a change while the history cannot be read.
  if (success === null || failed === null) return <Unknown reason={scheduleTexts.countsUnknown} />
  const finished = success + failed
  if (finished === 0) return <Unknown reason={scheduleTexts.noRunFinished} />
  const rate = (success / finished) * 100
  return <span className={rate < 95 ? 'tone-bad' : undefined} title={taskTexts.succeededAndFailed(success, failed)}>
    {formatRate(rate)}
  </span>
}

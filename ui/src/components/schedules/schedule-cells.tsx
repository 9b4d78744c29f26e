import type { Schedule } from '../../../../schemas/index.ts'
import { formatInterval } from '../../format/time/duration.ts'
import { formatCount, formatRate } from '../../format/stats/number.ts'
import { scheduleTitle } from '../../format/executions/status.ts'
import { Countdown, Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Switch } from '../elements/switch.tsx'
import { Unknown } from '../elements/unknown.tsx'

/** null: not allowed, and the column shows a word instead. */
export type ChangeEnabled = ((schedule: Schedule, isEnabled: boolean) => void) | null

export function EnabledCell({ schedule, onChange, isBusy }: { schedule: Schedule; onChange: ChangeEnabled; isBusy: boolean }) {
  if (!onChange) return <StatusMark mark={schedule.enabled ? 'success' : 'off'} word={schedule.enabled ? 'On' : 'Off'} />
  return <Switch
    isOn={schedule.enabled} isBusy={isBusy} label={`${scheduleTitle(schedule)} enabled`} onChange={isOn => onChange(schedule, isOn)}
  />
}

export function Timing({ schedule }: { schedule: Schedule }) {
  if (schedule.cron === null) return <>interval of {formatInterval(schedule.interval_ms ?? 0)}</>
  return <><code>{schedule.cron}</code> · {schedule.timezone}</>
}

export function NextRun({ schedule }: { schedule: Schedule }) {
  if (!schedule.enabled) return <span className="muted" title="A disabled schedule has no next run">disabled</span>
  if (!schedule.next_run_at) return <Unknown reason="The server has not planned it yet" />
  return <><span><Countdown at={schedule.next_run_at} /></span><span className="muted"><Moment at={schedule.next_run_at} /></span></>
}

export function LastRun({ schedule }: { schedule: Schedule }) {
  if (!schedule.last_run_at) return <span className="muted">never</span>
  const word = schedule.last_status ? { running: 'Running', success: 'Success', failed: 'Failed' }[schedule.last_status] : 'Outcome unknown'
  return <><StatusMark mark={schedule.last_status ?? 'unknown'} word={word} isQuiet /> <Moment at={schedule.last_run_at} as="relative" /></>
}

/** In the answer to a change while the history cannot be read. */
export const COUNTS_UNKNOWN = 'The result backend is out of reach'

export function SuccessRate({ schedule }: { schedule: Schedule }) {
  const { success, failed } = schedule.stats
  if (success === null || failed === null) return <Unknown reason={COUNTS_UNKNOWN} />
  const finished = success + failed
  if (finished === 0) return <Unknown reason="No run has finished yet" />
  const rate = (success / finished) * 100
  return <span className={rate < 95 ? 'tone-bad' : undefined} title={`${formatCount(success)} succeeded, ${formatCount(failed)} failed`}>
    {formatRate(rate)}
  </span>
}

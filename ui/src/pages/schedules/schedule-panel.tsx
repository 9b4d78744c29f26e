import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { doubtOf, letBe } from '../../api/intentions.ts'
import { mountUrl } from '../../api/mount-url.ts'
import { previewQuery, runIntention, runSchedule, scheduleQuery, type Timing } from '../../api/schedules.ts'
import { JsonView } from '../../components/elements/json-view.tsx'
import { Moment } from '../../components/elements/moment.tsx'
import { RunList } from '../../components/executions/run-list.tsx'
import { RunNow } from '../../components/schedules/run-now.tsx'
import { ScheduleAlerts } from '../../components/schedules/schedule-alerts.tsx'
import { ScheduleDrift } from '../../components/schedules/schedule-drift.tsx'
import { ScheduleDetails, ScheduleRuns } from '../../components/schedules/schedule-facts.tsx'
import { Timing as TimingText } from '../../components/schedules/schedule-cells.tsx'
import { SidePanel } from '../../components/frame/side-panel.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { withParameters } from '../../format/places/address.ts'
import { currentTime } from '../../format/time/clock.ts'
import { plural } from '../../format/stats/number.ts'
import { anchorOf } from '../../format/time/schedule-timing.ts'
import { capitalized, scheduleTitle } from '../../format/executions/status.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-pause.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { EditScheduleDialog } from './edit-schedule-dialog.tsx'
import { scheduleExecutionHref, ScheduleHistory } from './schedule-history.tsx'
import type { Allowed } from '../use-allowed.ts'

interface Props {
  readonly scheduleId: string
  readonly allowed: Allowed
  readonly onClose: () => void
  readonly onDelete: (schedule: Schedule) => void
}

const RUNS_SHOWN = 10

export function SchedulePanel({ scheduleId, allowed, onClose, onDelete }: Props) {
  const address = useAddress()
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...scheduleQuery(scheduleId), ...usePolling(4_000) }))
  return (
    <>
      <SidePanel
        label="Schedule" onClose={onClose} title={data ? <bdi>{scheduleTitle(data)}</bdi> : 'Schedule'}
        actions={data && <>
          {allowed.may('schedules:update') && <Link href={address.href({ edit: '1' })} className="button button-small">Edit…</Link>}
          {allowed.may('schedules:delete') &&
            <button type="button" className="button button-small" onClick={() => onDelete(data)}>Delete…</button>}
        </>}
      >
        {data
          ? <Definition schedule={data} allowed={allowed} stale={<Stale failure={failure} updatedAt={updatedAt} />} />
          : failure
            ? <><Failed what="This schedule" failure={failure} onRetry={retry} /><p className="muted wrap">{scheduleId}</p></>
            : <SkeletonRows count={8} label="Loading the schedule" />}
      </SidePanel>
      {data && address.get('edit') && allowed.may('schedules:update') &&
        <EditScheduleDialog schedule={data} onClose={() => address.go({ edit: null })} />}
    </>
  )
}

function Definition({ schedule, allowed, stale }: { schedule: Schedule; allowed: Allowed; stale: ReactNode }) {
  return (
    <>
      <p className="panel-lead">
        <StatusMark mark={schedule.enabled ? 'success' : 'off'} word={schedule.enabled ? 'Enabled' : 'Disabled'} />
        <bdi>{capitalized(schedule.human)}</bdi>
        <span className="muted"><TimingText schedule={schedule} /></span>
        {schedule.drift && <span className="tag tag-warn">edited</span>}
        {stale}
      </p>
      <ScheduleAlerts schedule={schedule} />
      {allowed.note && <p className="muted">{allowed.note}.</p>}
      {allowed.may('schedules:run') && <Run schedule={schedule} />}
      <ScheduleRuns schedule={schedule} />
      {schedule.drift &&
        <section className="part">
          <h3>Drift <span className="tone-warn">{plural(schedule.drift.fields.length, 'field')}</span></h3><ScheduleDrift
            schedule={schedule} drift={schedule.drift} base={allowed.may('schedules:update') ? mountUrl.href : null}
          />
        </section>}
      <section className="part">
        <h3>
          Next {RUNS_SHOWN} runs <span className="muted">{schedule.enabled ? `in ${schedule.timezone}` : 'if it were enabled now'}</span>
        </h3><NextRuns schedule={schedule} />
      </section>
      <section className="part">
        <h3>
          History <Link href={`/executions${withParameters('', { schedule: schedule.schedule_id })}`} className="quiet-link">
            All its executions
          </Link>
        </h3><ScheduleHistory scheduleId={schedule.schedule_id} />
      </section>
      <section className="part">
        <h3>Arguments</h3>{schedule.args.length === 0
          ? <p className="muted">None.</p>
          : <JsonView value={schedule.args} label="Arguments" />}
      </section>
      <ScheduleDetails schedule={schedule} />
    </>
  )
}

function Run({ schedule }: { schedule: Schedule }) {
  const { mutate, reset, isPending, data, error } = useMutation(runSchedule)
  const name = runIntention(schedule.schedule_id)
  // It outlives the panel: whoever opens it again is told.
  const doubt = isPending ? null : doubtOf(name)
  return (
    <RunNow
      schedule={schedule} isBusy={isPending} executionId={data?.execution_id ?? null} refusal={doubt === null
        ? error?.message ?? null
        : null} doubt={doubt}
      href={id => scheduleExecutionHref(schedule.schedule_id, id)} onRun={() => mutate(schedule.schedule_id)}
      onLetBe={() => {
        letBe(name)
        reset()
      }}
    />
  )
}

function NextRuns({ schedule }: { schedule: Schedule }) {
  const timing: Timing = schedule.cron !== null
    ? { cron: schedule.cron, timezone: schedule.timezone }
    : { intervalMs: schedule.interval_ms ?? 0, timezone: schedule.timezone }
  const { data, failure } = useSettled(useQuery(previewQuery(timing, RUNS_SHOWN, anchorOf(schedule))))
  if (schedule.end_at !== null && Date.parse(schedule.end_at) < currentTime())
    return <p className="muted">None: it ended <Moment at={schedule.end_at} as="both" />.</p>
  if (data) return <RunList preview={data} endAt={schedule.end_at} jitterMs={schedule.jitter_ms} />
  return failure
    ? <Failed what="The next runs" failure={failure} isBrief />
    : <SkeletonRows count={RUNS_SHOWN} label="Loading the next runs" />
}

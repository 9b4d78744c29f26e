import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../schemas/index.ts'
import { executionHeadQuery } from '../api/executions.ts'
import { previewQuery, scheduleQuery, type Timing } from '../api/schedules.ts'
import { JsonView } from '../components/json-view.tsx'
import { Moment } from '../components/moment.tsx'
import { RecentRuns } from '../components/recent-runs.tsx'
import { RunList } from '../components/run-list.tsx'
import { LastRun, NextRun, SuccessRate, Timing as TimingText } from '../components/schedule-table.tsx'
import { SidePanel } from '../components/side-panel.tsx'
import { Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { Unknown } from '../components/unknown.tsx'
import { withParameters } from '../format/address.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCount } from '../format/number.ts'
import { capitalized, scheduleTitle } from '../format/status.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled } from '../hooks/use-settled.ts'

interface Props {
  readonly scheduleId: string
  readonly onClose: () => void
  readonly onDelete: ((schedule: Schedule) => void) | null
}

const RUNS_SHOWN = 10

export function SchedulePanel({ scheduleId, onClose, onDelete }: Props) {
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...scheduleQuery(scheduleId), ...usePolling(4_000) }))
  return (
    <SidePanel
      label="Schedule" onClose={onClose} title={data ? <bdi>{scheduleTitle(data)}</bdi> : 'Schedule'}
      actions={data && onDelete && <button type="button" className="button button-small" onClick={() => onDelete(data)}>Delete…</button>}
    >
      {data
        ? <Definition schedule={data} stale={<Stale failure={failure} updatedAt={updatedAt} />} />
        : failure
          ? <><Failed what="This schedule" failure={failure} onRetry={retry} /><p className="muted wrap">{scheduleId}</p></>
          : <SkeletonRows count={8} label="Loading the schedule" />}
    </SidePanel>
  )
}

function Definition({ schedule, stale }: { schedule: Schedule; stale: ReactNode }) {
  return (
    <>
      <p className="panel-lead">
        <StatusMark mark={schedule.enabled ? 'success' : 'off'} word={schedule.enabled ? 'Enabled' : 'Disabled'} />
        <bdi>{capitalized(schedule.human)}</bdi>
        <span className="muted"><TimingText schedule={schedule} /></span>
        {stale}
      </p>
      <section className="part"><h3>Runs</h3>
        <dl className="facts">
          <div><dt>Next run</dt><dd className="spaced"><NextRun schedule={schedule} /></dd></div>
          <div><dt>Last run</dt><dd><LastRun schedule={schedule} /></dd></div>
          <div><dt>Runs</dt><dd>{formatCount(schedule.stats.runs)}, <SuccessRate schedule={schedule} /> succeeded</dd></div>
          <div><dt>Missed</dt><dd className={schedule.stats.missed > 0 ? 'tone-warn' : undefined}>{formatCount(schedule.stats.missed)}</dd></div>
          <div><dt>Average</dt><dd>{schedule.stats.avg_duration_ms === null ? <Unknown reason="No run has finished yet" /> : formatDuration(schedule.stats.avg_duration_ms)}</dd></div>
        </dl>
      </section>
      <section className="part"><h3>Next {RUNS_SHOWN} runs <span className="muted">{schedule.enabled ? `in ${schedule.timezone}` : 'if it were enabled now'}</span></h3><NextRuns schedule={schedule} /></section>
      <section className="part"><h3>History <Link href={`/tasks${withParameters('', { schedule: schedule.schedule_id })}`} className="quiet-link">All its executions</Link></h3><History scheduleId={schedule.schedule_id} /></section>
      <section className="part"><h3>Arguments</h3>{schedule.args.length === 0 ? <p className="muted">None.</p> : <JsonView value={schedule.args} label="Arguments" />}</section>
      <section className="part"><h3>Details</h3>
        <dl className="facts">
          <div><dt>Schedule</dt><dd><code className="wrap">{schedule.schedule_id}</code></dd></div>
          <div><dt>Task</dt><dd><Link href={`/tasks${withParameters('', { task: schedule.task_name })}`} className="wrap"><bdi>{schedule.task_name}</bdi></Link></dd></div>
          <div><dt>Priority</dt><dd>{schedule.priority === 0 ? 'none' : formatCount(schedule.priority)}</dd></div>
          <div><dt>Overlap</dt><dd>{schedule.overlap === 'skip' ? 'a run is left out while the one before it still runs' : 'runs may overlap'}</dd></div>
          <div><dt>Defined in</dt><dd>{schedule.source === 'code' ? 'the code of the queue app' : 'the API'}</dd></div>
          <div><dt>Created</dt><dd><Moment at={schedule.created_at} as="both" /></dd></div>
          <div><dt>Changed</dt><dd><Moment at={schedule.updated_at} as="both" /></dd></div>
        </dl>
      </section>
    </>
  )
}

function NextRuns({ schedule }: { schedule: Schedule }) {
  const timing: Timing = schedule.cron !== null
    ? { cron: schedule.cron, timezone: schedule.timezone }
    : { intervalMs: schedule.interval_ms ?? 0, timezone: schedule.timezone }
  // An interval counts from its own start: asked from one interval before its next run, the preview begins with that run.
  const from = schedule.next_run_at === null
    ? null
    : new Date(Date.parse(schedule.next_run_at) - (schedule.interval_ms ?? 1)).toISOString()
  const { data, failure, retry } = useSettled(useQuery(previewQuery(timing, RUNS_SHOWN, from)))
  if (data) return <RunList preview={data} />
  return failure ? <Failed what="The next runs" failure={failure} onRetry={retry} /> : <SkeletonRows count={RUNS_SHOWN} label="Loading the next runs" />
}

function History({ scheduleId }: { scheduleId: string }) {
  const filter = { status: null, taskName: null, range: null, scheduleId }
  const { data, failure, retry } = useSettled(useQuery({ ...executionHeadQuery(filter, RUNS_SHOWN), ...usePolling(4_000) }))
  if (data) return data.items.length === 0 ? <p className="muted">It has not run yet.</p> : <RecentRuns executions={data.items} href={(id) => `/tasks${withParameters('', { schedule: scheduleId, execution: id })}`} />
  return failure ? <Failed what="The run history" failure={failure} onRetry={retry} /> : <SkeletonRows count={5} label="Loading the run history" />
}

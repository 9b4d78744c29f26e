import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { mountUrl } from '../../api/mount-url.ts'
import { previewQuery, runIntention, runSchedule, scheduleQuery, type Timing } from '../../api/schedules.ts'
import { ReasonField } from '../../components/actions/reason-field.tsx'
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
import { auditHref } from '../../format/audit/audit-filter.ts'
import { withParameters } from '../../format/places/address.ts'
import { currentTime } from '../../format/time/clock.ts'
import { anchorOf } from '../../format/schedules/schedule-timing.ts'
import { capitalized } from '../../format/letter-case.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { useIntention } from '../../hooks/use-intention.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { EditScheduleDialog } from './edit-schedule-dialog.tsx'
import { scheduleExecutionHref, ScheduleHistory } from './schedule-history.tsx'
import { useAllowed, type Allowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'
import { elementTexts } from '../../texts/elements.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly scheduleId: string
  readonly onClose: () => void
  readonly onDelete: (schedule: Schedule) => void
}

const RUNS_SHOWN = 10

export function SchedulePanel({ scheduleId, onClose, onDelete }: Props) {
  const address = useAddress()
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...scheduleQuery(scheduleId), ...usePolling(4_000) }))
  const allowed = useAllowed(data?.task_name)
  return (
    <>
      <SidePanel
        label={scheduleTexts.one} onClose={onClose} title={data ? <bdi>{scheduleTitle(data)}</bdi> : scheduleTexts.one}
        actions={data && <>
          {allowed.may('schedules:update') &&
            <Link href={address.href({ edit: '1' })} className="button button-small">{scheduleTexts.edit}</Link>}
          {allowed.may('schedules:delete') &&
            <button type="button" className="button button-small" onClick={() => onDelete(data)}>{scheduleTexts.deleteDialog}</button>}
        </>}
      >
        {data
          ? <Definition schedule={data} allowed={allowed} stale={<Stale failure={failure} updatedAt={updatedAt} />} />
          : failure
            ? <>
              <Failed what={scheduleTexts.theOne} isOne failure={failure} onRetry={retry} /><p className="muted wrap">{scheduleId}</p>
            </>
            : <SkeletonRows count={8} label={scheduleTexts.loadingOne} />}
      </SidePanel>
      {data && address.get('edit') && allowed.may('schedules:update') &&
        <EditScheduleDialog
          schedule={data} needsReason={allowed.needsReason('schedules:update')} onClose={() => address.go({ edit: null })}
        />}
    </>
  )
}

function Definition({ schedule, allowed, stale }: { schedule: Schedule; allowed: Allowed; stale: ReactNode }) {
  return (
    <>
      <p className="panel-lead">
        <StatusMark mark={schedule.enabled ? 'success' : 'off'} word={schedule.enabled ? elementTexts.enabled : elementTexts.disabled} />
        <bdi>{capitalized(schedule.human)}</bdi>
        <span className="muted"><TimingText schedule={schedule} /></span>
        {schedule.drift && <span className="tag tag-warn">{scheduleTexts.tags.edited}</span>}
        {stale}
      </p>
      <ScheduleAlerts schedule={schedule} />
      {allowed.note && <p className="muted">{allowed.note}.</p>}
      {allowed.may('schedules:run') && <Run schedule={schedule} />}
      <ScheduleRuns schedule={schedule} />
      {schedule.drift &&
        <section className="part">
          <h3>
            {scheduleTexts.drift} <span className="tone-warn">{scheduleTexts.fieldCount(schedule.drift.fields.length)}</span>
          </h3><ScheduleDrift
            schedule={schedule} drift={schedule.drift} base={allowed.may('schedules:update') ? mountUrl.href : null}
            needsReason={allowed.needsReason('schedules:update')}
          />
        </section>}
      <section className="part">
        <h3>
          {scheduleTexts.nextRuns(RUNS_SHOWN)} <span className="muted">
            {schedule.enabled ? scheduleTexts.inZone(schedule.timezone) : scheduleTexts.ifEnabledNow}
          </span>
        </h3><NextRuns schedule={schedule} />
      </section>
      <section className="part">
        <h3>
          {scheduleTexts.history} <Link
            href={`/executions${withParameters('', { schedule: schedule.schedule_id })}`} className="quiet-link"
          >
            {scheduleTexts.allItsExecutions}
          </Link>
        </h3><ScheduleHistory scheduleId={schedule.schedule_id} />
      </section>
      <section className="part">
        <h3>{scheduleTexts.arguments}</h3>{schedule.args.length === 0
          ? <p className="muted">{scheduleTexts.noArguments}</p>
          : <JsonView value={schedule.args} label={scheduleTexts.arguments} />}
      </section>
      <ScheduleDetails
        schedule={schedule} auditHref={allowed.may('audit:view') ? auditHref({ schedule: schedule.schedule_id }) : null}
      />
    </>
  )
}

function Run({ schedule }: { schedule: Schedule }) {
  const { isRequired, field, isReady, reason, clear } = useReason('schedules:run')
  const { isPending, data, error, doubt, send, letBe } = useIntention(
    runSchedule, runIntention, { scheduleId: schedule.schedule_id, reason }
  )
  return (
    <RunNow
      schedule={schedule} isBusy={isPending} executionId={data?.execution_id ?? null}
      refusal={doubt === null ? error?.message ?? null : null} doubt={doubt}
      href={id => scheduleExecutionHref(schedule.schedule_id, id)} onConfirm={() => { send(); clear() }} onLetBe={letBe}
      canConfirm={isReady} reason={isRequired && <ReasonField {...field} />}
    />
  )
}

function NextRuns({ schedule }: { schedule: Schedule }) {
  const timing: Timing = schedule.cron !== null
    ? { cron: schedule.cron, timezone: schedule.timezone }
    : { intervalMs: schedule.interval_ms ?? 0, timezone: schedule.timezone }
  const { data, failure } = useSettled(useQuery(previewQuery(timing, RUNS_SHOWN, anchorOf(schedule))))
  if (schedule.end_at !== null && Date.parse(schedule.end_at) < currentTime())
    return <p className="muted">{scheduleTexts.noneEnded(<Moment at={schedule.end_at} as="both" />)}</p>
  if (data) return <RunList preview={data} endAt={schedule.end_at} jitterMs={schedule.jitter_ms} />
  return failure
    ? <Failed what={scheduleTexts.theNextRuns} failure={failure} isBrief />
    : <SkeletonRows count={RUNS_SHOWN} label={scheduleTexts.loadingNextRuns} />
}

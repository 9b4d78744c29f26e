import type { ReactNode } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { mountUrl } from '../../api/mount-url.ts'
import { JsonView } from '../../components/elements/json-view.tsx'
import { ScheduleAlerts } from '../../components/schedules/schedule-alerts.tsx'
import { ScheduleDrift } from '../../components/schedules/schedule-drift.tsx'
import { ScheduleDetails, ScheduleRuns } from '../../components/schedules/schedule-facts.tsx'
import { Timing as TimingText } from '../../components/schedules/schedule-cells.tsx'
import { PageLink } from '../../components/elements/page-link.tsx'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { auditHref } from '../../format/audit/audit-filter.ts'
import { withParameters } from '../../format/places/address.ts'
import { timingInWords } from '../../format/schedules/timing-in-words.ts'
import { ScheduleHistory } from './schedule-history.tsx'
import { type Allowed } from '../use-allowed.ts'
import { elementTexts } from '../../texts/elements.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { NextRuns } from './next-runs.tsx'
import { RunSchedule } from './run-schedule.tsx'

interface Props {
  readonly schedule: Schedule
  readonly allowed: Allowed
  readonly stale: ReactNode
}

const MAX_RUNS_SHOWN = 10

/** One schedule: its definition, its past runs and its next runs. */
export function ScheduleBody({ schedule, allowed, stale }: Props) {
  return (
    <>
      <p className="panel-lead">
        <StatusMark mark={schedule.enabled ? 'success' : 'off'} word={schedule.enabled ? elementTexts.enabled : elementTexts.disabled} />
        <bdi>{timingInWords(schedule)}</bdi>
        <span className="muted"><TimingText schedule={schedule} /></span>
        {schedule.drift && <span className="tag tag-warn">{scheduleTexts.tags.edited}</span>}
        {stale}
      </p>
      <ScheduleAlerts schedule={schedule} />
      {allowed.note && <p className="muted">{allowed.note}.</p>}
      {allowed.may('schedules:run') && <RunSchedule schedule={schedule} />}
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
          {scheduleTexts.nextRuns(MAX_RUNS_SHOWN)} <span className="muted">
            {schedule.enabled ? scheduleTexts.inZone(schedule.timezone) : scheduleTexts.ifEnabledNow}
          </span>
        </h3><NextRuns schedule={schedule} count={MAX_RUNS_SHOWN} />
      </section>
      <section className="part">
        <h3>
          {scheduleTexts.history} <PageLink
            href={`/executions${withParameters('', { schedule: schedule.schedule_id })}`} className="quiet-link" isWay
          >
            {scheduleTexts.allItsExecutions}
          </PageLink>
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

import { Link } from 'wouter'
import { PageLink } from '../elements/page-link.tsx'
import type { Schedule } from '../../../../schemas/index.ts'
import { withParameters } from '../../format/places/address.ts'
import { formatDuration, formatInterval } from '../../format/time/duration.ts'
import { formatCount } from '../../format/stats/number.ts'
import { Moment } from '../elements/moment.tsx'
import { LastRun, NextRun, SuccessRate } from './schedule-cells.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { errorTexts } from '../../texts/errors.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

/** When a schedule runs next, and how its runs have gone. */
export function ScheduleRuns({ schedule }: { schedule: Schedule }) {
  return (
    <section className="part"><h3>{scheduleTexts.runs}</h3>
      <dl className="facts">
        <div><dt>{scheduleTexts.columns.next}</dt><dd className="spaced"><NextRun schedule={schedule} /></dd></div>
        <div><dt>{scheduleTexts.columns.last}</dt><dd><LastRun schedule={schedule} /></dd></div>
        <div><dt>{scheduleTexts.runs}</dt><dd><Runs schedule={schedule} /></dd></div>
        <div>
          <dt>{scheduleTexts.missed}</dt><dd className={(schedule.stats.missed ?? 0) > 0 ? 'tone-warn' : undefined}>
            <MissedOrLate schedule={schedule} count={schedule.stats.missed} />
          </dd>
        </div>
        <div>
          <dt>{scheduleTexts.late}</dt><dd
            className={(schedule.stats.late ?? 0) > 0 ? 'tone-warn' : undefined} title={scheduleTexts.lateTitle}
          >
            <MissedOrLate schedule={schedule} count={schedule.stats.late} />
          </dd>
        </div>
        <div><dt>{scheduleTexts.average}</dt><dd><AverageDuration schedule={schedule} /></dd></div>
      </dl>
    </section>
  )
}

/**
 * The definition of a schedule.
 * @param auditHref leads to who changed it; null if the reader may not see that
 */
export function ScheduleDetails({ schedule, auditHref }: { schedule: Schedule; auditHref: string | null }) {
  return (
    <section className="part"><h3>{scheduleTexts.details}</h3>
      <dl className="facts">
        <div><dt>{scheduleTexts.one}</dt><dd><code className="wrap">{schedule.schedule_id}</code></dd></div>
        <div>
          <dt>{scheduleTexts.task}</dt><dd>
            <PageLink href={`/tasks${withParameters('', { name: schedule.task_name })}`} className="wrap">
              <bdi>{schedule.task_name}</bdi>
            </PageLink>
          </dd>
        </div>
        <div><dt>{scheduleTexts.priority}</dt><dd>{schedule.priority === 0 ? scheduleTexts.none : formatCount(schedule.priority)}</dd></div>
        <div>
          <dt>{scheduleTexts.overlap}</dt><dd>
            {schedule.overlap === 'skip' ? scheduleTexts.overlapSkip : scheduleTexts.overlapAllow}
          </dd>
        </div>
        <div>
          <dt>{scheduleTexts.catchUp}</dt><dd>
            {schedule.catch_up === 'one' ? scheduleTexts.catchUpOne : scheduleTexts.catchUpNone}
          </dd>
        </div>
        <div>
          <dt>{scheduleTexts.jitter}</dt><dd>
            {schedule.jitter_ms === 0 ? scheduleTexts.none : scheduleTexts.upTo(formatInterval(schedule.jitter_ms))}
          </dd>
        </div>
        {([['starts', schedule.start_at], ['ends', schedule.end_at]] as const).map(([name, at]) =>
          <div key={name}>
            <dt>{scheduleTexts[name]}</dt><dd>{at === null ? scheduleTexts.noBound : <Moment at={at} as="both" />}</dd>
          </div>)}
        <div>
          <dt>{scheduleTexts.definedIn}</dt><dd>
            {schedule.source === 'api'
              ? scheduleTexts.theApi
              : schedule.wins === 'code' ? scheduleTexts.codeWins : scheduleTexts.editsStay}
          </dd>
        </div>
        <div><dt>{scheduleTexts.created}</dt><dd><Moment at={schedule.created_at} as="both" /></dd></div>
        <div><dt>{scheduleTexts.changed}</dt><dd><Moment at={schedule.updated_at} as="both" /></dd></div>
        {auditHref !== null &&
          <div><dt>{auditTexts.link}</dt><dd><Link href={auditHref}>{auditTexts.linkTo}</Link></dd></div>}
        <div><dt>{scheduleTexts.version}</dt><dd><code className="wrap">{schedule.version}</code></dd></div>
      </dl>
    </section>
  )
}

function MissedOrLate({ schedule, count }: { schedule: Schedule; count: number | null }) {
  if (count === null) return <Unknown reason={errorTexts.sayOfPart(schedule.note ?? '')} />
  return <>{formatCount(count)}</>
}

function Runs({ schedule }: { schedule: Schedule }) {
  const { runs } = schedule.stats
  if (runs === null) return <Unknown reason={scheduleTexts.countsUnknown} />
  if (runs === 0) return <span className="muted">{scheduleTexts.noneYetRun}</span>
  return <>{scheduleTexts.runsSucceeded(runs, <SuccessRate schedule={schedule} />)}</>
}

function AverageDuration({ schedule: { stats: { success, failed, avg_duration_ms: average } } }: { schedule: Schedule }) {
  if (average !== null) return <>{formatDuration(average)}</>
  if (success === null || failed === null) return <Unknown reason={scheduleTexts.countsUnknown} />
  return <Unknown reason={success + failed === 0 ? scheduleTexts.noRunFinished : scheduleTexts.noKnownDuration} />
}

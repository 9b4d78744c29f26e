import { Link } from 'wouter'
import type { Schedule } from '../../../../schemas/index.ts'
import { withParameters } from '../../format/places/address.ts'
import { formatDuration, formatInterval } from '../../format/time/duration.ts'
import { formatCount } from '../../format/stats/number.ts'
import { Moment } from '../elements/moment.tsx'
import { COUNTS_UNKNOWN, LastRun, NextRun, SuccessRate } from './schedule-cells.tsx'
import { Unknown } from '../elements/unknown.tsx'

/** When a schedule runs next, and how its runs have gone. */
export function ScheduleRuns({ schedule }: { schedule: Schedule }) {
  return (
    <section className="part"><h3>Runs</h3>
      <dl className="facts">
        <div><dt>Next run</dt><dd className="spaced"><NextRun schedule={schedule} /></dd></div>
        <div><dt>Last run</dt><dd><LastRun schedule={schedule} /></dd></div>
        <div><dt>Runs</dt><dd><Runs schedule={schedule} /></dd></div>
        <div>
          <dt>Missed</dt><dd className={schedule.stats.missed > 0 ? 'tone-warn' : undefined}>{formatCount(schedule.stats.missed)}</dd>
        </div>
        <div>
          <dt>Late</dt><dd
            className={schedule.stats.late > 0 ? 'tone-warn' : undefined} title="Runs that started more than 30 seconds after they were due"
          >
            {formatCount(schedule.stats.late)}
          </dd>
        </div>
        <div><dt>Average</dt><dd><AverageDuration schedule={schedule} /></dd></div>
      </dl>
    </section>
  )
}

/** What it is defined as. */
export function ScheduleDetails({ schedule }: { schedule: Schedule }) {
  return (
    <section className="part"><h3>Details</h3>
      <dl className="facts">
        <div><dt>Schedule</dt><dd><code className="wrap">{schedule.schedule_id}</code></dd></div>
        <div>
          <dt>Task</dt><dd>
            <Link href={`/tasks${withParameters('', { name: schedule.task_name })}`} className="wrap"><bdi>{schedule.task_name}</bdi></Link>
          </dd>
        </div>
        <div><dt>Priority</dt><dd>{schedule.priority === 0 ? 'none' : formatCount(schedule.priority)}</dd></div>
        <div>
          <dt>Overlap</dt><dd>
            {schedule.overlap === 'skip' ? 'a run is left out while the one before it still runs' : 'runs may overlap'}
          </dd>
        </div>
        <div>
          <dt>Catch up</dt><dd>
            {schedule.catch_up === 'one' ? 'one late run stands for what an outage left out' : 'what an outage left out stays missed'}
          </dd>
        </div>
        <div><dt>Jitter</dt><dd>{schedule.jitter_ms === 0 ? 'none' : `up to ${formatInterval(schedule.jitter_ms)}`}</dd></div>
        <div><dt>Starts</dt><dd>{schedule.start_at === null ? 'no bound' : <Moment at={schedule.start_at} as="both" />}</dd></div>
        <div><dt>Ends</dt><dd>{schedule.end_at === null ? 'no bound' : <Moment at={schedule.end_at} as="both" />}</dd></div>
        <div>
          <dt>Defined in</dt><dd>
            {schedule.source === 'api'
              ? 'the API'
              : `the code of the queue app; ${schedule.wins === 'code' ? 'code wins over edits' : 'edits stay'}`}
          </dd>
        </div>
        <div><dt>Created</dt><dd><Moment at={schedule.created_at} as="both" /></dd></div>
        <div><dt>Changed</dt><dd><Moment at={schedule.updated_at} as="both" /></dd></div>
        <div><dt>Version</dt><dd><code className="wrap">{schedule.version}</code></dd></div>
      </dl>
    </section>
  )
}

function Runs({ schedule }: { schedule: Schedule }) {
  const { runs } = schedule.stats
  if (runs === null) return <Unknown reason={COUNTS_UNKNOWN} />
  if (runs === 0) return <span className="muted">none yet</span>
  return <>{formatCount(runs)}, <SuccessRate schedule={schedule} /> succeeded</>
}

function AverageDuration({ schedule: { stats: { success, failed, avg_duration_ms: average } } }: { schedule: Schedule }) {
  if (average !== null) return <>{formatDuration(average)}</>
  if (success === null || failed === null) return <Unknown reason={COUNTS_UNKNOWN} />
  return <Unknown reason={success + failed === 0 ? 'No run has finished yet' : 'No run that finished has a known duration'} />
}

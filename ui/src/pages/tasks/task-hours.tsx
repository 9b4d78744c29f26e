import { useQuery } from '@tanstack/react-query'
import { taskHoursQuery } from '../../api/timeseries.ts'
import { Moment } from '../../components/elements/moment.tsx'
import { Section } from '../../components/frame/section.tsx'
import { Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { TrendBars } from '../../components/stats/trend-bars.tsx'
import { formatCount } from '../../format/stats/number.ts'
import { summarize } from '../../format/stats/timeseries.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { failureTexts } from '../../texts/failures.ts'
import { statsTexts } from '../../texts/stats.ts'
import { taskTexts } from '../../texts/tasks.ts'

const POLLED_EVERY_MS = 30_000

/** What a task did in the last 24 hours, one bar per hour. */
export function TaskHours({ name }: { name: string }) {
  const { data, failure, updatedAt } = useSettled(useQuery({ ...taskHoursQuery(name), ...usePolling(POLLED_EVERY_MS) }))
  const summary = data && summarize(data)
  const since = summary?.knownSince ?? null
  // An unknown hour is not drawn as an hour without executions.
  const points = data?.points.filter(point => point.success !== null && point.failed !== null) ?? []
  return (
    <Section title={failureTexts.lastHours} aside={<span className="section-aside">
      <Stale failure={failure} updatedAt={updatedAt} />
      {since !== null && <span>{taskTexts.knownSince(<Moment at={since} as="clock" />)}</span>}
    </span>}>
      {summary
        ? summary.isUnknown
          ? <p className="muted">{taskTexts.nothingCounted}</p>
          : <dl className="task-hours">
            <div>
              <dt>{statsTexts.succeeded} <b>{formatCount(summary.success)}</b></dt>
              <dd className="trend-good">
                <TrendBars counts={points.map(point => point.success ?? 0)} label={taskTexts.succeededHourly} />
              </dd>
            </div>
            <div>
              <dt>{statsTexts.failed} <b className={summary.failed > 0 ? 'tone-bad' : undefined}>{formatCount(summary.failed)}</b></dt>
              <dd><TrendBars counts={points.map(point => point.failed ?? 0)} label={taskTexts.failedHourly} /></dd>
            </div>
          </dl>
        : failure
          ? <Failed what={taskTexts.theLastDay} failure={failure} isBrief />
          : <SkeletonRows count={2} label={taskTexts.loadingLastDay} />}
    </Section>
  )
}

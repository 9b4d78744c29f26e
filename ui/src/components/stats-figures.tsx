import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Stats } from '../../../schemas/index.ts'
import { formatDuration, formatSpan } from '../format/duration.ts'
import { keptHistory, retentionWords } from '../format/history-kept.ts'
import { formatCompact, formatCount, formatPace, formatRate } from '../format/number.ts'
import { Figure, Figures } from './figure.tsx'
import { Moment } from './moment.tsx'
import { SkeletonText } from './states.tsx'
import { Unknown } from './unknown.tsx'

const SPELLED_OUT_BELOW = 10_000_000
const NOTHING_FINISHED = 'Nothing has finished yet'
const NOTHING_THIS_HOUR = 'Nothing finished in the last hour'

/** The figures of the whole queue app; null while they are on their way. */
export function StatsFigures({ stats, isStale }: { stats: Stats | null; isStale: boolean }) {
  const show = (value: (stats: Stats) => ReactNode): ReactNode => (stats ? value(stats) : <SkeletonText />)
  const rate = (value: number, total: number, className?: string): ReactNode =>
    (total === 0 ? <Unknown reason={NOTHING_FINISHED} /> : <span className={className}>{formatRate(value)}</span>)
  return (
    <div className={`stats ${isStale ? 'is-stale' : ''}`} aria-busy={stats === null}>
      <Figures label="Totals">
        <Figure
          label="Finished executions" title="Executions finished since the result backend was created: total_tasks in the API"
          note={show(s => `${formatPace(s.throughput_per_minute)} a minute now`)}
        >
          {show(s => <span title={formatCount(s.total_tasks)}>{formatCompact(s.total_tasks, SPELLED_OUT_BELOW)}</span>)}
        </Figure>
        <Figure
          label="Success rate"
          note={show(s =>
            <Link href="/executions?status=success" className="quiet-link">{formatCount(s.executions.success)} succeeded</Link>)}
        >
          {show(s => rate(s.success_rate, s.total_tasks))}
        </Figure>
        <Figure
          label="Failure rate"
          note={show(s => <Link href="/executions?status=failed" className="quiet-link">{formatCount(s.executions.failed)} failed</Link>)}
        >
          {show(s => rate(s.failure_rate, s.total_tasks, s.failure_rate >= 5 ? 'tone-bad' : undefined))}
        </Figure>
        <Figure
          label="Active workers"
          note={show(s =>
            <Link href="/executions?status=running" className="quiet-link">{formatCount(s.executions.running)} running</Link>)}
        >
          {show(s =>
            (s.active_workers === null
              ? <Unknown reason="The broker cannot tell" />
              : <span className={s.active_workers === 0 ? 'tone-bad' : undefined}>{formatCount(s.active_workers)}</span>))}
        </Figure>
        <Figure
          label="Queue size"
          note={show(s => (s.oldest_pending_ms === null ? 'none is due' : `oldest waits ${formatSpan(s.oldest_pending_ms)}`))}
        >
          {show(s =>
            <Link href="/executions?status=pending" className="plain-link" title={formatCount(s.queue_size)}>
              {formatCompact(s.queue_size, SPELLED_OUT_BELOW)}
            </Link>)}
        </Figure>
      </Figures>
      <dl className="percentiles">
        <Percentiles name="Duration" note="last hour" of={stats?.duration_ms} isLoaded={stats !== null} />
        <Percentiles name="Wait" of={stats?.wait_ms} isLoaded={stats !== null} />
        <div><dt>Schedules</dt><dd>{show(s => <>
          <Link href="/schedules" className="quiet-link">
            {formatCount(s.schedules.enabled)} of {formatCount(s.schedules.total)} enabled
          </Link>
          {s.schedules.overdue > 0 && <span className="tone-bad"> · {formatCount(s.schedules.overdue)} overdue</span>}
        </>)}</dd></div>
        <div title={stats ? retentionWords(stats.history) : undefined}>
          <dt>History</dt><dd>{show(s => <KeptHistory history={s.history} />)}</dd>
        </div>
        <div>
          <dt>Registered tasks</dt><dd>
            {show(s => <Link href="/tasks" className="quiet-link">{formatCount(s.registered_tasks)}</Link>)}
          </dd>
        </div>
      </dl>
    </div>
  )
}

/** How much of the history can still be looked at. */
export function KeptHistory({ history }: { history: Stats['history'] }) {
  const { count, oldestAt } = keptHistory(history)
  return <>{count} kept{oldestAt !== null && <span className="muted">, since <Moment at={oldestAt} as="clock" /></span>}</>
}

function Percentiles(
  { name, note, of, isLoaded }: { name: string; note?: string; of: Stats['duration_ms'] | undefined; isLoaded: boolean }
) {
  return (
    <div title="Over the last hour">
      <dt>{name}{note && <span className="muted"> {note}</span>}</dt>
      <dd>
        {of
          ? (['p50', 'p95', 'p99'] as const).map(percentile =>
            <span key={percentile} className="percentile">
              <span className="muted">{percentile}</span> {formatDuration(of[percentile])}
            </span>)
          : isLoaded ? <Unknown reason={NOTHING_THIS_HOUR} /> : <SkeletonText />}
      </dd>
    </div>
  )
}

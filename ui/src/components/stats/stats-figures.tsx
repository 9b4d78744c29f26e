import type { ReactNode } from 'react'
import type { ExecutionStatus, Stats } from '../../../../schemas/index.ts'
import { formatDuration, formatSpan } from '../../format/time/duration.ts'
import { keptHistory, retentionWords } from '../../format/executions/history-kept.ts'
import { formatCompact, formatCount, formatPace, formatRate } from '../../format/stats/number.ts'
import { failureChange, failureRate, paceChange, type Period, type Tally } from '../../format/stats/period.ts'
import { FAILING_FROM_PERCENT } from '../../format/health/verdict.ts'
import { ChangeNote } from './change-note.tsx'
import { Figure, Figures } from './figure.tsx'
import { PageLink } from '../elements/page-link.tsx'
import { Moment } from '../elements/moment.tsx'
import { Sparkline } from './sparkline.tsx'
import { SkeletonText } from '../frame/states.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { statsTexts } from '../../texts/stats.ts'

const SPELLED_OUT_BELOW = 10_000_000

interface Props {
  /** Null while they are loading. */
  readonly stats: Stats | null
  readonly isStale: boolean
  /** What finished in the time range of the page; null while it is loading. */
  readonly period: Period | null
  /** Why it is unknown; null while it is known, or may still become known. */
  readonly periodMissing: string | null
  /** `the 24 h before`. */
  readonly than: string
  readonly executionsHref: (status: ExecutionStatus) => string
}

/** The figures of the whole queue app. */
export function StatsFigures({ stats, isStale, period, periodMissing, than, executionsHref }: Props) {
  const show = (value: (stats: Stats) => ReactNode): ReactNode => (stats ? value(stats) : <SkeletonText />)
  const inPeriod = (value: (tally: Tally) => ReactNode): ReactNode => {
    if (period?.now) return value(period.now)
    if (period) return <Unknown reason={statsTexts.nothingCounted} />
    return periodMissing === null ? <SkeletonText /> : <Unknown reason={periodMissing} />
  }
  const rate = (of: 'success' | 'failure') => (tally: Tally): ReactNode => {
    const failed = failureRate(tally)
    if (failed === null) return <Unknown reason={statsTexts.nothingFinishedInThisTime} />
    if (of === 'success') return formatRate(100 - failed)
    return <span className={failed >= FAILING_FROM_PERCENT ? 'tone-bad' : undefined}>{formatRate(failed)}</span>
  }
  const { countSucceeded, countFailed } = statsTexts
  const count = (status: 'success' | 'failed', words: (count: number) => string): ReactNode =>
    inPeriod(tally => <PageLink href={executionsHref(status)} className="quiet-link">{words(tally[status])}</PageLink>)
  const failures = period && failureChange(period)
  return (
    <div className={`stats ${isStale ? 'is-stale' : ''}`} aria-busy={stats === null}>
      <Figures label={statsTexts.totals}>
        <Figure
          label={statsTexts.finishedExecutions} title={statsTexts.finishedTitle}
          note={<>
            {show(s => <span>{statsTexts.aMinuteNow(formatPace(s.throughput_per_minute))}</span>)}
            {period && <Sparkline values={period.finished} />}
          </>}
        >
          {inPeriod(({ success, failed }) =>
            <span title={formatCount(success + failed)}>{formatCompact(success + failed, SPELLED_OUT_BELOW)}</span>)}
          {period && <ChangeNote change={paceChange(period)} than={than} />}
        </Figure>
        <Figure label={statsTexts.successRate} note={count('success', countSucceeded)}>{inPeriod(rate('success'))}</Figure>
        <Figure
          label={statsTexts.failureRate}
          note={<>{count('failed', countFailed)}{period && <Sparkline values={period.rates} isBad />}</>}
        >
          {inPeriod(rate('failure'))}
          {period && <ChangeNote change={failures} than={than} isRiseBad />}
        </Figure>
        <Figure
          label={statsTexts.activeWorkers}
          note={show(s => s.executions.running !== null &&
            <PageLink href="/executions?status=running" className="quiet-link">{statsTexts.countRunning(s.executions.running)}</PageLink>)}
        >
          {show(s =>
            (s.active_workers === null
              ? <Unknown reason={statsTexts.brokerCannotTell} />
              : <span className={s.active_workers === 0 ? 'tone-bad' : undefined}>{formatCount(s.active_workers)}</span>))}
        </Figure>
        <Figure
          label={statsTexts.queueSize}
          note={show(s => (s.oldest_pending_ms === null ? statsTexts.noneIsDue : statsTexts.oldestWaits(formatSpan(s.oldest_pending_ms))))}
        >
          {show(s =>
            <PageLink href="/executions?status=pending" className="plain-link" title={formatCount(s.queue_size)}>
              {formatCompact(s.queue_size, SPELLED_OUT_BELOW)}
            </PageLink>)}
        </Figure>
      </Figures>
      <dl className="percentiles">
        <div title={statsTexts.inAllTitle}>
          <dt>{statsTexts.inAll}</dt><dd>{show(s => (s.total_tasks === 0
            ? <Unknown reason={statsTexts.nothingFinishedYet} />
            : statsTexts.inAllFinished(formatCompact(s.total_tasks, SPELLED_OUT_BELOW), formatRate(s.success_rate))))}</dd>
        </div>
        <Percentiles name={statsTexts.duration} note={statsTexts.lastHour} of={stats?.duration_ms} isLoaded={stats !== null} />
        <Percentiles name={statsTexts.wait} of={stats?.wait_ms} isLoaded={stats !== null} />
        <div><dt>{statsTexts.schedules}</dt><dd>{show(s => <>
          <PageLink href="/schedules" className="quiet-link">
            {statsTexts.enabledOf(s.schedules.enabled, s.schedules.total)}
          </PageLink>
          {s.schedules.overdue > 0 && <span className="tone-bad"> · {statsTexts.countOverdue(s.schedules.overdue)}</span>}
        </>)}</dd></div>
        <div title={stats ? retentionWords(stats.history) : undefined}>
          <dt>{statsTexts.history}</dt><dd>{show(s => <KeptHistory history={s.history} />)}</dd>
        </div>
        <div>
          <dt>{statsTexts.registeredTasks}</dt><dd>
            {show(s => <PageLink href="/tasks" className="quiet-link">{formatCount(s.registered_tasks)}</PageLink>)}
          </dd>
        </div>
      </dl>
    </div>
  )
}

/** How much of the history is still kept. */
export function KeptHistory({ history }: { history: Stats['history'] }) {
  const { count, oldestAt } = keptHistory(history)
  return <>
    {statsTexts.kept(count)}{oldestAt !== null &&
      <span className="muted">{statsTexts.keptSince(<Moment at={oldestAt} as="clock" />)}</span>}
  </>
}

function Percentiles(
  { name, note, of, isLoaded }: { name: string; note?: string; of: Stats['duration_ms'] | undefined; isLoaded: boolean }
) {
  return (
    <div title={statsTexts.overLastHour}>
      <dt>{name}{note && <span className="muted"> {note}</span>}</dt>
      <dd>
        {of
          ? (['p50', 'p95', 'p99'] as const).map(percentile =>
            <span key={percentile} className="percentile">
              <span className="muted">{percentile}</span> {formatDuration(of[percentile])}
            </span>)
          : isLoaded ? <Unknown reason={statsTexts.nothingFinishedLastHour} /> : <SkeletonText />}
      </dd>
    </div>
  )
}

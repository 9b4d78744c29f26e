import type { Stats } from '../../../../schemas/stats.ts'
import type { Timeseries, TimeseriesMetric, TimeseriesPoint } from '../../../../schemas/timeseries.ts'
import type { Statistics, Timeseries as TimeseriesReport } from '../../../queue-app/monitoring/monitoring.ts'
import { toCounts, toPercentiles, percentOf, toLimit, toTimestamp, toTimestampOrNull } from '../wire-values.ts'

export function toStats(statistics: Statistics): Stats {
  const { executions } = statistics
  const total = executions.success + executions.failed
  return {
    total_tasks: total,
    success_rate: percentOf(executions.success, total),
    failure_rate: percentOf(executions.failed, total),
    active_workers: statistics.activeWorkers,
    queue_size: executions.pending,
    executions: toCounts(executions),
    registered_tasks: statistics.registeredTasks,
    schedules: { total: statistics.schedules.total, enabled: statistics.schedules.enabled, overdue: statistics.schedules.overdue },
    throughput_per_minute: statistics.throughputPerMinute,
    duration_ms: toPercentiles(statistics.duration),
    wait_ms: toPercentiles(statistics.wait),
    oldest_pending_ms: statistics.oldestPendingMs,
    history: toHistory(statistics.history),
    generated_at: toTimestamp(statistics.generatedAt)
  }
}

function toHistory({ success, failed, prunedBefore, retention }: Statistics['history']): Stats['history'] {
  const toKept = ({ count, oldestFinishedAt }: typeof success) => ({ kept: count, oldest_at: toTimestampOrNull(oldestFinishedAt) })
  const toLimits = (
    { maxAgeMs, maxCount }: NonNullable<typeof retention>['success']
  ) => ({ max_age_ms: toLimit(maxAgeMs), max_count: toLimit(maxCount) })
  return {
    success: toKept(success),
    failed: toKept(failed),
    pruned_before: toTimestampOrNull(prunedBefore),
    retention: retention && { success: toLimits(retention.success), failed: toLimits(retention.failed) }
  }
}

export function toTimeseries({ from, to, stepMs, source, points }: TimeseriesReport, metric: TimeseriesMetric): Timeseries {
  const measured = (point: TimeseriesReport['points'][number]): Pick<TimeseriesPoint, 'p50' | 'p95' | 'p99'> =>
    metric === 'executions' ? {} : (metric === 'wait_ms' ? point.wait : point.duration) ?? { p50: null, p95: null, p99: null }
  return {
    metric,
    from: toTimestamp(from),
    to: toTimestamp(to),
    step_ms: stepMs,
    source,
    points: points.map(point => ({
      at: toTimestamp(point.at),
      success: point.success,
      failed: point.failed,
      throughput_per_minute: point.throughputPerMinute,
      ...measured(point),
      open: point.isOpen,
      gap: point.gap
    }))
  }
}

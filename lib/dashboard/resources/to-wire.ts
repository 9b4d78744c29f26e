import type { Execution as WireExecution, ExecutionDetail as WireExecutionDetail } from '../../../schemas/execution.ts'
import { MAX_LIST_ERROR_MESSAGE_LENGTH } from '../../../schemas/execution.ts'
import type { FailureGroup } from '../../../schemas/failure.ts'
import type { Health } from '../../../schemas/health.ts'
import type { Schedule, ScheduleAgenda, ScheduleMiss, SchedulePreview } from '../../../schemas/schedule.ts'
import type { Stats } from '../../../schemas/stats.ts'
import type { Task, TaskDetail } from '../../../schemas/task.ts'
import type { Timeseries, TimeseriesMetric, TimeseriesPoint } from '../../../schemas/timeseries.ts'
import type { Execution, ExecutionDetail } from '../../execution.ts'
import type {
  FailureGroupsPage, HealthReport, Monitoring, ScheduleOverview, Statistics, TaskOverview, TaskReport, Timeseries as TimeseriesReport
} from '../../queue-app/monitoring/monitoring.ts'
import { timelineOf } from './executions/timeline.ts'

/** The one place where camelCase and milliseconds become snake_case and RFC 3339. */

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

export function toFailureGroup(group: FailureGroupsPage['groups'][number]): FailureGroup {
  return {
    error_group: group.errorGroup,
    type: group.type,
    message: cut(group.message, MAX_LIST_ERROR_MESSAGE_LENGTH),
    frame: group.frame,
    count: group.count,
    first_seen_at: toTimestamp(group.firstSeenAt),
    last_seen_at: toTimestamp(group.lastSeenAt),
    is_new: group.isNew,
    tasks: group.tasks.map(({ taskName, count }) => ({ name: taskName, count })),
    last_execution_id: group.lastExecutionId,
    trend: [...group.trend]
  }
}

export function toTask(task: TaskOverview): Task {
  const { last } = task
  return {
    name: task.name,
    type: task.type,
    description: task.description,
    queue: task.queue,
    retries: task.retries,
    retry_delay: task.backoff.delayMs / 1000,
    backoff: {
      type: task.backoff.type, delay_ms: task.backoff.delayMs, max_delay_ms: task.backoff.maxDelayMs, jitter: task.backoff.jitter
    },
    rate_limit: task.rateLimit && { max: task.rateLimit.max, duration_ms: task.rateLimit.durationMs },
    rate_limited_until: toTimestampOrNull(task.rateLimitedUntil),
    timeout_ms: task.timeoutMs,
    workers: task.workers,
    schedules: task.schedules,
    executions: toCounts(task.executions),
    success_rate: percentOf(task.executions.success, task.executions.success + task.executions.failed),
    duration_ms: toPercentiles(task.duration),
    last_execution: last && { execution_id: last.executionId, status: last.status, finished_at: toTimestamp(last.finishedAt) }
  }
}

export function toTaskDetail(task: TaskReport): TaskDetail {
  return {
    ...toTask(task),
    concurrency: task.concurrency,
    wait_ms: toPercentiles(task.wait),
    oldest_pending_ms: task.oldestPendingMs,
    first_seen_at: toTimestamp(task.firstSeenAt),
    last_seen_at: toTimestamp(task.lastSeenAt)
  }
}

export function toSchedule(schedule: ScheduleOverview): Schedule {
  return {
    schedule_id: schedule.scheduleId,
    schedule_type: schedule.scheduleType,
    task_name: schedule.taskName,
    cron: schedule.cron,
    interval_ms: schedule.intervalMs,
    timezone: schedule.timezone,
    description: schedule.description,
    human: schedule.human,
    args: [...schedule.args],
    enabled: schedule.enabled,
    priority: schedule.priority,
    overlap: schedule.overlap,
    catch_up: schedule.catchUp,
    jitter_ms: schedule.jitterMs,
    start_at: toTimestampOrNull(schedule.startAt),
    end_at: toTimestampOrNull(schedule.endAt),
    source: schedule.source,
    version: schedule.version,
    task_registered: schedule.taskRegistered,
    overdue: schedule.overdue,
    wins: schedule.wins,
    drift: schedule.drift.length === 0 ? null : { fields: schedule.drift.map(toDriftField) },
    created_at: toTimestamp(schedule.createdAt),
    updated_at: toTimestamp(schedule.updatedAt),
    next_run_at: toTimestampOrNull(schedule.nextRunAt),
    last_run_at: toTimestampOrNull(schedule.lastRunAt),
    last_status: schedule.lastStatus,
    stats: {
      runs: schedule.runs,
      success: schedule.success,
      failed: schedule.failed,
      missed: schedule.missed,
      late: schedule.late,
      avg_duration_ms: schedule.avgDurationMs
    }
  }
}

export function toScheduleMiss(miss: Awaited<ReturnType<Monitoring['scheduleMisses']>>[number]): ScheduleMiss {
  return {
    kind: miss.kind,
    reason: miss.reason,
    first_due_at: toTimestamp(miss.firstDueAt),
    last_due_at: toTimestamp(miss.lastDueAt),
    count: miss.count,
    recorded_at: toTimestamp(miss.recordedAt),
    late_by_ms: miss.lateMs,
    execution_id: miss.executionId
  }
}

export function toScheduleAgenda(
  { hours, totals, schedules }: Awaited<ReturnType<Monitoring['scheduleAgenda']>>, from: number, to: number
): ScheduleAgenda {
  return {
    from: toTimestamp(from),
    to: toTimestamp(to),
    hours: hours.map(toTimestamp),
    totals: [...totals],
    schedules: schedules.map(({ scheduleId, taskName, description, total, counts }) =>
      ({ schedule_id: scheduleId, task_name: taskName, description, total, counts: counts as number[] }))
  }
}

export function toSchedulePreview({ description, timezone, runs }: ReturnType<Monitoring['previewSchedule']>): SchedulePreview {
  return { description, timezone, runs: runs.map(({ at, local, offset, note }) => ({ at: toTimestamp(at), local, offset, note })) }
}

function toDriftField({ field, code, live, since, by }: ScheduleOverview['drift'][number]) {
  const isInstant = field === 'startAt' || field === 'endAt'
  const value = (one: unknown) => isInstant && typeof one === 'number' ? toTimestamp(one) : one
  return {
    field: field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), code: value(code), live: value(live),
    since: toTimestampOrNull(since), by
  }
}

export function toExecution(execution: Execution): WireExecution {
  const { error } = execution
  return {
    ...executionFields(execution),
    error: error && { type: error.type, message: cut(error.message, MAX_LIST_ERROR_MESSAGE_LENGTH) }
  }
}

export function toExecutionDetail(execution: ExecutionDetail, retries: readonly Execution[]): WireExecutionDetail {
  const { error, args } = execution
  return {
    ...executionFields(execution),
    error: error && { type: error.type, message: error.message, stack: error.stack },
    args: args && [...args],
    result: execution.result ?? null,
    result_problem: execution.resultProblem ?? null,
    attempts: execution.attempts.map(attempt => ({
      attempt: attempt.attempt,
      started_at: toTimestampOrNull(attempt.startedAt),
      finished_at: toTimestampOrNull(attempt.finishedAt),
      worker_id: attempt.workerId,
      error: attempt.error && { type: attempt.error.type, message: attempt.error.message, stack: attempt.error.stack }
    })),
    logs: [...execution.logs],
    timeline: timelineOf(execution).map(({ at, event, attempt }) => ({ at: toTimestamp(at), event, attempt })),
    truncated: [...execution.truncated],
    retried_by: retries.map(({ executionId, status, finishedAt }) => ({
      execution_id: executionId, status, finished_at: toTimestampOrNull(finishedAt)
    }))
  }
}

export function toHealth(report: HealthReport, version: string): Health {
  const { app, broker, backend, scheduler, workers } = report.components
  return {
    healthy: report.status !== 'unhealthy',
    status: report.status,
    timestamp: toTimestamp(report.timestamp),
    version,
    uptime_ms: report.uptimeMs,
    components: {
      app: toComponent(app), broker: toComponent(broker), backend: toComponent(backend), scheduler: toComponent(scheduler),
      workers: toComponent(workers)
    }
  }
}

function executionFields(execution: Execution) {
  return {
    execution_id: execution.executionId,
    task_name: execution.taskName,
    queue: execution.queue,
    status: execution.status,
    state: execution.state,
    attempt: execution.attempt,
    max_attempts: execution.maxAttempts,
    priority: execution.priority,
    schedule_id: execution.scheduleId,
    retry_of: execution.retryOf,
    worker_id: execution.workerId,
    submitted_at: toTimestamp(execution.submittedAt),
    started_at: toTimestampOrNull(execution.startedAt),
    finished_at: toTimestampOrNull(execution.finishedAt),
    next_attempt_at: toTimestampOrNull(execution.nextAttemptAt ?? null),
    wait_ms: execution.waitMs,
    duration_ms: execution.durationMs,
    progress: execution.progress ?? null,
    error_group: execution.errorGroup
  }
}

function toComponent({ healthy, message, latencyMs }: HealthReport['components']['app']) {
  return { healthy, message, ...(latencyMs === undefined ? {} : { latency_ms: latencyMs }) }
}

function toCounts({ pending, running, success, failed }: Statistics['executions']) {
  return { pending, running, success, failed }
}

function toPercentiles(percentiles: Statistics['duration']) {
  return percentiles && { p50: percentiles.p50, p95: percentiles.p95, p99: percentiles.p99 }
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}

/** No limit is infinity, which JSON has not. */
function toLimit(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}

function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms)
}

/** Cut between characters: half of a surrogate pair is not valid text. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.charCodeAt(maxLength - 1)
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? maxLength - 1 : maxLength)
}

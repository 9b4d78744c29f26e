import type { Task, TaskDetail } from '../../../../schemas/task.ts'
import type { TaskOverview, TaskReport } from '../../../queue-app/monitoring/monitoring.ts'
import { toCounts, toPercentiles, percentOf, toTimestamp, toTimestampOrNull } from '../wire-values.ts'

export function toTask(task: TaskOverview): Task {
  const { last } = task
  return {
    name: task.name,
    type: task.type,
    description: task.description,
    queue: task.queue,
    part_of: task.partOf,
    retries: task.retries,
    retry_delay: task.backoff && task.backoff.delayMs / 1000,
    backoff: task.backoff && {
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

import type { Queue, QueuePause } from '../../../../schemas/queue.ts'
import type { QueueOverview } from '../../../queue-app/monitoring/monitoring.ts'
import { percentOf, toTimestampOrNull } from '../wire-values.ts'

export function toQueue(queue: QueueOverview): Queue {
  const { running, concurrency, rateLimit } = queue
  return {
    name: queue.name,
    task_name: queue.taskName,
    state: queue.pause === null ? 'running' : 'paused',
    pause: queue.pause && toPause(queue.pause),
    pending: queue.pending,
    running,
    workers: queue.workers,
    concurrency,
    utilisation: concurrency === null || concurrency === 0 ? null : percentOf(running, concurrency),
    oldest_pending_ms: queue.oldestPendingMs,
    rate_limit: rateLimit && { max: rateLimit.max, duration_ms: rateLimit.durationMs },
    rate_limited_until: toTimestampOrNull(queue.rateLimitedUntil),
    throughput_per_minute: queue.throughputPerMinute
  }
}

export function toPause({ since, by, reason, until }: NonNullable<QueueOverview['pause']>): QueuePause {
  return { since: toTimestampOrNull(since), by, reason, until: toTimestampOrNull(until) }
}

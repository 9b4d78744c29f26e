import type { Queue, QueueLimits, QueuePause } from '../../../../schemas/queue.ts'
import type { QueueOverview } from '../../../queue-app/monitoring/monitoring.ts'
import { percentOf, toTimestampOrNull } from '../wire-values.ts'

export function toQueue(queue: QueueOverview): Queue {
  const { running, concurrency, rateLimit, limits } = queue
  const possible = concurrency === null ? null : Math.min(concurrency, limits?.concurrency ?? Infinity)
  return {
    name: queue.name,
    task_name: queue.taskName,
    changes: queue.changes,
    state: queue.pause === null ? 'running' : 'paused',
    pause: queue.pause && toPause(queue.pause),
    limits: limits && toLimits(limits),
    pending: queue.pending,
    running,
    workers: queue.workers,
    concurrency,
    utilisation: possible === null || possible === 0 ? null : percentOf(running, possible),
    oldest_pending_ms: queue.oldestPendingMs,
    rate_limit: rateLimit && toRate(rateLimit),
    rate_limited_until: toTimestampOrNull(queue.rateLimitedUntil),
    throughput_per_minute: queue.throughputPerMinute,
    trend: [...queue.trend]
  }
}

export function toPause({ since, by, reason, until }: NonNullable<QueueOverview['pause']>): QueuePause {
  return { since: toTimestampOrNull(since), by, reason, until: toTimestampOrNull(until) }
}

function toLimits({ concurrency, rate, since, by, reason }: NonNullable<QueueOverview['limits']>): QueueLimits {
  return { concurrency, rate: rate && toRate(rate), since: toTimestampOrNull(since), by, reason }
}

function toRate({ max, durationMs }: NonNullable<QueueOverview['rateLimit']>) {
  return { max, duration_ms: durationMs }
}

import type { Queue, Task, TaskDetail, Timeseries, Worker } from '../../../schemas/index.ts'
import { ago, ahead, HOSTILE, LONG } from './texts.ts'

const trend = Array.from({ length: 24 }, (_, hour) => hour * 3 % 17)

export const queue: Queue = {
  name: 'billing:charge', task_name: 'billing:charge', changes: 'all', pending: 37, running: 6, state: 'running', trend, workers: 4,
  pause: null,
  limits: null, concurrency: 10, utilisation: 60, oldest_pending_ms: 4_200, rate_limit: null, rate_limited_until: null,
  throughput_per_minute: 34.2
}

export const pausedQueue: Queue = {
  ...queue, name: 'email:send', task_name: 'email:send', state: 'paused', running: 0,
  pause: { reason: 'The provider is down', by: 'ada@example.com', since: ago(900), until: ahead(900) }
}

export const limitedQueue: Queue = {
  ...queue, name: 'sms:send', task_name: 'sms:send', rate_limit: { max: 100, duration_ms: 60_000 }, rate_limited_until: ahead(30),
  limits: { concurrency: 2, rate: { max: 10, duration_ms: 1_000 }, by: 'bob', reason: 'Contract', since: ago(4_000) }
}

/** An existing queue. */
export const unknownQueue: Queue = {
  ...queue, name: 'bull:legacy', task_name: 'legacy', changes: 'none', workers: null, concurrency: null, utilisation: null,
  oldest_pending_ms: null, trend: [], pause: { reason: null, by: null, since: null, until: null }, state: 'paused'
}

export const longQueue: Queue = {
  ...limitedQueue, name: LONG, task_name: LONG, pending: 1_234_567_890, running: 99_999, utilisation: 100,
  oldest_pending_ms: 31_536_000_000,
  throughput_per_minute: 1_234_567, workers: 99_999, state: 'paused', pause: { reason: LONG, by: LONG, since: ago(9e6), until: null }
}

export const hostileQueue: Queue = {
  ...limitedQueue, name: HOSTILE, task_name: HOSTILE, state: 'paused', pause: { reason: HOSTILE, by: HOSTILE, since: ago(900),
    until: null },
  limits: { concurrency: 1, rate: null, by: HOSTILE, reason: HOSTILE, since: ago(900) }
}

export const queues: readonly Queue[] = [queue, pausedQueue, limitedQueue, unknownQueue]

export const worker: Worker = {
  worker_id: 'web-1', state: 'alive', healthy: true, started_at: ago(9_000), last_seen_at: ago(2), task_count: 2, running: 2,
  tasks: [{ name: 'billing:charge', concurrency: 10, running: 2 }, { name: 'email:send', concurrency: 5, running: 0 }], version: '0.1.0',
  app: 'orders', executions: [{ task_name: 'billing:charge', execution_id: '0199-e3', started_at: ago(4) }], problems: [], host: 'web',
  pid: 41,
  node_version: '24.1.0', memory_bytes: 181_000_000, clock_ahead_ms: 3
}

export const silentWorker: Worker = {
  ...worker, worker_id: 'web-2', state: 'silent', healthy: false, last_seen_at: ago(900), problems: ['Not seen for 15 minutes']
}

/** Of an earlier version. */
export const unknownWorker: Worker = {
  ...worker, worker_id: 'old-1', running: null, last_seen_at: null, version: null, app: null, executions: null, host: null, pid: null,
  node_version: null, memory_bytes: null, clock_ahead_ms: null, tasks: [{ name: 'billing:charge', concurrency: null, running: null }]
}

export const longWorker: Worker = {
  ...worker, worker_id: LONG, host: LONG, app: LONG, version: LONG, running: 99_999, memory_bytes: 9e15, task_count: 9_999,
  problems: [LONG]
}

export const hostileWorker: Worker = {
  ...worker, worker_id: HOSTILE, host: HOSTILE, app: HOSTILE, version: HOSTILE, problems: [HOSTILE],
  executions: [{ task_name: HOSTILE, execution_id: HOSTILE, started_at: null }], tasks: [{ name: HOSTILE, concurrency: 1, running: 1 }]
}

export const workers: readonly Worker[] = [worker, silentWorker, unknownWorker, { ...worker, worker_id: 'web-3', state: 'stopping' }]

export const task: Task = {
  name: 'billing:charge', description: 'Charges an order', type: 'io', queue: 'billing:charge', part_of: null, retries: 3,
  retry_delay: 1_000,
  backoff: { type: 'exponential', delay_ms: 1_000, max_delay_ms: 60_000, jitter: 0.2 }, timeout_ms: 30_000, workers: 4,
  rate_limit: { max: 100, duration_ms: 60_000 }, rate_limited_until: null, success_rate: 98.6, schedules: 2,
  executions: { pending: 37, running: 6, success: 47_538, failed: 675 }, duration_ms: { p50: 84, p95: 1_420, p99: 6_300 },
  last_execution: { execution_id: '0199-e1', status: 'success', finished_at: ago(12) }
}

export const newTask: Task = {
  ...task, name: 'email:send', description: null, rate_limit: null, timeout_ms: null, success_rate: 0, schedules: 0, duration_ms: null,
  backoff: null,
  executions: { pending: 0, running: 0, success: 0, failed: 0 }, last_execution: null, retries: 0, retry_delay: 0
}

/** An existing queue. */
export const unknownTask: Task = {
  ...newTask, name: 'legacy', type: 'external', workers: null, retries: null, retry_delay: null,
  executions: { pending: null, running: null, success: 40, failed: 2 }
}

export const longTask: Task = {
  ...task, name: LONG, description: LONG, queue: LONG, executions: { pending: 1e15, running: 1e15, success: 8e15, failed: 1e15 },
  duration_ms: { p50: 31_536_000_000, p95: 31_536_000_000, p99: 31_536_000_000 }, workers: 99_999, schedules: 5_000
}

export const hostileTask: Task = { ...task, name: HOSTILE, description: HOSTILE, queue: HOSTILE, part_of: HOSTILE }

export const tasks: readonly Task[] = [task, newTask, unknownTask]

export function taskDetail(of: Task): TaskDetail {
  const isUnknown = of.type === 'external'
  return {
    ...of, concurrency: isUnknown ? null : 10, wait_ms: of.duration_ms && { p50: 3, p95: 41, p99: 220 },
    oldest_pending_ms: isUnknown ? null : 4_200, first_seen_at: ago(900_000), last_seen_at: ago(4)
  }
}

const HOUR_MS = 3_600_000
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 23 * HOUR_MS

/** Of 24 hours, the first of which were not kept. */
export const series: Timeseries = {
  from: new Date(START).toISOString(), to: new Date(START + 24 * HOUR_MS).toISOString(), source: 'hours', metric: 'duration_ms',
  step_ms: HOUR_MS,
  points: Array.from({ length: 24 }, (_, hour) => {
    const isKept = hour > 3
    return {
      at: new Date(START + hour * HOUR_MS).toISOString(), success: isKept ? 900 + hour * 31 % 140 : null,
      failed: isKept ? hour * 7 % 23 : null,
      throughput_per_minute: isKept ? 15 : null, open: hour === 23, gap: isKept ? null : 'not_kept',
      p50: isKept ? 80 + hour : null, p95: isKept ? 1_400 + hour * 20 : null, p99: isKept ? 6_300 - hour * 90 : null
    }
  })
}

export const emptySeries: Timeseries = {
  ...series, points: series.points.map(point => ({ ...point, success: 0, failed: 0, gap: null, p50: null, p95: null, p99: null }))
}

export const unknownSeries: Timeseries = {
  ...series, points: series.points.map(point => ({ ...point, success: null, failed: null, gap: 'before_ledger', p50: null, p95: null,
    p99: null }))
}

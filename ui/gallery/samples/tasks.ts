import type { Queue, Task, TaskDetail, Timeseries, Worker } from '../../../schemas/index.ts'
import { ago, HOSTILE, LONG } from './frame.ts'

export const task: Task = {
  name: 'billing:charge', type: 'io', description: 'Charges an order', queue: 'q.billing_charge', part_of: null, retries: 2, retry_delay: 5,
  backoff: { type: 'exponential', delay_ms: 5_000, jitter: 0 } as unknown as Task['backoff'], rate_limit: { max: 10, duration_ms: 60_000 },
  rate_limited_until: null, timeout_ms: 30_000, workers: 2, schedules: 1, executions: { pending: 37, running: 6, success: 47_538,
    failed: 675 },
  success_rate: 98.6, duration_ms: { p50: 84, p95: 1_420, p99: 6_300 }, last_execution: { execution_id: 'e-1', status: 'failed',
    finished_at: ago(12) }
}

const external: Task = {
  ...task, name: 'mail:invoice', type: 'external', description: null, part_of: 'mail', retries: null, retry_delay: null, backoff: null,
  rate_limit: null, timeout_ms: null, workers: null, executions: { pending: null, running: null, success: 0, failed: 0 }, success_rate: 0,
  duration_ms: null, last_execution: null
}

export const tasks: readonly Task[] = [
  task, { ...task, name: 'images:resize', type: 'cpu', rate_limited_until: ago(-20), workers: 0 }, external,
  { ...task, name: `${HOSTILE} ${LONG}`, description: HOSTILE }
]

export const taskDetail: TaskDetail = {
  ...task, concurrency: 8, wait_ms: { p50: 3, p95: 41, p99: 220 }, oldest_pending_ms: 4_200, first_seen_at: ago(900_000),
  last_seen_at: ago(2)
}

export const externalTask: TaskDetail = { ...taskDetail, ...external, concurrency: null, wait_ms: null, oldest_pending_ms: null }

export const queue: Queue = {
  name: 'q.billing_charge', task_name: 'billing:charge', task_type: 'io', state: 'running', pause: null, limits: null, pending: 37,
  running: 6,
  workers: 2, concurrency: 8, utilisation: 75, oldest_pending_ms: 4_200, rate_limit: { max: 10, duration_ms: 60_000 },
  rate_limited_until: null,
  throughput_per_minute: 34.2, trend: Array.from({ length: 24 }, (_, hour) => (hour * 7) % 24)
}

export const pausedQueue: Queue = {
  ...queue, name: 'q.email', task_name: 'email:send', state: 'paused',
  pause: { since: ago(600), by: 'ada', reason: 'The mail server is down', until: ago(-600) }, utilisation: 0, running: 0
}

export const limitedQueue: Queue = {
  ...queue, name: 'q.images', task_name: 'images:resize', rate_limited_until: ago(-20),
  limits: { concurrency: 2, rate: { max: 5, duration_ms: 1_000 }, since: ago(600), by: 'bob', reason: 'Too much load' }
}

export const queues: readonly Queue[] = [
  queue, pausedQueue, limitedQueue,
  {
    ...queue, name: 'mail', task_name: 'mail', task_type: 'external', workers: null, concurrency: null, utilisation: null, rate_limit: null,
    oldest_pending_ms: null, trend: Array.from({ length: 24 }, () => 0)
  },
  {
    ...pausedQueue, name: HOSTILE, task_name: `${HOSTILE} ${LONG}`, pause: { since: null, by: HOSTILE, reason: LONG, until: null }
  }
]

export const worker: Worker = {
  worker_id: 'web-1', state: 'alive', healthy: true, problems: [], host: 'web', pid: 4711, app: 'shop', version: '0.1.0',
  node_version: '22.0.0',
  started_at: ago(90_000), last_seen_at: ago(1), task_count: 2,
  tasks: [{ name: 'billing:charge', concurrency: 4, running: 1 }, { name: 'email:send', concurrency: 4, running: 0 }], running: 1,
  executions: [{ execution_id: 'e-3', task_name: 'billing:charge', started_at: ago(9) }], memory_bytes: 210_000_000, clock_ahead_ms: -3.5
}

export const workers: readonly Worker[] = [
  worker,
  { ...worker, worker_id: 'web-2', state: 'stopping', running: 0, executions: [] },
  { ...worker, worker_id: 'web-3', healthy: false, problems: ['Its clock is 95 s ahead'], clock_ahead_ms: 95_000 },
  { ...worker, worker_id: 'web-4', state: 'refused', healthy: false, problems: ['The broker refuses it'] },
  {
    ...worker, worker_id: HOSTILE, state: 'silent', healthy: false, problems: [HOSTILE, LONG], host: HOSTILE, app: LONG, version: null,
    last_seen_at: null, running: null, executions: null, memory_bytes: null, clock_ahead_ms: null
  }
]

const MINUTES = 30

export const series: Timeseries = {
  metric: 'duration_ms', from: ago(MINUTES * 60), to: ago(0), step_ms: 60_000, source: 'minutes',
  points: Array.from({ length: MINUTES }, (_, minute) => ({
    at: ago((MINUTES - minute) * 60), success: 20 + minute % 7, failed: minute % 5, throughput_per_minute: 24, p50: 80 + minute,
    p95: 900 + minute * 9,
    p99: 3_000, open: minute === MINUTES - 1, gap: null
  }))
}

export const gappySeries: Timeseries = {
  ...series,
  points: series.points.map((point, index) => index < 12
    ? { ...point, success: null, failed: null, throughput_per_minute: null, p50: null, p95: null, p99: null, gap: 'before_ledger' }
    : point)
}

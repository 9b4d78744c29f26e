import type { Execution, ExecutionDetail, ExecutionJob, SchedulePreview, WhyFact } from '../../../schemas/index.ts'
import { ago, HOSTILE, LONG, timeline } from './frame.ts'

export const execution: Execution = {
  execution_id: 'e-1', task_name: 'billing:charge', queue: 'q.billing_charge', status: 'failed', state: 'failed', attempt: 3,
  max_attempts: 3,
  priority: 0, schedule_id: null, retry_of: null, worker_id: 'web-1', submitted_at: ago(120), planned_at: null, started_at: ago(30),
  finished_at: ago(12), next_attempt_at: null, cancelling_since: null, wait_ms: 41, duration_ms: 18_000, progress: null, error_group: 'g1',
  error: { type: 'TimeoutError', message: 'gave up after 3000 ms' }
}

const pending: Execution = {
  ...execution, execution_id: 'e-2', status: 'pending', state: 'delayed', attempt: 0, worker_id: null, started_at: null, finished_at: null,
  wait_ms: null, duration_ms: null, error_group: null, error: null, next_attempt_at: ago(-600)
}

/** One of each status, the failed one retried. */
export const executions: readonly Execution[] = [
  { ...execution, retry: { execution_id: 'e-9', status: 'success' } },
  pending,
  { ...pending, execution_id: 'e-3', status: 'running', state: 'active', attempt: 1, worker_id: 'web-1', started_at: ago(9), wait_ms: 12 },
  {
    ...pending, execution_id: 'e-4', status: 'running', state: 'active', attempt: 1, worker_id: 'web-1', started_at: ago(90), wait_ms: 12,
    cancelling_since: ago(4)
  },
  { ...execution, execution_id: 'e-5', status: 'success', state: 'completed', attempt: 1, error: null, error_group: null, duration_ms: 84 },
  { ...pending, execution_id: 'e-6', status: 'cancelled', state: 'cancelled', finished_at: ago(60), next_attempt_at: null }
]

export const hostileExecution: Execution = {
  ...execution, execution_id: HOSTILE, task_name: HOSTILE, queue: HOSTILE, worker_id: HOSTILE, error: { type: HOSTILE, message: LONG }
}

export const executionDetail: ExecutionDetail = {
  ...execution, error: { type: 'TimeoutError', message: 'gave up after 3000 ms',
    stack: 'TimeoutError: gave up\n    at charge (/app/billing.js:41:7)' },
  args: [{ order: 42 }], cancellation: null, result: null, result_problem: null, attempts: [], logs: ['charging order 42'], timeline,
  truncated: [],
  job_name: null, missing: [], retried_by: [{ execution_id: 'e-9', status: 'success', finished_at: ago(2) }]
}

export const partialExecution: ExecutionDetail = {
  ...executionDetail, args: null, logs: [], job_name: 'send', missing: ['args', 'logs', 'priority', 'max_attempts', 'stack'], retried_by: []
}

export const hostileDetail: ExecutionDetail = {
  ...executionDetail, task_name: HOSTILE, queue: HOSTILE, worker_id: HOSTILE, job_name: HOSTILE, retry_of: HOSTILE, schedule_id: HOSTILE
}

export const job: ExecutionJob = {
  execution_id: 'e-1', task_name: 'albums', known: true,
  parent: { key: 'bull:publish:1', task_name: 'publish', execution_id: 'publish:1', job_name: 'album', status: 'unfinished',
    removed: false },
  children: [
    { key: 'bull:resize:s', task_name: 'resize', execution_id: 'resize:s', job_name: 'small', status: 'success', removed: false },
    { key: 'bull:resize:l', task_name: 'resize', execution_id: 'resize:l', job_name: 'large', status: 'failed', removed: true },
    { key: 'bull:elsewhere:x', task_name: null, execution_id: null, job_name: null, status: null, removed: false }
  ],
  children_left: 0, deduplication: { id: 'album-7', held: true, held_until: ago(-600) },
  trace: { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331', url: 'https://traces.example.com/1' }
}

export const whyFacts: readonly WhyFact[] = [
  { kind: 'paused', pause: { since: ago(600), by: 'ada', reason: 'The mail server is down', until: ago(-600) } },
  { kind: 'behind', ahead: { value: 1_204, relation: 'at_least' }, per_minute: 34, estimate_ms: 2_100_000 },
  { kind: 'workers_busy', workers: 2, concurrency: 8 },
  { kind: 'rate_limited', until: ago(-9), max: 10, duration_ms: 60_000 },
  { kind: 'retrying', until: ago(-30), attempt: 2, max_attempts: 3 },
  { kind: 'worker_lost', worker_id: 'web-1', last_seen_at: ago(40), locked_until: ago(-20) },
  { kind: 'broker_unavailable', reason: 'unreachable' },
  { kind: 'no_worker' },
  { kind: 'unknown', workers: null, free: null }
]

export const preview: SchedulePreview = {
  description: 'At 02:30, on day 29 of the month, in March', timezone: 'Europe/Berlin',
  runs: [
    { at: '2027-03-29T00:30:00.000Z', local: '2027-03-29T02:30:00', offset: '+02:00', note: null },
    { at: '2028-03-29T00:30:00.000Z', local: '2028-03-29T03:30:00', offset: '+02:00', note: 'dst_gap' },
    { at: '2029-03-29T00:30:00.000Z', local: '2029-03-29T02:30:00', offset: '+02:00', note: 'dst_overlap' }
  ]
}

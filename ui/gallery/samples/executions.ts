import type { Execution, ExecutionDetail, ExecutionJob } from '../../../schemas/index.ts'
import { ago, ahead, HOSTILE, LONG } from './texts.ts'

export const execution: Execution = {
  execution_id: '0199-e1', task_name: 'billing:charge', schedule_id: null, error_group: null, status: 'success', error: null,
  queue: 'billing:charge', state: 'completed', attempt: 1, max_attempts: 3, priority: 0, retry_of: null, worker_id: 'web-1',
  submitted_at: ago(120), planned_at: null, started_at: ago(118), finished_at: ago(116), next_attempt_at: null, cancelling_since: null,
  wait_ms: 2_000, duration_ms: 1_840, progress: null
}

const error = { type: 'TimeoutError', message: 'gave up after 3000 ms' }

export const failedExecution: Execution = {
  ...execution, execution_id: '0199-e2', status: 'failed', state: 'failed', attempt: 3, error, error_group: 'g1', duration_ms: 3_001
}

export const runningExecution: Execution = {
  ...execution, execution_id: '0199-e3', status: 'running', state: 'active', finished_at: null, duration_ms: null, progress: 40
}

export const pendingExecution: Execution = {
  ...execution, execution_id: '0199-e4', status: 'pending', state: 'delayed', attempt: 0, worker_id: null, planned_at: ahead(900),
  started_at: null, finished_at: null, wait_ms: null, duration_ms: null
}

export const cancelledExecution: Execution = { ...pendingExecution, execution_id: '0199-e5', status: 'cancelled', state: 'cancelled' }

export const retriedExecution: Execution = {
  ...failedExecution, execution_id: '0199-e6', retry: { execution_id: '0199-e7', status: 'success' }
}

export const hostileExecution: Execution = {
  ...failedExecution, execution_id: HOSTILE, task_name: HOSTILE, queue: HOSTILE, worker_id: HOSTILE, schedule_id: HOSTILE,
  error: { type: HOSTILE, message: HOSTILE }
}

export const longExecution: Execution = {
  ...failedExecution, execution_id: 'x'.repeat(500), task_name: LONG, queue: LONG, worker_id: LONG, attempt: 99_999, max_attempts: 99_999,
  error: { type: LONG, message: LONG }, wait_ms: 31_536_000_000, duration_ms: 31_536_000_000
}

export const executions: readonly Execution[] = [
  execution, failedExecution, runningExecution, pendingExecution, cancelledExecution, retriedExecution
]

export const timeline: ExecutionDetail['timeline'] = [
  { event: 'submitted', at: ago(120), attempt: null }, { event: 'started', at: ago(118), attempt: 1 },
  { event: 'attempt_failed', at: ago(115), attempt: 1 }, { event: 'started', at: ago(85), attempt: 2 },
  { event: 'lost', at: ago(60), attempt: 2 },
  { event: 'started', at: ago(30), attempt: 3 }, { event: 'failed', at: ago(12), attempt: 3 }
]

/** What failed for good, with that text everywhere. */
export function failedDetail(type: string, message: string): ExecutionDetail {
  const stack = `${type}: ${message}\n    at charge (/app/billing.js:41:7)\n    at run (/app/node_modules/bullmq/worker.js:3:4)`
  const attempts = [
    { attempt: 1, started_at: ago(118), finished_at: ago(115), worker_id: 'web-1', error: { type, message, stack } },
    { attempt: 3, started_at: ago(30), finished_at: ago(12), worker_id: null, error: { type, message, stack: null } }
  ]
  const { retry: _, ...rest } = failedExecution
  return {
    ...rest, truncated: [], error: { type, message, stack }, args: [{ order: 42 }], cancellation: null, result: null, result_problem: null,
    attempts, logs: ['charging', message], timeline, job_name: null, missing: [], retried_by: []
  }
}

export const detail: ExecutionDetail = failedDetail(error.type, error.message)

export const runningDetail: ExecutionDetail = {
  ...detail, status: 'running', state: 'active', error: null, error_group: null, finished_at: null, duration_ms: null, attempts: [],
  timeline: timeline.slice(0, 4), progress: 40
}

export const job: ExecutionJob = {
  execution_id: '0199-e1', task_name: 'billing:charge', known: true,
  parent: { task_name: 'orders:close', execution_id: '0199-p1', status: 'unfinished', job_name: 'close', key: 'bull:orders:p1',
    removed: false },
  children: [
    { task_name: 'email:send', execution_id: '0199-c1', status: 'success', job_name: 'receipt', key: 'bull:email:c1', removed: false },
    { task_name: null, execution_id: null, status: null, job_name: null, key: 'bull:unknown:c2', removed: true }
  ],
  children_left: 1, deduplication: { id: 'order-42', held: true, held_until: ahead(60) },
  trace: { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7', url: 'https://traces.example/4bf92f' }
}

import type { AuditEntry, BulkItem, BulkOperation, BulkPreview } from '../../../schemas/index.ts'
import { failedExecution, hostileExecution, retriedExecution } from './executions.ts'
import { ago, ahead, HOSTILE, LONG } from './texts.ts'

export const operation: BulkOperation = {
  operation_id: '0199-b1', action: 'retry', reason: 'The gateway is back', filter: { status: 'failed', task_name: 'billing:charge' },
  before: ago(300), count: { value: 1_204, relation: 'exact' }, executions_left_out: null, state: 'running', finished_at: null,
  progress: { done: 310, failed: 4, undone: 0, items: 320, skipped: 6 }, task_count: 2, tasks_left_out: 0, waiting_for: null, problem: null,
  execution_count: 1_204, executions_checked: true, rate: 50, created_at: ago(280), created_by: 'ada@example.com', changed_at: null,
  changed_by: null, expires_at: ahead(600_000), undoable: true, capped: false
}

export const finishedOperation: BulkOperation = {
  ...operation, operation_id: '0199-b2', state: 'done', finished_at: ago(10), progress: { done: 1_180, failed: 14, undone: 0,
    items: 1_204, skipped: 10 }
}

export const waitingOperation: BulkOperation = {
  ...operation, operation_id: '0199-b3', action: 'cancel', state: 'suspended', waiting_for: 'broker', changed_at: ago(20),
  changed_by: 'bob',
  problem: 'The broker cannot be reached'
}

/** Written by another version, or before progress was kept. */
export const unknownOperation: BulkOperation = {
  ...operation, operation_id: '0199-b4', action: null, filter: null, reason: null, state: 'unsupported', progress: null, created_by: null,
  execution_count: null, executions_checked: null, rate: null, undoable: false
}

export const hostileOperation: BulkOperation = {
  ...finishedOperation, operation_id: HOSTILE, reason: HOSTILE, created_by: HOSTILE, changed_by: HOSTILE, problem: HOSTILE,
  filter: { task_name: HOSTILE, worker_id: HOSTILE, search: HOSTILE, error_group: HOSTILE }
}

export const longOperation: BulkOperation = {
  ...finishedOperation, operation_id: '0199-b6', reason: LONG, created_by: LONG, problem: LONG, filter: { task_name: LONG, search: LONG },
  count: { value: 9e15, relation: 'at_least' }, capped: true, tasks_left_out: 9_999, executions_left_out: 9e15,
  progress: { done: 8e15, failed: 9e14, undone: 1e14, items: 9e15, skipped: 0 }
}

export const operations: readonly BulkOperation[] = [operation, finishedOperation, waitingOperation, unknownOperation]

export const items: readonly BulkItem[] = [
  { task_name: 'billing:charge', execution_id: '0199-e1', error_group: null, outcome: 'done', code: null, made_execution_id: '0199-e9' },
  { task_name: 'billing:charge', execution_id: '0199-e2', error_group: null, outcome: 'failed', code: 'BROKER_UNAVAILABLE',
    made_execution_id: null },
  { task_name: 'email:send', execution_id: '0199-e3', error_group: null, outcome: 'skipped', code: 'EXECUTION_RETRIED',
    made_execution_id: null },
  { task_name: null, execution_id: null, error_group: 'g1', outcome: 'undone', code: null, made_execution_id: null }
]

export const hostileItem: BulkItem = {
  task_name: HOSTILE, execution_id: HOSTILE, error_group: null, outcome: 'failed', code: HOSTILE, made_execution_id: HOSTILE
}

export const bulkPreview: BulkPreview = {
  action: 'retry', count: { value: 1_204, relation: 'exact' }, executions_left_out: null, sample: [failedExecution, retriedExecution],
  token: 't', max_items: 100_000, task_count: 2, tasks_left_out: 0
}

export const cappedPreview: BulkPreview = {
  ...bulkPreview, count: { value: 100_000, relation: 'at_least' }, executions_left_out: 40, tasks_left_out: 3, sample: [hostileExecution]
}

export const entry: AuditEntry = {
  entry_id: '0199-a1', at: ago(40), actor: 'ada@example.com', address: '192.0.2.7', action: 'schedules:edit',
  resource: { task_name: 'reports:daily', schedule_id: 'daily-report', execution_id: null, error_group: null }, method: 'PATCH',
  path: '/api/schedules/daily-report', request_id: 'r-1', reason: 'Later on Mondays', outcome: 'done', status: 200, code: null,
  before: { cron: '0 8 * * *', args: ['daily'] }, after: { cron: '30 8 * * *', args: ['daily', 30] }, truncated: [], not_listed: null
}

export const refusedEntry: AuditEntry = {
  ...entry, entry_id: '0199-a2', outcome: 'refused', status: 403, code: 'FORBIDDEN', before: null, after: null, reason: null
}

export const unknownEntry: AuditEntry = {
  ...entry, entry_id: '0199-a3', actor: null, address: null, outcome: 'unknown', status: null, before: null, after: null, reason: null,
  resource: { task_name: null, schedule_id: null, execution_id: null, error_group: null }, not_listed: 12
}

export const hostileEntry: AuditEntry = {
  ...entry, entry_id: HOSTILE, actor: HOSTILE, address: HOSTILE, action: HOSTILE, path: HOSTILE, request_id: HOSTILE, reason: HOSTILE,
  resource: { task_name: HOSTILE, schedule_id: HOSTILE, execution_id: HOSTILE, error_group: HOSTILE }, outcome: 'failed', status: 500,
  code: HOSTILE, before: { [HOSTILE]: HOSTILE }, after: { [HOSTILE]: LONG }, truncated: ['before']
}

export const entries: readonly AuditEntry[] = [entry, refusedEntry, unknownEntry]

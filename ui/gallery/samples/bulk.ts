import type { AuditEntry, BulkItem, BulkOperation, BulkPreview } from '../../../schemas/index.ts'
import { executions } from './executions.ts'
import { ago, HOSTILE, LONG } from './frame.ts'

export const operation: BulkOperation = {
  operation_id: 'b-1', action: 'retry', state: 'running', waiting_for: null, problem: null,
  filter: { status: 'failed', task_name: 'billing:charge', from: ago(3_600) }, execution_count: null, executions_checked: null,
  executions_left_out: null, before: ago(60), task_count: 1, tasks_left_out: 0, count: { value: 2_000, relation: 'exact' },
  progress: { items: 1_204, done: 1_180, skipped: 20, failed: 4, undone: 0 }, rate: 100, reason: 'The mail server is back',
  created_at: ago(60),
  created_by: 'ada', changed_at: null, changed_by: null, finished_at: null, expires_at: ago(-600_000), undoable: false, capped: false
}

const ended: BulkOperation = {
  ...operation, finished_at: ago(5), undoable: true, progress: { items: 2_000, done: 1_976, skipped: 20, failed: 4, undone: 0 }
}

/** One in each state. */
export const operations: readonly BulkOperation[] = [
  operation,
  { ...operation, operation_id: 'b-2', state: 'suspended', changed_at: ago(9), changed_by: 'bob' },
  { ...operation, operation_id: 'b-3', waiting_for: 'broker' },
  { ...ended, operation_id: 'b-4', state: 'done' },
  { ...ended, operation_id: 'b-5', state: 'aborted', changed_by: 'bob' },
  { ...ended, operation_id: 'b-6', state: 'undoing', finished_at: null, undoable: false },
  { ...ended, operation_id: 'b-7', state: 'undone', undoable: false, progress: { items: 2_000, done: 776, skipped: 20, failed: 4,
    undone: 1_200 } },
  { ...operation, operation_id: 'b-8', state: 'unsupported', action: null, filter: null, progress: null }
]

export const hostileOperation: BulkOperation = {
  ...operation, reason: `${HOSTILE} ${LONG}`, created_by: HOSTILE, filter: { status: 'failed', task_name: HOSTILE, search: LONG },
  tasks_left_out: 3, executions_left_out: 12, capped: true
}

export const items: readonly BulkItem[] = [
  { task_name: 'billing:charge', execution_id: 'e-1', error_group: null, outcome: 'done', code: null, made_execution_id: 'e-9' },
  { task_name: 'billing:charge', execution_id: 'e-2', error_group: null, outcome: 'skipped', code: 'WRONG_STATE', made_execution_id: null },
  { task_name: 'billing:charge', execution_id: 'e-3', error_group: null, outcome: 'failed', code: 'ARGS_NOT_WHOLE',
    made_execution_id: null },
  { task_name: HOSTILE, execution_id: HOSTILE, error_group: null, outcome: 'undone', code: null, made_execution_id: 'e-8' }
]

export const bulkPreview: BulkPreview = {
  action: 'retry', count: { value: 2_000, relation: 'exact' }, task_count: 1, tasks_left_out: 0, executions_left_out: null,
  sample: [...executions].slice(0, 3), token: 't', max_items: 1_000_000
}

export const entry: AuditEntry = {
  entry_id: 'a-1', at: ago(40), actor: 'ada', address: '127.0.0.1', action: 'schedules:update',
  resource: { task_name: 'email:send', schedule_id: 's-1', execution_id: null, error_group: null }, method: 'PATCH',
  path: '/api/schedules/s-1',
  request_id: 'req-1', reason: 'The report is needed earlier', outcome: 'done', status: 200, code: null,
  before: { cron: '0 7 * * 1-5', enabled: true }, after: { cron: '0 6 * * 1-5', enabled: true }, truncated: [], not_listed: null
}

export const entries: readonly AuditEntry[] = [
  entry,
  { ...entry, entry_id: 'a-2', outcome: 'refused', status: 403, code: 'FORBIDDEN', after: null, actor: null, reason: null },
  { ...entry, entry_id: 'a-3', outcome: 'failed', status: 503, code: 'BROKER_UNAVAILABLE', after: null },
  { ...entry, entry_id: 'a-4', outcome: 'unknown', status: null, after: null },
  { ...entry, entry_id: 'a-5', outcome: 'in_progress', status: null, after: null }
]

export const hostileEntry: AuditEntry = {
  ...entry, actor: HOSTILE, address: HOSTILE, reason: LONG, resource: { ...entry.resource, task_name: HOSTILE },
  before: { [HOSTILE]: HOSTILE },
  after: { [HOSTILE]: LONG }, truncated: ['/before'], not_listed: 12
}

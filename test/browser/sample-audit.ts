import type { AuditEntry } from '../../lib/queue-app/audit/audit-entry.ts'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { HOSTILE } from './shop.ts'

const HOUR_MS = 3_600_000
const SCHEDULE = {
  schedule_id: 's-1', task_name: 'email:send', cron: '0 7 * * 1-5', enabled: true, description: 'Daily report', args: ['a@example.com', 1],
  stats: { runs: 7, missed: 0 }, version: '3', updated_at: '2026-01-01T00:00:00.000Z'
}

/** The newest entry comes first; each is an hour older than the one before it. */
export function sampleEntries(now: number): AuditEntry[] {
  const given: ReadonlyArray<Partial<AuditEntry>> = [
    {
      action: 'schedules:update', method: 'PATCH', path: '/api/schedules/s-1', reason: 'Finance asked for an earlier report\nsee OPS-17',
      before: SCHEDULE, after: { ...SCHEDULE, cron: '0 6 * * 1-5', args: ['a@example.com', 2], version: '4' }
    },
    { outcome: 'refused', status: 403, code: 'FORBIDDEN', actor: null, address: null, notListed: 12, after: null, before: null },
    {
      action: 'schedules:delete', method: 'DELETE', reason: HOSTILE.text, actor: HOSTILE.text,
      before: { ...SCHEDULE, description: HOSTILE.text }, after: { schedule_id: 's-1', deleted: true },
      resource: { taskName: HOSTILE.task, scheduleId: 's-1' }
    },
    {
      action: 'executions:retry', method: 'POST', path: '/api/executions/e-1/retry',
      resource: { taskName: 'email:send', executionId: 'e-1' }, after: { execution_id: 'e-2' }
    },
    { action: 'tasks:run', method: 'POST', path: '/api/tasks/email:send/run', outcome: 'unknown', status: 503, code: 'UNCONFIRMED' },
    { outcome: 'failed', status: 503, code: 'BROKER_UNAVAILABLE' },
    { outcome: 'in_progress', status: null },
    { action: 'robots:paint', truncated: ['before'] }
  ]
  return given.map((fields, index) => sampleEntry(now - index * HOUR_MS, index, fields))
}

export function sampleEntry(at: number, index: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  const time = at.toString(16).padStart(12, '0')
  return {
    entryId: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(index).padStart(12, '0')}`, at, actor: 'ada', address: '10.0.0.7',
    action: 'schedules:disable', resource: { taskName: 'email:send', scheduleId: 's-1' }, method: 'PUT',
    path: '/api/schedules/s-1/disable', requestId: `req-${index}`, reason: null, outcome: 'done', status: 200, code: null, before: null,
    after: null, truncated: [], madeExecutionId: null, notListed: 0, ...fields
  }
}

/** A fake audit log with these entries; the cursor is an index. */
export function auditOf(entries: () => readonly AuditEntry[]): Monitoring['auditEntries'] {
  return async ({ cursor = '0', limit = 50, from = 0, to = Infinity, actor, action, outcome, taskName, scheduleId, executionId }) => {
    const found = entries().filter(entry => entry.at >= from && entry.at < to &&
      [[actor, entry.actor], [action, entry.action], [outcome, entry.outcome], [taskName, entry.resource.taskName],
        [scheduleId, entry.resource.scheduleId], [executionId, entry.resource.executionId]
      ].every(([wanted, value]) => wanted === undefined || wanted === value))
    const end = Number(cursor) + limit
    return {
      entries: found.slice(Number(cursor), end), nextCursor: end < found.length ? String(end) : null, complete: true,
      kept: { maxAgeMs: 365 * 24 * HOUR_MS, maxCount: 20_000 }
    }
  }
}

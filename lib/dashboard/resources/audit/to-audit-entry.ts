import type { AuditEntry as WireEntry } from '../../../../schemas/audit.ts'
import type { AuditEntry } from '../../../queue-app/audit/audit-entry.ts'
import { toTimestamp } from '../wire-values.ts'

export function toAuditEntry(entry: AuditEntry): WireEntry {
  const { taskName, scheduleId, executionId, errorGroup } = entry.resource
  return {
    entry_id: entry.entryId,
    at: toTimestamp(entry.at),
    actor: entry.actor,
    address: entry.address,
    action: entry.action,
    resource: {
      task_name: nameOf(taskName), schedule_id: nameOf(scheduleId), execution_id: nameOf(executionId), error_group: nameOf(errorGroup)
    },
    method: entry.method,
    path: entry.path,
    request_id: entry.requestId,
    reason: entry.reason,
    outcome: entry.outcome,
    status: entry.status,
    code: entry.code,
    before: entry.before,
    after: entry.after,
    truncated: entry.truncated.map(name => `/${name}`),
    not_listed: entry.notListed
  }
}

/** A request that was refused may have an empty name. */
function nameOf(name: string | undefined): string | null {
  return name || null
}

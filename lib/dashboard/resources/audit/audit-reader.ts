import type { AuditPage, AuditQuery } from '../../../../schemas/audit.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { DAY_MS } from '../../../time/units.ts'
import { answerOf } from '../answer.ts'
import { instantFrom } from '../instant.ts'
import { toAuditEntry } from './to-audit-entry.ts'

export type AuditReader = ReturnType<typeof createAuditReader>

export function createAuditReader(monitoring: Monitoring) {
  return {
    /** Rejects with INVALID_INPUT and INVALID_CURSOR. Not cached, because a reader of the log wants to see the last write. */
    async list({ task_name: taskName, schedule_id: scheduleId, execution_id: executionId, ...query }: AuditQuery): Promise<AuditPage> {
      const { from, to, ...filter } = query
      const { entries, nextCursor, complete, kept } = await answerOf(monitoring, () => monitoring.auditEntries({
        ...filter,
        ...(taskName !== undefined && { taskName }),
        ...(scheduleId !== undefined && { scheduleId }),
        ...(executionId !== undefined && { executionId }),
        ...(from !== undefined && { from: instantFrom(from, 'from') }),
        ...(to !== undefined && { to: instantFrom(to, 'to') })
      }))
      return {
        items: entries.map(toAuditEntry), next_cursor: nextCursor, complete,
        kept: { days: kept.maxAgeMs / DAY_MS, count: kept.maxCount }
      }
    }
  }
}

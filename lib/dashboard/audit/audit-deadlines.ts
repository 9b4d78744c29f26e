import type { AuditOutcome, WriteDescription } from '../../queue-app/audit/audit-entry.ts'
import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import type { Operations } from '../../queue-app/operations/operations.ts'
import { SETTLE_WITHIN_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { answerOf } from '../resources/answer.ts'

const NOT_MADE: AuditOutcome = { outcome: 'failed', status: 503, code: 'NO_ANSWER', after: null }

export interface BegunWrite { readonly entryId: string; readonly write: WriteDescription }

export type PatientAudit = ReturnType<typeof withAuditDeadlines>

/** The audit log with deadlines, so that a request never hangs on it. */
export function withAuditDeadlines(audit: Operations['audit'], monitoring: Pick<Monitoring, 'patienceMs'>) {
  return {
    /** Describing a write includes reading what it is about to change. Both together have the deadline of one response. */
    async begin(describe: () => Promise<WriteDescription>): Promise<BegunWrite> {
      let begun: Promise<BegunWrite> | undefined
      try {
        return await answerOf(monitoring, async () => {
          const write = await describe()
          begun = audit.begin(write).then(entryId => ({ entryId, write }))
          return await begun
        })
      } catch (error) {
        // If the entry is written after the deadline, settle it. Otherwise it would say that the change may have been made.
        begun?.then(({ entryId }) => audit.settle(entryId, NOT_MADE), () => {})
        throw error
      }
    },
    refuse: audit.refuse,
    /** An outcome that is written after the deadline still counts. */
    settle: (entryId: string, outcome: Parameters<typeof audit.settle>[1]): Promise<void> =>
      withDeadline(audit.settle(entryId, outcome), SETTLE_WITHIN_MS, 'not settled').catch(() => {})
  }
}

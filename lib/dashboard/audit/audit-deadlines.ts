import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import type { Operations } from '../../queue-app/operations/operations.ts'
import { SETTLE_WITHIN_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { probeOf } from '../resources/answer.ts'

/** The audit log, so that a request never hangs on it. */
export function withDeadlines(audit: Operations['audit'], monitoring: Pick<Monitoring, 'patienceMs'>): Operations['audit'] {
  return {
    ...audit,
    begin: write => probeOf(monitoring, () => audit.begin(write)),
    // What is written later still counts.
    settle: (entryId, outcome) => withDeadline(audit.settle(entryId, outcome), SETTLE_WITHIN_MS, 'not settled').catch(() => {})
  }
}

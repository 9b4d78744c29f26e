import { budgetsOf } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'

type Patience = Pick<Monitoring, 'patienceMs'>

/** The queue app's result, or NO_ANSWER after the deadline, so that a request never hangs. */
export async function answerOf<Answer>({ patienceMs }: Patience, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), budgetsOf(patienceMs).answerMs, () => createTaskDashboardError('NO_ANSWER'))
}

/** The same for health probes, with the shorter deadline of a single call. */
export async function probeOf<Answer>({ patienceMs }: Patience, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), budgetsOf(patienceMs).probeMs, () => createTaskDashboardError('NO_ANSWER'))
}

/** The same for a write. If it times out it may still have happened, hence UNCONFIRMED. */
export async function writtenBy<Answer>({ patienceMs }: Patience, write: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => write())(), budgetsOf(patienceMs).writtenMs, () => createTaskDashboardError('UNCONFIRMED'))
}

/** A page that belongs to an owner, read in parallel with the check that the owner exists. Both have the deadline of one response. */
export async function pageOf<Page>(owner: Promise<unknown>, page: Promise<Page>): Promise<Page> {
  // If there is no owner, that error takes precedence.
  page.catch(() => {})
  await owner
  return page
}

import { budgetsOf } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'

type Patience = Pick<Monitoring, 'patienceMs'>

/** The answer of the queue app, or NO_ANSWER: a request never hangs, whatever the queue app does. */
export async function answerOf<Answer>({ patienceMs }: Patience, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), budgetsOf(patienceMs).answerMs, () => createTaskDashboardError('NO_ANSWER'))
}

/** The same for what probes ask, which wait less: the time of one call. */
export async function probeOf<Answer>({ patienceMs }: Patience, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), budgetsOf(patienceMs).probeMs, () => createTaskDashboardError('NO_ANSWER'))
}

/** The same for a write: one that is not answered in time may have happened, hence UNCONFIRMED. */
export async function writtenBy<Answer>({ patienceMs }: Patience, write: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => write())(), budgetsOf(patienceMs).writtenMs, () => createTaskDashboardError('UNCONFIRMED'))
}

/** A page of what belongs to an owner, read while it is found out whether there is one: both within the time of one answer. */
export async function pageOf<Page>(owner: Promise<unknown>, page: Promise<Page>): Promise<Page> {
  // That there is no owner comes first.
  page.catch(() => {})
  await owner
  return page
}

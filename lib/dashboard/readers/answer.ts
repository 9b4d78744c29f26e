import { withDeadline } from '../../deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Monitoring } from '../../queue-app/monitoring.ts'

/** For the rest of a request: with servers as datastores it is answered in two seconds. */
const MARGIN_MS = 300

/** The answer of the queue app, or NO_ANSWER: a request never hangs, whatever the queue app does. */
export async function answerOf<Answer>({ patienceMs }: Pick<Monitoring, 'patienceMs'>, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), patienceMs + MARGIN_MS, () => createTaskDashboardError('NO_ANSWER'))
}

/** A page of what belongs to an owner, read while it is found out whether there is one: both within the time of one answer. */
export async function pageOf<Page>(owner: Promise<unknown>, page: Promise<Page>): Promise<Page> {
  // That there is no owner comes first.
  page.catch(() => {})
  await owner
  return page
}

import { withDeadline } from '../../deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'

/** Under the two seconds that a request is promised, with room for the rest of it. */
const ANSWER_TIMEOUT_MS = 1800

/** The answer of the queue app, or NO_ANSWER: a request never hangs, whatever the queue app does. */
export async function answerOf<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), ANSWER_TIMEOUT_MS, () => createTaskDashboardError('NO_ANSWER'))
}

/** A page of what belongs to an owner, read while it is found out whether there is one: both within the time of one answer. */
export async function pageOf<Page>(owner: Promise<unknown>, page: Promise<Page>): Promise<Page> {
  // That there is no owner comes first.
  page.catch(() => {})
  await owner
  return page
}

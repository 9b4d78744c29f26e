import { withDeadline } from '../../time/deadline.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'

/** For the rest of a request: a server that does not answer at all is told in two seconds. */
const MARGIN_MS = 300
/** One that is slow may take several calls. */
const SLOW_READ_MS = 3_000
/** Every step of a write has a limit of its own: this only ends what a defect would let hang. */
const SLOW_WRITE_MS = 6_500

type Patience = Pick<Monitoring, 'patienceMs'>

/** The answer of the queue app, or NO_ANSWER: a request never hangs, whatever the queue app does. */
export async function answerOf<Answer>({ patienceMs }: Patience, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), patienceMs + SLOW_READ_MS, () => createTaskDashboardError('NO_ANSWER'))
}

/** The same for what probes ask, which wait less: the time of one call. */
export async function probeOf<Answer>({ patienceMs }: Patience, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => ask())(), patienceMs + MARGIN_MS, () => createTaskDashboardError('NO_ANSWER'))
}

/** The same for a write: one that is not answered in time may have happened, hence UNCONFIRMED. */
export async function writtenBy<Answer>({ patienceMs }: Patience, write: () => Answer | Promise<Answer>): Promise<Answer> {
  return withDeadline((async () => write())(), patienceMs + SLOW_WRITE_MS, () => createTaskDashboardError('UNCONFIRMED'))
}

/** A page of what belongs to an owner, read while it is found out whether there is one: both within the time of one answer. */
export async function pageOf<Page>(owner: Promise<unknown>, page: Promise<Page>): Promise<Page> {
  // That there is no owner comes first.
  page.catch(() => {})
  await owner
  return page
}

import { createTaskDashboardError } from '../../errors.ts'

/** Under the two seconds that a request is promised, with room for the rest of it. */
const ANSWER_TIMEOUT_MS = 1800

/** The answer of the queue app, or NO_ANSWER: a request never hangs, whatever the queue app does. */
export async function answerOf<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createTaskDashboardError('NO_ANSWER')), ANSWER_TIMEOUT_MS)
  })
  try {
    return await Promise.race([ask(), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

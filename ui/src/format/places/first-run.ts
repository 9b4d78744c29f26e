import type { Stats } from '../../../../schemas/index.ts'
import { frameTexts } from '../../texts/frame.ts'

export interface FirstStep {
  readonly title: string
  /** null: not known. */
  readonly isDone: boolean | null
  /** What to do; null if there is nothing to do but wait. */
  readonly code: string | null
}

const FIRST_TASK = `queueApp.task('email:send', async (to, subject) => {
  // …
}, { retries: 3 })`
const FIRST_EXECUTION = "await queueApp.enqueue('email:send', ['ada@example.com', 'Welcome'])"

type Seen = Pick<Stats, 'registered_tasks' | 'active_workers' | 'total_tasks' | 'executions'>

/** What a new app still needs; null once anything has run. */
export function firstRunSteps(seen: Seen): FirstStep[] | null {
  const { registered_tasks: tasks, active_workers: workers, total_tasks: finished, executions } = seen
  if (finished > 0 || executions.success > 0 || executions.failed > 0) return null
  return [
    { title: frameTexts.taskIsRegistered, isDone: tasks > 0, code: FIRST_TASK },
    { title: frameTexts.workerRuns, isDone: workers === null ? null : workers > 0, code: 'await queueApp.start()' },
    { title: frameTexts.somethingHasRun, isDone: false, code: executions.running || executions.pending ? null : FIRST_EXECUTION }
  ]
}

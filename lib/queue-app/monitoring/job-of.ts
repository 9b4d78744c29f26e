import type { Engine } from '../../engine/engine.ts'
import type { JobFacts } from '../../engine/observing/relations/job-facts.ts'
import type { ExecutionDetail } from '../../execution.ts'

export interface JobReads {
  /**
   * What BullMQ stores about the job of an observed execution: parent, children, deduplication key, trace. Null if there is no such
   * execution. `facts` is null for the app's own tasks, and if the broker does not have the job any more.
   */
  jobOf(executionId: string): Promise<{ readonly taskName: string; readonly facts: JobFacts | null } | null>
}

interface Dependencies {
  readonly engine: Pick<Engine, 'jobFacts'>
  readonly taskNames: () => Promise<readonly string[]>
  readonly find: (executionId: string) => Promise<ExecutionDetail | null>
}

/** See `Monitoring.jobOf`. */
export function createJobReader({ engine, taskNames, find }: Dependencies): JobReads['jobOf'] {
  return async executionId => {
    const facts = await engine.jobFacts?.(await taskNames(), executionId) ?? null
    if (facts !== null) return { taskName: facts.taskName, facts }
    const found = await find(executionId)
    return found && { taskName: found.taskName, facts: null }
  }
}

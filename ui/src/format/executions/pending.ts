import type { ExecutionDetail, Task } from '../../../../schemas/index.ts'
import { executionTexts } from '../../texts/executions.ts'

/** Why an execution does not run yet. */
export interface PendingReason {
  readonly text: string
  /** RFC 3339: until when, or since when; null where that is not known. */
  readonly until: string | null
  readonly since: string | null
  /** Somebody has to do something. */
  readonly isTrouble: boolean
}

type Waiting = Pick<ExecutionDetail, 'state' | 'attempt' | 'next_attempt_at' | 'submitted_at' | 'priority'>

/** What it waits for, as far as that is known; what is trouble comes first. */
export function pendingReasons(execution: Waiting, task: Pick<Task, 'workers' | 'rate_limited_until'> | undefined): PendingReason[] {
  const reasons: PendingReason[] = []
  if (task?.workers === 0) reasons.push(reason(executionTexts.reasons.noWorker, { isTrouble: true }))
  if (task && task.rate_limited_until !== null)
    reasons.push(reason(executionTexts.reasons.rateLimit, { until: task.rate_limited_until }))
  const own = ownReason(execution.state)
  if (own) reasons.push(reason(own, { until: execution.next_attempt_at, isTrouble: execution.state === 'stalled' }))
  if (execution.state === 'waiting' || execution.state === 'prioritized') {
    const since = execution.attempt === 0 ? execution.submitted_at : null
    if (execution.priority > 0)
      reasons.push(reason(executionTexts.priorityReason(execution.priority), {}))
    reasons.push(reason(executionTexts.reasons.freeWorker, { since }))
  }
  return reasons
}

function ownReason(state: ExecutionDetail['state']): string | undefined {
  const reasons: Partial<Record<ExecutionDetail['state'], string>> = executionTexts.reasons
  return reasons[state]
}

function reason(text: string, more: Partial<Omit<PendingReason, 'text'>>): PendingReason {
  return { text, until: null, since: null, isTrouble: false, ...more }
}

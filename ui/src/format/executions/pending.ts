import type { ExecutionDetail, Task } from '../../../../schemas/index.ts'

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
  if (task?.workers === 0) reasons.push(reason('No process runs this task now: start one that registers it', { isTrouble: true }))
  if (task && task.rate_limited_until !== null)
    reasons.push(reason('The rate limit of its task is reached', { until: task.rate_limited_until }))
  const own = OWN[execution.state]
  if (own) reasons.push(reason(own, { until: execution.next_attempt_at, isTrouble: execution.state === 'stalled' }))
  if (execution.state === 'waiting' || execution.state === 'prioritized') {
    const since = execution.attempt === 0 ? execution.submitted_at : null
    if (execution.priority > 0)
      reasons.push(reason(`It has priority ${execution.priority}: those with none or a lower number run first`, {}))
    reasons.push(reason('It waits for a free worker', { since }))
  }
  return reasons
}

const OWN: Partial<Record<ExecutionDetail['state'], string>> = {
  delayed: 'It is delayed, and not due yet',
  retrying: 'It waits for its next attempt',
  paused: 'Its queue is paused',
  waiting_children: 'It waits for executions that it depends on',
  stalled: 'Its process was lost; another worker takes it'
}

function reason(text: string, more: Partial<Omit<PendingReason, 'text'>>): PendingReason {
  return { text, until: null, since: null, isTrouble: false, ...more }
}

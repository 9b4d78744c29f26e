import { randomUUID } from 'node:crypto'
import type { FinishedExecution } from '../../lib/execution.ts'

/** A finished execution: an ordinary success, overridden by the given fields. */
export function makeExecution(given: Partial<FinishedExecution> = {}): FinishedExecution {
  const finishedAt = given.finishedAt ?? Date.now()
  const status = given.status ?? 'success'
  const times = { submittedAt: finishedAt - 30, startedAt: finishedAt - 20, finishedAt }
  const execution: FinishedExecution = {
    executionId: randomUUID(),
    taskName: 'email:send',
    queue: 'email_3asend',
    status,
    state: status === 'success' ? 'completed' : status,
    attempt: 1,
    maxAttempts: 1,
    priority: 0,
    scheduleId: null,
    retryOf: null,
    workerId: 'host-1234',
    ...times,
    waitMs: 10,
    durationMs: 20,
    progress: null,
    error: status === 'failed' ? { type: 'Error', message: 'no route', stack: 'Error: no route\n    at send (/app/mail.js:3:1)' } : null,
    errorGroup: status === 'failed' ? 'abc123' : null,
    args: ['a@example.org', 'Hello'],
    result: null,
    attempts: [],
    logs: [],
    truncated: [],
    ...given
  }
  if (given.attempts) return execution
  const { attempt, startedAt, workerId, error } = execution
  return { ...execution, attempts: [{ attempt, startedAt, finishedAt, workerId, error }] }
}

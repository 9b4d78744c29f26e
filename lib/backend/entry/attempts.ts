import type { ExecutionAttempt } from '../../execution.ts'

/** Merges attempts by number, field by field. What was recorded at the time wins over what the broker reports at the end. */
export function mergeAttempts(reported: readonly ExecutionAttempt[], recorded: readonly ExecutionAttempt[]): ExecutionAttempt[] {
  const byNumber = new Map(reported.map(attempt => [attempt.attempt, attempt]))
  for (const attempt of recorded) {
    const other = byNumber.get(attempt.attempt)
    const { error, truncated } = attempt.error ? attempt : other ?? attempt
    byNumber.set(attempt.attempt, {
      attempt: attempt.attempt,
      startedAt: attempt.startedAt ?? other?.startedAt ?? null,
      finishedAt: attempt.finishedAt ?? other?.finishedAt ?? null,
      workerId: attempt.workerId ?? other?.workerId ?? null,
      error,
      ...(truncated && { truncated })
    })
  }
  return [...byNumber.values()].sort((a, b) => a.attempt - b.attempt)
}

/** Splits attempts into the attempts without their `truncated` marks and the JSON pointers, relative to the execution, of what was cut. */
export function withoutMarks(
  marked: readonly ExecutionAttempt[]
): { readonly attempts: readonly ExecutionAttempt[]; readonly pointers: readonly string[] } {
  if (marked.every(attempt => attempt.truncated === undefined)) return { attempts: marked, pointers: [] }
  return {
    attempts: marked.map(({ truncated, ...attempt }) => attempt),
    pointers: marked.flatMap(({ truncated = [] }, index) => truncated.map(pointer => `/attempts/${index}${pointer}`))
  }
}

import type { ExecutionAttempt } from '../../../../schemas/index.ts'

/** Groups attempts, the oldest first. Consecutive attempts that failed with the same error are one run. */
export function foldAttempts(attempts: readonly ExecutionAttempt[]): ExecutionAttempt[][] {
  const runs: ExecutionAttempt[][] = []
  for (const attempt of attempts) {
    const last = runs.at(-1)
    if (last && isAlike(last[0]!, attempt)) last.push(attempt)
    else runs.push([attempt])
  }
  return runs
}

function isAlike({ error: one }: ExecutionAttempt, { error: other }: ExecutionAttempt): boolean {
  return one !== null && other !== null && one.type === other.type && one.message === other.message
}

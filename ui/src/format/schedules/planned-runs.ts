import type { Execution, ScheduleMiss } from '../../../../schemas/index.ts'

/** A run as it was planned, and its outcome. Times are in milliseconds since the epoch. */
export interface PlannedRun {
  /** Missed runs that follow each other are one line, from the first to the last. */
  readonly plannedAt: number
  readonly lastPlannedAt: number
  readonly count: number
  readonly outcome: 'upcoming' | 'missed' | Execution['status']
  /** Its first start; null if it has not started, or if the start is not known. */
  readonly startedAt: number | null
  /** How long after the plan it started. */
  readonly driftMs: number | null
  readonly execution: Execution | null
  /** Why it was missed, or late. */
  readonly miss: ScheduleMiss | null
}

/**
 * The plan of a schedule beside what happened, the latest plan first. Runs that someone started by hand were not planned and are left out.
 * @param next when it runs next, RFC 3339
 * @param isCut whether there are older executions than these. Then earlier misses are left out, because the runs in between are unknown.
 */
export function toPlannedRuns(
  executions: readonly Execution[], misses: readonly ScheduleMiss[], next: readonly string[], isCut: boolean
): PlannedRun[] {
  const late = new Map(misses.filter(({ kind }) => kind === 'late').map(miss => [miss.execution_id, miss]))
  const runs = executions.flatMap((execution): PlannedRun[] => {
    if (execution.planned_at === null) return []
    const plannedAt = Date.parse(execution.planned_at)
    const startedAt = startOf(execution, plannedAt)
    return [{
      plannedAt, lastPlannedAt: plannedAt, count: 1, outcome: execution.status, startedAt,
      driftMs: startedAt === null ? null : Math.max(0, startedAt - plannedAt), execution, miss: late.get(execution.execution_id) ?? null
    }]
  })
  const oldest = isCut ? Math.min(...runs.map(({ plannedAt }) => plannedAt)) : -Infinity
  const missed = misses.filter(({ kind }) => kind === 'missed').map((miss): PlannedRun => ({
    ...nothingYet(miss.first_due_at), lastPlannedAt: Date.parse(miss.last_due_at), count: miss.count, outcome: 'missed', miss
  })).filter(({ lastPlannedAt }) => lastPlannedAt >= oldest)
  const known = new Set(runs.map(({ plannedAt }) => plannedAt))
  const upcoming = next.map(at => nothingYet(at)).filter(({ plannedAt }) => !known.has(plannedAt))
  return [...upcoming, ...runs, ...missed].sort((one, other) => other.lastPlannedAt - one.lastPlannedAt)
}

/** `started_at` is that of the last attempt. */
function startOf({ attempt, started_at: started, wait_ms: waitMs }: Execution, plannedAt: number): number | null {
  if (waitMs !== null) return plannedAt + waitMs
  return attempt <= 1 && started !== null ? Date.parse(started) : null
}

function nothingYet(at: string): PlannedRun {
  const plannedAt = Date.parse(at)
  return {
    plannedAt, lastPlannedAt: plannedAt, count: 1, outcome: 'upcoming', startedAt: null, driftMs: null, execution: null, miss: null
  }
}

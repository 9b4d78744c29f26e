import type { Execution, ScheduleMiss } from '../../../../schemas/index.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

/** One line about what happened to a schedule's runs. */
export type RunEntry =
  | { readonly kind: 'run'; readonly at: number; readonly execution: Execution; readonly late: ScheduleMiss | null }
  | { readonly kind: 'missed' | 'late'; readonly at: number; readonly miss: ScheduleMiss }

export interface RunHistory {
  /** Newest first, as far back as the executions reach. */
  readonly entries: readonly RunEntry[]
  /** Runs that were missed or late before that. */
  readonly earlier: readonly RunEntry[]
}

/**
 * Runs and misses in one list, by time.
 * @param isCut whether there are older executions than these
 */
export function mergeRuns(executions: readonly Execution[], misses: readonly ScheduleMiss[], isCut: boolean): RunHistory {
  const lateRuns = new Map(misses.filter(miss => miss.execution_id !== null).map(miss => [miss.execution_id, miss]))
  const shown = new Set(executions.map(execution => execution.execution_id))
  const runs = executions.map((execution): RunEntry => ({
    kind: 'run', at: Date.parse(execution.finished_at ?? execution.started_at ?? execution.submitted_at), execution,
    late: lateRuns.get(execution.execution_id) ?? null
  }))
  const others = misses.filter(miss => miss.execution_id === null || !shown.has(miss.execution_id))
    .map((miss): RunEntry => ({ kind: miss.kind, at: Date.parse(miss.last_due_at), miss }))
  const oldest = isCut ? Math.min(...runs.map(({ at }) => at)) : -Infinity
  const entries = [...runs, ...others.filter(({ at }) => at >= oldest)].sort(newestFirst)
  return { entries, earlier: others.filter(({ at }) => at < oldest).sort(newestFirst) }
}

/** The newest entries. Older ones that were missed or late move to `earlier`. */
export function latest({ entries, earlier }: RunHistory, count: number): RunHistory {
  return { entries: entries.slice(0, count), earlier: [...entries.slice(count).filter(({ kind }) => kind !== 'run'), ...earlier] }
}

function newestFirst(one: RunEntry, other: RunEntry): number {
  return other.at - one.at
}

/** Why a run did not happen, or happened late, in words. */
export function missReason(miss: Pick<ScheduleMiss, 'reason'>): string {
  return scheduleTexts.reasons[miss.reason]
}

import type { Standing } from '../../../engine/standing/standing.ts'
import { HEARTBEAT_EVERY_MS } from '../../processes/process-heartbeats.ts'
import type { KnownWorker } from '../../processes/worker-reports.ts'

/** The processes with a task, as far as they are known. */
export interface TaskWorkers {
  /** Processes that take executions. */
  readonly taking: number
  readonly stopping: number
  readonly silent: number
  readonly refused: number
  /** The sum over the processes that take executions; null if one of them does not report it. */
  readonly concurrency: number | null
  /** How many more executions these processes may take now; null if unknown. */
  readonly free: number | null
}

/** After this long, two heartbeats are missing. */
export const LATE_AFTER_MS = 2.5 * HEARTBEAT_EVERY_MS

/** @param standing the broker's view at the same moment */
export function workersOfTask(
  workers: readonly KnownWorker[], taskName: string, { at, active }: Pick<Standing, 'at' | 'active'>
): TaskWorkers {
  const counts = { taking: 0, stopping: 0, silent: 0, refused: 0 }
  let [concurrency, free]: [number | null, number | null] = [0, active.isAll ? 0 : null]
  for (const worker of workers) {
    const index = (worker.report?.tasks ?? worker.tasks).indexOf(taskName)
    if (index < 0) continue
    const state = stateOf(worker, at)
    counts[state]++
    if (state !== 'taking') continue
    const own = worker.report?.concurrencies[index] ?? null
    concurrency = concurrency === null || own === null ? null : concurrency + own
    free = free === null || own === null ? null : free + Math.max(0, own - (active.byWorker.get(worker.workerId) ?? 0))
  }
  return { ...counts, concurrency, free }
}

function stateOf({ isSilent, isStopping, refusal, report }: KnownWorker, at: number): 'taking' | 'stopping' | 'silent' | 'refused' {
  if (isSilent || report !== null && at - report.seenAt > LATE_AFTER_MS) return 'silent'
  if (isStopping || report?.isStopping) return 'stopping'
  return refusal ? 'refused' : 'taking'
}

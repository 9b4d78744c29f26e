import { readObservedId } from '../../engine/observing/observed-id.ts'
import { MINUTE_MS } from '../../time/units.ts'

/** Clocks of a worker and of its server may differ by this much, and an event may be read this late. */
const SAME_WITHIN_MS = MINUTE_MS
const MAX_NOTED = 100_000

export interface NotedFinishes {
  /** Executions that were recorded with the job that the queue still had. */
  note(executions: ReadonlyArray<{ readonly executionId: string }>): void
  /** Whether one of these is the finish that an event told of at this time. */
  has(taskName: string, jobId: string, at: number): boolean
}

/**
 * The reconciler may record a job that is removed before its event is read. Its record has the worker's time of the finish, and the event
 * that of the server, so the same finish would be recorded twice. Both run in one process.
 */
export function createNotedFinishes(): NotedFinishes {
  const noted = new Map<string, number[]>()

  return {
    note(executions) {
      for (const { executionId } of executions) {
        const [id] = readObservedId(executionId)
        if (id === undefined || id.finishedOn === null) continue
        const key = `${id.taskName}:${id.jobId}`
        const times = noted.get(key)?.slice(-9) ?? []
        noted.delete(key)
        noted.set(key, [...times, id.finishedOn])
        if (noted.size > MAX_NOTED) noted.delete(noted.keys().next().value!)
      }
    },
    has: (taskName, jobId, at) => noted.get(`${taskName}:${jobId}`)?.some(time => Math.abs(time - at) < SAME_WITHIN_MS) ?? false
  }
}

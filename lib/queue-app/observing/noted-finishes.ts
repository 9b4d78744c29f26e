import { forgetOldest } from '../../collections/forget-oldest.ts'
import { readObservedId } from '../../engine/observing/observed-id.ts'
import { MINUTE_MS } from '../../time/units.ts'

/** Clocks of a worker and of its server may differ by this much, and an event may be read this late. */
export const SAME_WITHIN_MS = MINUTE_MS
const MAX_NOTED = 100_000
/** Finishes that are remembered of one job. */
const MAX_PER_JOB = 10

/** A finish, as an event told of it. */
export interface ToldOf {
  readonly taskName: string
  readonly jobId: string
  readonly eventId: string
  /** By the server's clock. */
  readonly at: number
  readonly status: string
}

export interface NotedFinishes {
  /**
   * Executions that were recorded with the job that the queue still had.
   * @param eventOf the event of the same finish; none if it is not known
   */
  note(executions: ReadonlyArray<{ readonly executionId: string; readonly status: string }>, eventOf?: (index: number) => string): void
  /** Whether one of these is the finish that an event told of. Each is the finish of one event only. */
  has(finish: ToldOf): boolean
  /** Forgets all: another process may have recorded since. */
  clear(): void
}

interface Noted {
  readonly finishedOn: number
  readonly status: string
  /** The event of this finish; null while it is not known. */
  eventId: string | null
}

/**
 * The reconciler may record a job that is removed before its event is read. Its record has the worker's time of the finish, and the event
 * that of the server, so the same finish would be recorded twice. Both run in one process.
 */
export function createNotedFinishes(): NotedFinishes {
  const noted = new Map<string, Noted[]>()

  return {
    note(executions, eventOf) {
      for (const [index, { executionId, status }] of executions.entries()) {
        const [id] = readObservedId(executionId)
        if (id === undefined || id.finishedOn === null) continue
        const key = `${id.taskName}:${id.jobId}`
        const ofJob = noted.get(key)?.slice(-MAX_PER_JOB) ?? []
        const known = ofJob.find(({ finishedOn }) => finishedOn === id.finishedOn)
        if (known === undefined) ofJob.push({ finishedOn: id.finishedOn, status, eventId: eventOf?.(index) ?? null })
        else known.eventId ??= eventOf?.(index) ?? null
        noted.delete(key)
        noted.set(key, ofJob)
        forgetOldest(noted, MAX_NOTED)
      }
    },
    has({ taskName, jobId, eventId, at, status }) {
      const ofJob = noted.get(`${taskName}:${jobId}`) ?? []
      if (ofJob.some(each => each.eventId === eventId)) return true
      const distance = ({ finishedOn }: Noted): number => Math.abs(finishedOn - at)
      const [nearest] = ofJob
        .filter(each => each.eventId === null && each.status === status && distance(each) < SAME_WITHIN_MS)
        .sort((one, other) => distance(one) - distance(other))
      if (nearest === undefined) return false
      // A later finish of the same job is another one.
      nearest.eventId = eventId
      return true
    },
    clear() { noted.clear() }
  }
}

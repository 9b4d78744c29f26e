import { forgetOldest } from '../../collections/forget-oldest.ts'
import { readObservedId } from '../../engine/observing/observed-id.ts'
import { MINUTE_MS } from '../../time/units.ts'

/** The clocks of a worker and of its server may differ by this much, and an event may be read this late. */
export const SAME_WITHIN_MS = MINUTE_MS
const MAX_NOTED = 100_000
/** How many finishes are remembered for one job. */
const MAX_PER_JOB = 10

/** A finish, as an event reported it. */
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
   * Notes executions that were recorded while the queue still had the job.
   * @param eventOf the event of the same finish; omitted if it is not known
   */
  note(executions: ReadonlyArray<{ readonly executionId: string; readonly status: string }>, eventOf?: (index: number) => string): void
  /** Whether one of the noted executions is the finish that an event reported. Each execution matches one event only. */
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
 * Keeps a finish from being recorded twice. The reconciler may record a job that is then removed before its event is read. The record has
 * the finish time by the worker's clock, but the event has the time by the server's clock. Reconciler and follower run in one process, so
 * one can remember what the other recorded.
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
      // From now on it matches this event only: a later event of the job is another finish.
      nearest.eventId = eventId
      return true
    },
    clear() { noted.clear() }
  }
}

import { forgetOldest } from '../../collections/forget-oldest.ts'
import { timeOfEvent, type ToldFinish } from '../../engine/observing/events/job-stories.ts'
import { readObservedId } from '../../engine/observing/observed-id.ts'
import type { FinishedExecution } from '../../execution.ts'

/** Remembers how the finishes that events reported were recorded. */
export interface EventFinishes {
  /** @param jobName if it is known */
  note(finish: Pick<ToldFinish, 'taskName' | 'jobId' | 'eventId' | 'status'>, executionId: string, jobName?: string): void
  /** The first recorded end of a job between two times, by the server's clock; null if it is not known. */
  firstOf(
    finish: Pick<ToldFinish, 'taskName' | 'jobId'>, fromMs: number, toMs: number
  ): { readonly executionId: string; readonly jobName: string | null } | null
  /** The event that an execution was recorded for; undefined if it is not known. */
  eventOf(finish: Pick<ToldFinish, 'taskName' | 'jobId'>, executionId: string): string | undefined
  /** How many were noted so far. */
  count(): number
  /**
   * Whether a job that was read from its queue has been removed since and was recorded from its events, under another id. All events up to
   * the time when the job was read must be recorded by now.
   * @param read `since`: the count before the job was read; `at`: after it was read, by the server's clock
   */
  isRebuilt(execution: FinishedExecution, read: { readonly since: number; readonly at: number }): boolean
  /** Forgets all: another process may have recorded since. */
  clear(): void
}

interface Recorded {
  readonly number: number
  readonly eventId: string
  readonly status: string
  readonly executionId: string
  readonly jobName: string | null
}

const MAX_JOBS = 100_000
/** How many finishes are remembered for one job. */
const MAX_PER_JOB = 10

/**
 * Remembers the last finishes, so that a finish that is also read from the queue is not recorded a second time. This does not depend on the
 * workers' clocks: a job that was read has the finish of its last event before that time.
 */
export function createEventFinishes(): EventFinishes {
  const recorded = new Map<string, Recorded[]>()
  let count = 0
  const ofJob = ({ taskName, jobId }: Pick<ToldFinish, 'taskName' | 'jobId'>): Recorded[] => recorded.get(`${taskName}:${jobId}`) ?? []

  return {
    note(finish, executionId, jobName) {
      const key = `${finish.taskName}:${finish.jobId}`
      const { eventId, status } = finish
      const others = ofJob(finish).filter(each => each.eventId !== eventId)
      recorded.delete(key)
      recorded.set(key, [...others, { number: ++count, eventId, status, executionId, jobName: jobName ?? null }].slice(-MAX_PER_JOB))
      forgetOldest(recorded, MAX_JOBS)
    },
    firstOf(finish, fromMs, toMs) {
      const found = ofJob(finish).find(({ eventId }) => timeOfEvent(eventId) >= fromMs && timeOfEvent(eventId) <= toMs)
      return found === undefined ? null : { executionId: found.executionId, jobName: found.jobName }
    },
    eventOf: (finish, executionId) => ofJob(finish).find(each => each.executionId === executionId)?.eventId,
    count: () => count,
    isRebuilt({ executionId, status }, { since, at }) {
      const [id] = readObservedId(executionId)
      if (id === undefined || id.finishedOn === null) return false
      const last = ofJob(id).filter(({ eventId }) => timeOfEvent(eventId) <= at).at(-1)
      // A finish that was recorded before the read does not count: its job was already gone then, so the job that was read has a later
      // finish.
      return last !== undefined && last.number > since && last.executionId !== executionId && last.status === status
    },
    clear() { recorded.clear() }
  }
}

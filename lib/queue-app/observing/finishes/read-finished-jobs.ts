import { readFinishedJob } from '../../../engine/observing/observed-finished.ts'
import type { ToldFinish } from '../../../engine/observing/events/job-stories.ts'
import type { FinishedExecution } from '../../../execution.ts'
import { DAY_MS } from '../../../time/units.ts'
import { isInQueue, wholeIdOf, type Claim, type ClaimInQueue } from './claim-finishes.ts'

/** Reads the finished jobs of one server, as many at a time as the server can handle. */
export interface JobReader {
  /** How many to read at a time. */
  size(): number
  /**
   * Returns an execution for each claim: read from the job if it is still in its queue, and rebuilt from the events if it is gone or can
   * never be read. Rejects if not all jobs could be read; `size` is smaller then.
   */
  read(claims: readonly Claim[]): Promise<FinishedExecution[]>
}

/** Jobs that could not be read although their servers respond. */
export interface UnreadableJobs {
  add(executionId: string, error: unknown): void
  /** One sentence for health; null if there was none in the last day. */
  problem(): string | null
}

/** Each may have megabytes of data, result and log. */
const MAX_AT_A_TIME = 50
/** How often a job is read alone before it is given up, while its server responds. Only once if the job before it was given up. */
const MAX_TRIES = 3

export function createFinishedJobReader(unreadable: UnreadableJobs): JobReader {
  let size = MAX_AT_A_TIME
  let isFailing = false
  /** The job that could not be read even alone. */
  let alone: { readonly finish: ToldFinish; readonly tries: number; readonly error: unknown } | null = null
  let isLastGivenUp = false

  async function toExecution(claim: Claim): Promise<FinishedExecution> {
    const { finish } = claim
    if (!isInQueue(claim)) return finish.rebuild()
    const { queue, finishedOn } = claim
    const state = finish.status === 'success' ? 'completed' : 'failed'
    const whole = await readFinishedJob(queue, wholeIdOf(finish, finishedOn), state).catch((error: unknown) => {
      if (queue.server.events.isRefusal(error)) return giveUp(claim, error)
      throw error
    })
    if (whole === null) return finish.rebuild()
    // The events tell when a job was promoted, when its children had ended, and its first start. The job itself has only its last start.
    const { waitMs } = finish.rebuild()
    return waitMs === null ? whole : { ...whole, waitMs }
  }

  /** Uses the id of the job itself, so that the comparison with its queue does not record it again. */
  function giveUp({ finish, finishedOn }: ClaimInQueue, error: unknown): FinishedExecution {
    const executionId = wholeIdOf(finish, finishedOn)
    unreadable.add(executionId, error)
    return { ...finish.rebuild(), executionId, finishedAt: finishedOn }
  }

  return {
    size: () => size,
    async read(claims) {
      const wanted = claims.filter(isInQueue)
      const [only] = wanted
      if (only === undefined) return claims.map(({ finish }) => finish.rebuild())
      // A request sent now would wait behind a response that is still being sent. And if the server is down, a failure says nothing about
      // its jobs.
      if (isFailing) await only.queue.server.ping()
      if (wanted.length === 1 && alone?.finish === only.finish && alone.tries >= (isLastGivenUp ? 1 : MAX_TRIES)) {
        isLastGivenUp = true
        const { error } = alone
        return claims.map(claim => claim === only ? giveUp(only, error) : claim.finish.rebuild())
      }
      try {
        const executions = await Promise.all(claims.map(toExecution))
        isFailing = false
        isLastGivenUp = false
        size = Math.min(size * 2, MAX_AT_A_TIME)
        return executions
      } catch (error) {
        isFailing = true
        size = Math.max(Math.floor(wanted.length / 2), 1)
        const { finish } = only
        if (wanted.length === 1) alone = { finish, tries: alone?.finish === finish ? alone.tries + 1 : 1, error }
        throw error
      }
    }
  }
}

export function createUnreadableJobs(onError: (error: Error) => void): UnreadableJobs {
  let count = 0
  let last: { readonly executionId: string; readonly reason: string; readonly at: number } | null = null

  return {
    add(executionId, error) {
      const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
      // A queue whose jobs may not be read can have one of these every second.
      const isReported = last !== null && last.reason === reason && last.at > Date.now() - DAY_MS
      count++
      last = { executionId, reason, at: Date.now() }
      if (!isReported) onError(new Error(`${executionId} is recorded from its events, because its job cannot be read (${reason})`))
    },
    problem() {
      if (last === null || last.at < Date.now() - DAY_MS) return null
      const { executionId, reason } = last
      return `${count} ${count === 1 ? 'job' : 'jobs'} could not be read although the server answers, so the history has only what their ` +
        `events tell, the last one ${executionId} (${reason})`
    }
  }
}

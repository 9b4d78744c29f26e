import { groupBy } from '../../../collections/group-by.ts'
import { readByGroup } from '../../../collections/read-by-group.ts'
import type { Discovery, SeenQueue } from '../../../engine/observing/discovery.ts'
import type { ToldFinish } from '../../../engine/observing/events/job-stories.ts'
import { finishedIdOf } from '../../../engine/observing/observed-id.ts'
import { SECOND_MS } from '../../../time/units.ts'
import { SAME_WITHIN_MS } from '../noted-finishes.ts'
import type { EventFinishes } from '../event-finishes.ts'

/** A finish, and the finish time that its job has in the queue. The time is null if the job is gone, or if it has another finish. */
export interface Claim { readonly finish: ToldFinish; readonly queue: SeenQueue | undefined; readonly finishedOn: number | null }

/** A claim whose job is still in the queue, so that it can be read. */
export interface ClaimInQueue extends Claim { readonly queue: SeenQueue; readonly finishedOn: number }

export function isInQueue(claim: Claim): claim is ClaimInQueue {
  return claim.queue !== undefined && claim.finishedOn !== null
}

const CLAIMED_AT_A_TIME = 1_000
/** If the times differ by more, the worker's clock is wrong or the job has finished again. Its events tell which. */
const CLEARLY_SAME_MS = SECOND_MS

/**
 * Finds which jobs in the queues still have the finishes that the events of a server reported. Takes only the first `CLAIMED_AT_A_TIME`
 * finishes. Rejects if the server cannot be read.
 * @param all in the order of their events
 */
export async function claimFinishes(
  all: readonly ToldFinish[],
  { discovery, ofEvents }: { readonly discovery: Pick<Discovery, 'queueOf'>; readonly ofEvents: Pick<EventFinishes, 'eventOf'> }
): Promise<Claim[]> {
  const lastOf = new Map(all.map(({ taskName, jobId, eventId }) => [`${taskName}:${jobId}`, eventId]))
  const first = all.slice(0, CLAIMED_AT_A_TIME)
  // Of several finishes of one job, the queue can only have the last.
  const last = first.filter(({ taskName, jobId, eventId }) => lastOf.get(`${taskName}:${jobId}`) === eventId)
  const times = await timesOf(last, discovery)
  const claims = first.map((finish): Claim =>
    ({ finish, queue: discovery.queueOf(finish.taskName), finishedOn: times.get(finish) ?? null }))
  const unclear = claims.filter(({ finish, finishedOn }) => finishedOn !== null && Math.abs(finishedOn - finish.at) >= CLEARLY_SAME_MS)
  const later = await laterFinishes(unclear)
  return claims.map(each => {
    const { finish, finishedOn } = each
    if (finishedOn === null) return each
    const isAnothers = (ofEvents.eventOf(finish, wholeIdOf(finish, finishedOn)) ?? finish.eventId) !== finish.eventId
    return later.has(finish) || isAnothers ? { ...each, finishedOn: null } : each
  })
}

/** The id of an execution that is read from its job. */
export function wholeIdOf({ taskName, jobId }: ToldFinish, finishedOn: number): string {
  return finishedIdOf(taskName, jobId, finishedOn)
}

/** Those whose jobs have finished again since, according to their events. So the workers' clocks do not matter. */
async function laterFinishes(claims: readonly Claim[]): Promise<ReadonlySet<ToldFinish>> {
  const later = new Set<ToldFinish>()
  for (const [queue, ofQueue] of groupBy(claims, ({ queue }) => queue!)) {
    const last = await queue.server.events.lastFinishes(queue, ofQueue[0]!.finish.eventId).catch(async () => {
      // While the server is down, everything waits. If it responds, these events cannot be read, and the clocks have to decide.
      await queue.server.ping()
      return null
    })
    for (const { finish, finishedOn } of ofQueue) {
      const isLater = last === null
        ? finishedOn! - finish.at >= SAME_WITHIN_MS
        : (last.get(finish.jobId) ?? finish.eventId) !== finish.eventId
      if (isLater) later.add(finish)
    }
  }
  return later
}

/** Null also for a job that the server refuses to read. */
async function timesOf(
  finishes: readonly ToldFinish[], discovery: Pick<Discovery, 'queueOf'>
): Promise<ReadonlyMap<ToldFinish, number | null>> {
  const jobs = finishes.flatMap(finish => {
    const queue = discovery.queueOf(finish.taskName)
    return queue === undefined ? [] : [{ finish, queue, jobId: finish.jobId }]
  })
  const found = await readByGroup(jobs, ({ queue }) => queue.server, (server, ofServer) => server.jobs.finishedOn(ofServer))
  return new Map(found.map((finishedOn, index) => {
    const { finish, queue } = jobs[index]!
    if (!(finishedOn instanceof Error)) return [finish, finishedOn]
    if (!queue.server.events.isRefusal(finishedOn)) throw finishedOn
    return [finish, null]
  }))
}

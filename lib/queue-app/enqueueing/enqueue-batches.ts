import type { Engine, EnqueueRequest } from '../../engine/engine.ts'
import { isTaskDashboardError, type TaskDashboardError } from '../../errors.ts'
import { groupBy } from '../../collections/group-by.ts'
import { isOutOfReach, unavailable } from '../../stores/failures/unavailable.ts'

/** Maximum requests sent to the broker in one round trip. */
const MAX_BATCH = 1000

/**
 * Collects what is enqueued in one turn of the event loop and sends it in sequential batches. A thousand calls at once cost one round trip,
 * and none waits so long behind others that it times out.
 * @returns a function that enqueues requests; resolves with the execution id for each, which is the existing one's for a duplicate
 */
export function createEnqueueBatches(engine: Pick<Engine, 'enqueue'>): (requests: readonly EnqueueRequest[]) => Promise<readonly string[]> {
  let waiting: Waiting[] = []
  let isSending = false

  return requests => new Promise((resolve, reject) => {
    waiting.push({ requests, resolve, reject })
    if (isSending) return
    isSending = true
    queueMicrotask(() => { void send() })
  })

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      // Each call is for a single task.
      const byTask = groupBy(takeBatch(), ({ requests }) => requests[0]?.taskName)
      const failures = await Promise.all([...byTask.values()].map(sendOfTask))
      const failure = failures.find(error => error !== undefined)
      if (failure === undefined || !isOutOfReach(failure)) continue
      // Reject all waiting calls, so that they do not go through one timeout after the other.
      for (const { reject } of waiting.splice(0)) reject(outOfReach(failure.cause, [], []))
    }
    isSending = false
  }

  /** @returns the error, if any. One task's failure does not affect the others. */
  async function sendOfTask(batch: readonly Waiting[]): Promise<unknown> {
    try {
      const duplicates = await engine.enqueue(batch.flatMap(({ requests }) => requests))
      for (const { requests, resolve } of batch) resolve(requests.map(({ executionId }) => duplicates.get(executionId) ?? executionId))
      return undefined
    } catch (error) {
      for (const { requests, resolve, reject } of batch) {
        const own = errorFor(requests, error)
        if (own === null) resolve(requests.map(({ executionId }) => executionId))
        else reject(own)
      }
      return error
    }
  }

  function takeBatch(): Waiting[] {
    let size = 0
    let count = 0
    while (count < waiting.length && (count === 0 || size + waiting[count]!.requests.length <= MAX_BATCH))
      size += waiting[count++]!.requests.length
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return batch
  }
}

interface Waiting { readonly requests: readonly EnqueueRequest[]; resolve(
  standingIds: readonly string[]
): void; reject(error: unknown): void }

/**
 * The error for one caller in a failed batch; null if everything that it requested was done. Each caller gets a new error; only `cause` is
 * shared.
 */
function errorFor(requests: readonly EnqueueRequest[], error: unknown): unknown {
  if (!isTaskDashboardError(error)) return error
  const among = (ids: readonly string[] = []): string[] => {
    const known = new Set(ids)
    return requests.map(({ executionId }) => executionId).filter(id => known.has(id))
  }
  const enqueuedIds = among(error.enqueuedIds)
  const unconfirmedIds = among(error.unconfirmedIds)
  if (enqueuedIds.length === requests.length) return null
  if (!isOutOfReach(error)) return error
  return outOfReach(error.cause, enqueuedIds, unconfirmedIds)
}

function outOfReach(cause: unknown, enqueuedIds: readonly string[], unconfirmedIds: readonly string[]): TaskDashboardError {
  return unavailable(cause, 'broker', { enqueuedIds, unconfirmedIds })
}

/**
 * Sends any number of requests, a thousand per round trip. An error says in `enqueuedIds` and `unconfirmedIds` which ones were, or may have
 * been, added.
 * @returns the execution id for each, which is the existing one's for a duplicate
 */
export async function enqueueAll(
  requests: readonly EnqueueRequest[], enqueue: (batch: readonly EnqueueRequest[]) => Promise<readonly string[]>
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < requests.length; start += MAX_BATCH) {
    try {
      ids.push(...await enqueue(requests.slice(start, start + MAX_BATCH)))
    } catch (error) {
      throw isOutOfReach(error)
        ? outOfReach(error.cause, [...ownOf(requests, ids), ...error.enqueuedIds ?? []], error.unconfirmedIds ?? [])
        : error
    }
  }
  return ids
}

/** The ids of the requests' own executions, without those that existed before. */
function ownOf(requests: readonly EnqueueRequest[], standingIds: readonly string[]): string[] {
  return standingIds.filter((id, index) => requests[index]!.executionId === id)
}

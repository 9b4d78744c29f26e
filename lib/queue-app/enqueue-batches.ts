import type { Engine, EnqueueRequest } from '../engine/engine.ts'
import { isTaskDashboardError, TaskDashboardError } from '../errors.ts'

/** Sent to the broker in one round trip. */
const BATCH_MAX = 1000

/**
 * Gathers what is enqueued in one turn of the event loop and sends it in batches, one after the other: a thousand calls at
 * once cost one round trip, and none of them waits so long behind the others that it counts as unanswered.
 */
export function createEnqueueBatches(engine: Pick<Engine, 'enqueue'>): (requests: readonly EnqueueRequest[]) => Promise<void> {
  let waiting: Array<{ requests: readonly EnqueueRequest[]; resolve: () => void; reject: (error: unknown) => void }> = []
  let isSending = false

  return requests => new Promise((resolve, reject) => {
    waiting.push({ requests, resolve, reject })
    if (isSending) return
    isSending = true
    queueMicrotask(() => { void send() })
  })

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        await engine.enqueue(batch.flatMap(({ requests }) => requests))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        // Whoever stands in line must not wait for one time-out after the other.
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error)
      }
    }
    isSending = false
  }

  function takeBatch(): typeof waiting {
    let size = 0
    let count = 0
    while (count < waiting.length && (count === 0 || size + waiting[count]!.requests.length <= BATCH_MAX)) size += waiting[count++]!.requests.length
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return batch
  }
}

/**
 * Sends any number of requests, a thousand a round trip. What fails says in `enqueuedIds` which ones were enqueued before.
 * @returns the ids of all
 */
export async function enqueueAll(requests: readonly EnqueueRequest[], enqueue: (batch: readonly EnqueueRequest[]) => Promise<void>): Promise<string[]> {
  const ids = requests.map(request => request.executionId)
  for (let start = 0; start < requests.length; start += BATCH_MAX) {
    try {
      await enqueue(requests.slice(start, start + BATCH_MAX))
    } catch (error) {
      // A new one: others in line got the same error.
      throw isTaskDashboardError(error) ? new TaskDashboardError(error.code, error.message, { cause: error.cause, enqueuedIds: ids.slice(0, start) }) : error
    }
  }
  return ids
}

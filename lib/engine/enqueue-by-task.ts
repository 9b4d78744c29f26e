import { isTaskDashboardError } from '../errors.ts'
import type { Duplicates, EnqueueRequest } from './engine.ts'
import { groupBy } from '../collections/group-by.ts'
import { isStoreFailure, unavailable } from '../stores/failures/unavailable.ts'
import { mayHaveHappened } from '../stores/failures/may-have-happened.ts'
import { PartlyAddedError } from './connection/partly-added-error.ts'

/**
 * Adds the jobs of each task in a separate call.
 * Rejects with UNCONFIRMED if some may have been added, with BROKER_UNAVAILABLE if none of the missing ones was or will be, with
 * STORE_REFUSED if waiting does not help, and otherwise with the error itself. `enqueuedIds` and `unconfirmedIds` say which.
 * @param add resolves with the id of the execution for each request, in order; a duplicate gets the existing one's
 */
export async function enqueueByTask<Request extends Pick<EnqueueRequest, 'taskName' | 'executionId' | 'deduplication'>>(
  requests: readonly Request[], add: (taskName: string, ofTask: readonly Request[]) => Promise<readonly string[]>
): Promise<Duplicates> {
  const duplicates = new Map<string, string>()
  const byTask = groupBy(requests, request => request.taskName)
  const settled = await Promise.allSettled([...byTask].map(async ([taskName, ofTask]) => {
    const standingIds = await add(taskName, ofTask)
    for (const [index, { executionId, deduplication }] of ofTask.entries()) {
      if (deduplication !== undefined && standingIds[index] !== executionId) duplicates.set(executionId, standingIds[index]!)
    }
  }))
  const errors = settled.flatMap(call => call.status === 'rejected' ? [call.reason as unknown] : [])
  if (errors.length === 0) return duplicates
  throw toEnqueueError(errors, [...byTask.values()].map((ofTask, index) => {
    const call = settled[index]!
    return call.status === 'fulfilled'
      ? { addedIds: idsOf(ofTask).filter(id => !duplicates.has(id)), unconfirmedIds: [] }
      : outcomeOf(ofTask, call.reason)
  }))
}

interface Outcome { readonly addedIds: readonly string[]; readonly unconfirmedIds: readonly string[] }

function outcomeOf(requests: ReadonlyArray<{ executionId: string }>, error: unknown): Outcome {
  if (!isTaskDashboardError(error)) return NOTHING
  if (error.cause instanceof PartlyAddedError) return error.cause
  return isStoreFailure(error) && mayHaveHappened(error.cause) ? { addedIds: [], unconfirmedIds: idsOf(requests) } : NOTHING
}

const NOTHING: Outcome = { addedIds: [], unconfirmedIds: [] }

function toEnqueueError(errors: readonly unknown[], outcomes: readonly Outcome[]): unknown {
  const refusal = errors.find(error => !isStoreFailure(error))
  if (refusal !== undefined) return refusal
  const enqueuedIds = outcomes.flatMap(({ addedIds }) => addedIds)
  const unconfirmedIds = outcomes.flatMap(({ unconfirmedIds }) => unconfirmedIds)
  const refused = errors.find(error => isStoreFailure(error) && error.code === 'STORE_REFUSED') ?? errors[0]
  return unavailable((refused as Error).cause, 'broker', { enqueuedIds, unconfirmedIds })
}

function idsOf(requests: ReadonlyArray<{ executionId: string }>): string[] {
  return requests.map(({ executionId }) => executionId)
}

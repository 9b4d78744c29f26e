import { groupBy } from '../../../collections/group-by.ts'
import { isObservedId, readObservedId } from '../../../engine/observing/observed-id.ts'
import type { Execution } from '../../../execution.ts'
import type { Covered } from '../../tasks/parts-of-tasks.ts'
import { isBrokerAway } from '../bulk-waiting.ts'

/** Executions that were looked up by id. */
export interface LookedUp {
  readonly executions: readonly Execution[]
  /** Ids of executions that may exist, because the server of their queue is down or refuses. */
  readonly unread: readonly string[]
}

type ServerOf = (taskName: string) => object | undefined

/**
 * If a server of existing queues is down, looks up the executions of each server by themselves, so that those of other servers are found.
 * Rejects if nothing could be looked up.
 */
export async function lookUpApart(
  executionIds: readonly string[], serverOf: ServerOf, lookUp: (executionIds: readonly string[]) => Promise<readonly Execution[]>
): Promise<LookedUp> {
  try {
    return { executions: await lookUp(executionIds), unread: [] }
  } catch (error) {
    const groups = [...groupBy(executionIds, id => serverOfExecution(id, serverOf))]
    if (!isBrokerAway(error) || groups.length < 2) throw error
    const found = await Promise.all(groups.map(async ([server, ids]): Promise<readonly Execution[] | null> => {
      try {
        return await lookUp(ids)
      } catch (failure) {
        // The task of one of the app's own executions is not known until it is found.
        if (server === undefined || !isBrokerAway(failure)) throw failure
        return null
      }
    }))
    if (found.every(executions => executions === null)) throw error
    return {
      executions: found.flatMap(executions => executions ?? []),
      unread: groups.flatMap(([, ids], index) => found[index] === null ? ids : [])
    }
  }
}

/** The tasks that the executions have, or may have. */
export function tasksOf({ executions, unread }: LookedUp, covered: Covered): string[] {
  return [...executions.map(({ taskName }) => taskName), ...unread.flatMap(id => mayBeOf(id, covered))]
}

/** The tasks that an execution may have that could not be looked up: that of its queue, or of a name of its jobs. */
export function mayBeOf(executionId: string, covered: Covered): readonly string[] {
  const queueTask = queueTaskOfExecution(executionId)
  return queueTask === null ? [] : covered(queueTask)
}

/** Undefined for an execution of the app's own, and for an id that names no job. */
export function serverOfExecution(executionId: string, serverOf: ServerOf): object | undefined {
  const taskName = queueTaskOfExecution(executionId)
  return taskName === null ? undefined : serverOf(taskName)
}

/** The task of the queue that has a job; null for an execution of the app's own, and for an id that names no job. */
function queueTaskOfExecution(executionId: string): string | null {
  const [place] = isObservedId(executionId) ? readObservedId(executionId) : []
  return place?.taskName ?? null
}

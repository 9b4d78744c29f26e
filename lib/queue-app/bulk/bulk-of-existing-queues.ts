import { groupBy } from '../../collections/group-by.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { liveIdOf, readObservedId } from '../../engine/observing/observed-id.ts'
import { isTaskDashboardError, type TaskDashboardError } from '../../errors.ts'
import { isOutOfReach } from '../../stores/failures/unavailable.ts'
import type { ExecutionLookup } from '../operations/find-execution.ts'
import type { Operations } from '../operations/operations.ts'
import { LeaseLostError, type Acting } from './acting.ts'
import { isBrokerAway } from './bulk-waiting.ts'
import { taskNameAt, type PlannedItem, type SettledItem } from './bulk-records.ts'

/** Executions of existing queues in bulk operations. */
export interface ExistingQueuesInBulk {
  /** Whether a task is one of theirs. */
  has(taskName: string): boolean
  /** Changes one execution. Null if existing queues are only observed. */
  readonly changes: Pick<Operations, 'retryExecution' | 'cancelExecution'> | null
  readonly find: ExecutionLookup['find']
  /** The server of a task; undefined for one of the app's own, or if its queue is gone. */
  serverOf(taskName: string): object | undefined
  /** Whether that server responds. Never rejects. */
  answers(taskName: string): Promise<boolean>
}

/** Someone else was faster, or the execution is in another state by now. */
const SKIPPED: ReadonlySet<string> = new Set(['ALREADY_RETRIED', 'NOT_CANCELLABLE', 'EXECUTION_NOT_FOUND'])
/**
 * Errors that an earlier attempt, before a crash, may have caused. It is unknown who made the change, so the item counts as done: it
 * existed when it was planned.
 */
const MAY_BE_DONE: ReadonlySet<string> = new Set(['ALREADY_RETRIED', 'EXECUTION_NOT_FOUND'])
/** This process is stopping. */
const STOPPED: ReadonlySet<string> = new Set(['NOT_STARTED', 'ALREADY_STOPPED'])

/** Changes executions of existing queues one by one, in the same way as a single change; see `createBulkActions`. */
export function createBulkOfExistingQueues({ has, changes, find, serverOf }: Omit<ExistingQueuesInBulk, 'answers'>) {
  return {
    has,

    /** Returns one outcome per item, except for items that are postponed. */
    async settle(acting: Acting, items: readonly PlannedItem[]): Promise<SettledItem[]> {
      const byServer = [...groupBy(items, ([, task]) => serverOf(taskNameAt(acting.taskNames, task))).values()]
      const settled = await Promise.all(byServer.map(async ofServer => {
        let away: TaskDashboardError | undefined
        const settle = async (item: PlannedItem): Promise<SettledItem | null> => {
          if (away !== undefined) {
            acting.postpone?.(item, away, false)
            return null
          }
          try {
            return await settleOne(acting, item)
          } catch (error) {
            if (acting.postpone === undefined || !isBrokerAway(error)) throw error
            away = error
            acting.postpone(item, error, true)
            return null
          }
        }
        // The first item shows whether the server responds. If it does not, the others are not sent, so they are not in doubt.
        const first = await inTurns(ofServer.slice(0, 1), settle)
        return [...first, ...await inTurns(ofServer.slice(1), settle)]
      }))
      return settled.flat().filter(outcome => outcome !== null)
    },

    /**
     * Returns the items that an interrupted attempt has done. An undo does not take any of them back, so it does not wait for a server that
     * is down: what was sent to that server counts as done.
     */
    async whatWasDone({ order: { action, others, wanted }, taskNames }: Acting, items: readonly PlannedItem[]): Promise<SettledItem[]> {
      if (changes === null || others !== 'managed' || action !== 'retry' && action !== 'cancel') return []
      const done: SettledItem[] = []
      const away = new Set<object | undefined>()
      await inTurns(items, async ([id, task]) => {
        const server = serverOf(taskNameAt(taskNames, task))
        const isDone = away.has(server) || await wasDone(id, action).catch((error: unknown) => {
          if (wanted !== 'undo' || !isBrokerAway(error)) throw error
          away.add(server)
          return true
        })
        if (isDone) done.push([id, task, 'done'])
      })
      return done
    }
  }

  async function settleOne({ order, isFirstAttempt, stillHeld }: Acting, [id, task]: PlannedItem): Promise<SettledItem> {
    const { action, by, reason, others } = order
    if (changes === null || others !== 'managed' || action !== 'retry' && action !== 'cancel') return [id, task, 'failed', 'OBSERVED_ONLY']
    await stillHeld()
    try {
      if (action === 'retry') await changes.retryExecution(id)
      else await changes.cancelExecution(id, { by, ...reason !== null && { reason } })
      return [id, task, 'done']
    } catch (error) {
      const code = isTaskDashboardError(error) ? error.code : 'INTERNAL'
      if (STOPPED.has(code)) throw new LeaseLostError()
      if (isOutOfReach(error)) throw error
      if (!isFirstAttempt && (MAY_BE_DONE.has(code) || await wasDone(id, action))) return [id, task, 'done']
      return [id, task, SKIPPED.has(code) ? 'skipped' : 'failed', code]
    }
  }

  /**
   * Whether the job is in the state in which the action leaves it. A job that is gone may have run and been removed at once, as owners can
   * configure.
   */
  async function wasDone(executionId: string, action: 'retry' | 'cancel'): Promise<boolean> {
    // A job that is cancelled has not finished. If its id ends like a finish time, that part belongs to the job's id.
    if (action === 'cancel') {
      const job = await find(executionId)
      return job === null || job.status === 'cancelled'
    }
    const [place] = readObservedId(executionId)
    const job = place === undefined ? null : await find(liveIdOf(place.taskName, place.jobId))
    return job?.finishedAt !== place?.finishedOn
  }
}

export type BulkOfExistingQueues = ReturnType<typeof createBulkOfExistingQueues>

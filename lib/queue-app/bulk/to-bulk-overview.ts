import type { BulkState } from '../../../schemas/bulk.ts'
import { isObservedId, liveIdOf, readObservedId } from '../../engine/observing/observed-id.ts'
import { retryIdOf } from '../operations/retry-id.ts'
import type { BulkCount, BulkItem, BulkOverview } from './bulk.ts'
import type { BulkOrder, ForeignOrder } from './bulk-order.ts'
import { BULK_KEPT_MS, type BulkStanding, type SettledItem } from './bulk-records.ts'
import { NOT_WAITING, type Waiting } from './bulk-waiting.ts'

export const UNCOUNTED: BulkCount = { value: 0, relation: 'at_least' }

/**
 * An operation as it is shown.
 * @param waiting the store that this process waits for; null if it waits for none
 */
export function toBulkOverview(operationId: string, order: BulkOrder, state: BulkStanding, waiting: Waiting | null): BulkOverview {
  const {
    action, filter, executionCount, before, taskCount, tasksLeftOut, count, rate, reason, createdAt, by, changedAt, changedBy
  } = order
  const name = nameOf(order, state)
  const goesOn = name === 'running' || name === 'undoing' || name === 'aborted' && state.ended === null
  const { waitingFor, problem } = goesOn ? waiting ?? state : NOT_WAITING
  return {
    operationId, action, state: name, waitingFor, problem, filter, executionCount,
    areExecutionsChecked: executionCount === null ? null : count.relation === 'exact', before, taskCount, tasksLeftOut, count,
    progress: state.progress, rate, reason, createdAt, createdBy: by, changedAt, changedBy,
    finishedAt: name === 'undone' ? state.undoneAt : name === 'undoing' ? null : state.finishedAt,
    expiresAt: createdAt + BULK_KEPT_MS,
    isUndoable: (name === 'done' || name === 'aborted') && (action === 'retry' || action === 'resolve') && hasUndoable(state),
    isCapped: state.isCapped
  }
}

/** An operation that is being aborted may have done a part of its plan, and some of the postponed items that were sent. */
function hasUndoable({ progress, final = 0, ended, plan, postponed = [] }: BulkStanding): boolean {
  const inDoubt = ended === null ? [...plan, ...postponed.filter(([, , isSent]) => isSent)] : []
  return progress.done > final || inDoubt.some(([id]) => !isObservedId(id))
}

/** Shows only that the operation exists, and why this process does not touch it. */
export function toForeignOverview(operationId: string, { createdAt, by, problem }: ForeignOrder): BulkOverview {
  return {
    operationId, action: null, state: 'unsupported', waitingFor: null, problem, filter: null, executionCount: null,
    areExecutionsChecked: null, before: createdAt, taskCount: 0, tasksLeftOut: 0, count: UNCOUNTED, progress: null, rate: null,
    reason: null, createdAt, createdBy: by, changedAt: null, changedBy: null, finishedAt: null,
    expiresAt: createdAt + BULK_KEPT_MS, isUndoable: false, isCapped: false
  }
}

export function toItem({ action }: BulkOrder, names: readonly string[], [id, task, outcome, code]: SettledItem): BulkItem {
  const isGroup = action === 'resolve'
  return {
    taskName: task === null ? null : names[task] ?? null,
    executionId: isGroup ? null : id, errorGroup: isGroup ? id : null, outcome, code: code ?? null,
    madeExecutionId: action === 'retry' && outcome === 'done' ? madeBy(id) : null
  }
}

/** An existing queue runs the same job again. */
function madeBy(executionId: string): string {
  const [place] = isObservedId(executionId) ? readObservedId(executionId) : []
  return place === undefined ? retryIdOf(executionId) : liveIdOf(place.taskName, place.jobId)
}

function nameOf({ wanted }: BulkOrder, { ended, undoneAt }: BulkStanding): BulkState {
  if (wanted === 'undo') return undoneAt === null ? 'undoing' : 'undone'
  if (ended !== null) return ended
  return wanted === 'abort' ? 'aborted' : wanted === 'suspend' ? 'suspended' : 'running'
}

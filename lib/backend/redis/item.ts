import type { ExecutionState } from '../../../schemas/execution.ts'
import type { FinishedListItem, LedgerEntry } from '../ledger-entry.ts'

type Nullable<T> = T | null | undefined

/** Positions in the stored array; times are differences to the finish, which is absolute. New fields go to the end. */
type StoredItem = [
  taskName: string, queue: Nullable<string>, failed: 0 | 1, state: Nullable<string>, finishedAt: number, submittedBefore: number,
  startedBefore: Nullable<number>, durationMs: Nullable<number>, waitMs: Nullable<number>, attempt: number, maxAttempts: number, priority: number,
  workerId: Nullable<string>, scheduleId: Nullable<string>, retryOf: Nullable<string>, progress: unknown,
  errorType: Nullable<string>, errorMessage: Nullable<string>, errorGroup: Nullable<string>
]

/** Payloads up to this size stand behind their item: a place in a hash of their own would take more memory than they do. */
const INLINE_PAYLOAD_CHARACTERS = 512

/** The item as JSON, which has no line break; then, on a line of its own, a small payload. Lists cut there, in Redis. */
export function toStoredRecord({ execution, payload }: LedgerEntry): { record: string; payload: string } {
  const item = toStoredItem(execution)
  return payload === null || payload.length > INLINE_PAYLOAD_CHARACTERS ? { record: item, payload: payload ?? '' } : { record: `${item}\n${payload}`, payload: '' }
}

export function recordFromStored(executionId: string, record: string): { item: FinishedListItem; payload: string | null } {
  const lineBreak = record.indexOf('\n')
  if (lineBreak === -1) return { item: itemFromStored(executionId, record), payload: null }
  return { item: itemFromStored(executionId, record.slice(0, lineBreak)), payload: record.slice(lineBreak + 1) }
}

/** JSON, because Redis keeps 100 bytes of it a record where a hash of fields would take 500. Put together by hand, which is faster. */
function toStoredItem(item: FinishedListItem): string {
  const { taskName, queue, status, state, finishedAt, startedAt, durationMs, waitMs, attempt, maxAttempts, priority, workerId } = item
  const numbers = `${finishedAt},${finishedAt - item.submittedAt},${startedAt === null ? null : finishedAt - startedAt},${durationMs},${waitMs},${attempt},${maxAttempts},${priority}`
  const before = `[${JSON.stringify(taskName)},${queue === taskName ? null : JSON.stringify(queue)},${status === 'failed' ? 1 : 0},` +
    `${state === usualState(status) ? null : JSON.stringify(state)},${numbers}`
  const rest = toStoredRest(item)
  return rest === '' ? `${before}${workerId === null ? '' : `,${JSON.stringify(workerId)}`}]` : `${before},${workerId === null ? null : JSON.stringify(workerId)}${rest}]`
}

/** What most executions have none of. Trailing nulls are left out. */
function toStoredRest({ scheduleId, retryOf, progress, error, errorGroup }: FinishedListItem): string {
  if (scheduleId === null && retryOf === null && progress === null && error === null && errorGroup === null) return ''
  const rest = [scheduleId, retryOf, progress, error?.type ?? null, error?.message ?? null, errorGroup]
  while (rest.at(-1) === null) rest.pop()
  return `,${JSON.stringify(rest).slice(1, -1)}`
}

export function itemFromStored(executionId: string, json: string): FinishedListItem {
  const [
    taskName, queue, failed, state, finishedAt, submittedBefore, startedBefore, durationMs, waitMs, attempt, maxAttempts, priority,
    workerId, scheduleId, retryOf, progress, errorType, errorMessage, errorGroup
  ] = JSON.parse(json) as StoredItem
  const status = failed === 1 ? 'failed' : 'success'
  return {
    executionId,
    taskName,
    queue: queue ?? taskName,
    status,
    state: (state ?? usualState(status)) as ExecutionState,
    attempt,
    maxAttempts,
    priority,
    scheduleId: scheduleId ?? null,
    retryOf: retryOf ?? null,
    workerId: workerId ?? null,
    submittedAt: finishedAt - submittedBefore,
    startedAt: startedBefore === null || startedBefore === undefined ? null : finishedAt - startedBefore,
    finishedAt,
    waitMs: waitMs ?? null,
    durationMs: durationMs ?? null,
    progress: progress ?? null,
    error: errorType === null || errorType === undefined ? null : { type: errorType, message: errorMessage ?? '', stack: null },
    errorGroup: errorGroup ?? null
  }
}

function usualState(status: 'success' | 'failed'): ExecutionState {
  return status === 'success' ? 'completed' : 'failed'
}

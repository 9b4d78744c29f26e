import type { ExecutionState } from '../../../schemas/execution.ts'
import type { FinishedStatus } from '../../execution.ts'
import type { FinishedListItem, LedgerEntry } from '../entry/ledger-entry.ts'

type Nullable<T> = T | null | undefined

/**
 * Positions in the stored array. Default values are omitted: a queue named like the task, and nulls at the end. Add new fields at the end,
 * or to `Unusual`.
 */
type StoredItem = [
  taskName: string, status: StatusNumber, finishedAt: number, submittedBefore: number, durationMs: number | null,
  workerId: Nullable<string>, queue: Nullable<string>, scheduleId: Nullable<string>, unusual: Nullable<Unusual>
]

/** The position in this list is what is stored. */
const STATUSES = ['success', 'failed', 'cancelled'] as const satisfies readonly FinishedStatus[]
type StatusNumber = 0 | 1 | 2

/** Values that few executions have; absent means the default. Times before the finish are stored as differences to it. */
interface Unusual {
  /** Default: the finish minus the duration. */
  startedBefore?: number | null
  /** Default: from submission to start. */
  wait?: number | null
  state?: string
  attempt?: number
  maxAttempts?: number
  priority?: number
  retryOf?: string
  progress?: unknown
  error?: [type: string, message: string]
  group?: string
}

/** Payloads up to this size are stored with their item: a field in a separate hash would take more memory than the payload. */
const INLINE_PAYLOAD_CHARACTERS = 512

/**
 * The item as JSON, which contains no line break, then a small payload on a line of its own. In Redis, lists cut the record at the line
 * break.
 */
export function toStoredRecord({ execution, payload }: LedgerEntry): { record: string; payload: string | null } {
  const item = toStoredItem(execution)
  return payload === null || payload.length > INLINE_PAYLOAD_CHARACTERS
    ? { record: item, payload }
    : { record: `${item}\n${payload}`, payload: null }
}

export function recordFromStored(executionId: string, record: string): { item: FinishedListItem; payload: string | null } {
  const lineBreak = record.indexOf('\n')
  if (lineBreak === -1) return { item: itemFromStored(executionId, record), payload: null }
  return { item: itemFromStored(executionId, record.slice(0, lineBreak)), payload: record.slice(lineBreak + 1) }
}

/** JSON takes 90 bytes per record in Redis, where a hash of fields would take 500. Built by hand, which is faster. */
function toStoredItem(item: FinishedListItem): string {
  const { taskName, queue, status, finishedAt, submittedAt, durationMs, workerId, scheduleId } = item
  const head = `[${JSON.stringify(taskName)},${STATUSES.indexOf(status)},${finishedAt},${finishedAt - submittedAt},${durationMs}`
  const rest = [workerId, queue === taskName ? null : queue, scheduleId, unusualOf(item)]
  while (rest.length > 0 && rest.at(-1) === null) rest.pop()
  return rest.length === 0 ? `${head}]` : `${head},${JSON.stringify(rest).slice(1)}`
}

function unusualOf(item: FinishedListItem): Unusual | null {
  const { status, state, attempt, maxAttempts, priority, retryOf, progress, error, errorGroup } = item
  const startedBefore = item.startedAt === null ? null : item.finishedAt - item.startedAt
  const unusual: Unusual = {}
  let isUsual = true
  const note = <Name extends keyof Unusual>(name: Name, value: Unusual[Name]) => {
    unusual[name] = value
    isUsual = false
  }
  if (startedBefore !== item.durationMs) note('startedBefore', startedBefore)
  if (item.waitMs !== usualWait(item)) note('wait', item.waitMs)
  if (state !== usualState(status)) note('state', state)
  if (attempt !== 1) note('attempt', attempt)
  if (maxAttempts !== 1) note('maxAttempts', maxAttempts)
  if (priority !== 0) note('priority', priority)
  if (retryOf !== null) note('retryOf', retryOf)
  if (progress !== null) note('progress', progress)
  if (error !== null) note('error', [error.type, error.message])
  if (errorGroup !== null) note('group', errorGroup)
  return isUsual ? null : unusual
}

export function itemFromStored(executionId: string, json: string): FinishedListItem {
  const stored = JSON.parse(json) as StoredItem
  const [taskName, statusNumber, finishedAt, submittedBefore, durationMs, workerId, queue, scheduleId, unusual] = stored
  const {
    startedBefore = durationMs, wait, state, attempt = 1, maxAttempts = 1, priority = 0, retryOf, progress = null, error, group
  }: Unusual = unusual ?? {}
  const status = STATUSES[statusNumber]
  const submittedAt = finishedAt - submittedBefore
  const startedAt = startedBefore === null ? null : finishedAt - startedBefore
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
    submittedAt,
    startedAt,
    finishedAt,
    waitMs: wait === undefined ? usualWait({ submittedAt, startedAt }) : wait,
    durationMs,
    progress,
    error: error === undefined ? null : { type: error[0], message: error[1], stack: null },
    errorGroup: group ?? null
  }
}

function usualState(status: FinishedStatus): ExecutionState {
  return status === 'success' ? 'completed' : status
}

function usualWait({ submittedAt, startedAt }: Pick<FinishedListItem, 'submittedAt' | 'startedAt'>): number | null {
  return startedAt === null ? null : startedAt - submittedAt
}

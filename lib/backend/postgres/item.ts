import type { ExecutionState } from '../../../schemas/execution.ts'
import type { FinishedListItem } from '../entry/ledger-entry.ts'
import { fromStorable, toStorable } from '../entry/storable-text.ts'

/** A row of `executions`. Drivers return bigint as string or number. */
export interface ItemRow {
  execution_id: string
  finished_at: string | number
  /** Null: cancelled. */
  failed: boolean | null
  task_name: string
  queue: string
  state: string
  attempt: number
  max_attempts: number
  priority: number
  submitted_at: string | number
  started_at: string | number | null
  wait_ms: number | null
  duration_ms: number | null
  schedule_id: string | null
  retry_of: string | null
  worker_id: string | null
  progress: string | null
  error_type: string | null
  error_message: string | null
  error_group: string | null
}

/** Columns with the type of their array parameter, in the order that `toItemColumns` uses. */
export const ITEM_COLUMNS = {
  execution_id: 'text',
  finished_at: 'bigint',
  failed: 'boolean',
  task_name: 'text',
  queue: 'text',
  state: 'text',
  attempt: 'integer',
  max_attempts: 'integer',
  priority: 'integer',
  submitted_at: 'bigint',
  started_at: 'bigint',
  wait_ms: 'double precision',
  duration_ms: 'double precision',
  schedule_id: 'text',
  retry_of: 'text',
  worker_id: 'text',
  progress: 'text',
  error_type: 'text',
  error_message: 'text',
  error_group: 'text'
} as const satisfies Record<keyof ItemRow, string>

/** One array literal per column. The client's own encoding takes several times as long. */
export function toItemColumns(items: readonly FinishedListItem[]): string[] {
  const rows = items.map(toItemRow)
  return (Object.keys(ITEM_COLUMNS) as Array<keyof ItemRow>).map(column => toArrayText(rows.map(row => row[column])))
}

export function toArrayText(values: ReadonlyArray<string | number | boolean | null>): string {
  let text = ''
  for (const value of values)
    text += `,${typeof value === 'string' ? `"${value.replace(NEEDS_ESCAPE, '\\$&')}"` : value === null ? 'NULL' : value}`
  return `{${text.slice(1)}}`
}

const NEEDS_ESCAPE = /[\\"]/g

function toItemRow(item: FinishedListItem): ItemRow {
  return {
    execution_id: toStorable(item.executionId),
    finished_at: item.finishedAt,
    failed: item.status === 'cancelled' ? null : item.status === 'failed',
    task_name: toStorable(item.taskName),
    queue: toStorable(item.queue),
    state: item.state,
    attempt: item.attempt,
    max_attempts: item.maxAttempts,
    priority: item.priority,
    submitted_at: item.submittedAt,
    started_at: item.startedAt,
    wait_ms: item.waitMs,
    duration_ms: item.durationMs,
    schedule_id: toStorableOrNull(item.scheduleId),
    retry_of: toStorableOrNull(item.retryOf),
    worker_id: toStorableOrNull(item.workerId),
    // JSON escapes characters that a text column cannot hold.
    progress: item.progress === null ? null : JSON.stringify(item.progress),
    error_type: toStorableOrNull(item.error?.type ?? null),
    error_message: toStorableOrNull(item.error?.message ?? null),
    error_group: toStorableOrNull(item.errorGroup)
  }
}

export function itemFromRow(row: ItemRow): FinishedListItem {
  return {
    executionId: fromStorable(row.execution_id),
    taskName: fromStorable(row.task_name),
    queue: fromStorable(row.queue),
    status: row.failed === null ? 'cancelled' : row.failed ? 'failed' : 'success',
    state: row.state as ExecutionState,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    priority: row.priority,
    scheduleId: fromStorableOrNull(row.schedule_id),
    retryOf: fromStorableOrNull(row.retry_of),
    workerId: fromStorableOrNull(row.worker_id),
    submittedAt: Number(row.submitted_at),
    startedAt: row.started_at === null ? null : Number(row.started_at),
    finishedAt: Number(row.finished_at),
    waitMs: row.wait_ms,
    durationMs: row.duration_ms,
    progress: row.progress === null ? null : JSON.parse(row.progress),
    error: row.error_type === null
      ? null
      : { type: fromStorable(row.error_type), message: fromStorable(row.error_message ?? ''), stack: null },
    errorGroup: fromStorableOrNull(row.error_group)
  }
}

function toStorableOrNull(text: string | null): string | null {
  return text === null ? null : toStorable(text)
}

function fromStorableOrNull(text: string | null): string | null {
  return text === null ? null : fromStorable(text)
}

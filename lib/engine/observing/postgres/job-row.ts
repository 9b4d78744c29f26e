import { MAX_PRIORITY } from '../../../../schemas/limits.ts'
import { SQL_JOB_STATE } from '../../jobs/sql-job.ts'
import { objectFrom, parsed, textsFrom } from '../../../json/foreign-json.ts'
import type { LongFields, ObservedJob } from '../observed-job.ts'
import { LISTED_BYTES } from '../observed-limits.ts'
import type { QueuePlace } from '../queue-place.ts'

/** A row of BullMQ's `job` table, with the columns of OBSERVED_COLUMNS. */
export interface ObservedRow {
  readonly id: string
  readonly job_state: string
  readonly added_at_ms: string
  readonly delay_ms: string
  readonly process_at_ms: string | null
  readonly processed_at_ms: string | null
  readonly finished_at_ms: string | null
  readonly priority: number
  readonly attempts_made: number
  readonly attempts_started: number
  readonly processed_by: string | null
  readonly scheduler_id: string | null
  readonly name: string | null
  /** JSON, as are the stack and the progress: the driver would also parse what nests too deep to be written again. */
  readonly opts: string | null
  readonly failed_reason: string | null
  readonly stacktrace: string | null
  readonly progress: string | null
  readonly unread: ReadonlyArray<keyof LongFields>
}

const LONG_COLUMNS = {
  name: 'job.name', opts: 'job.opts', failedReason: 'job.failed_reason', stacktrace: 'job.stacktrace', progress: 'job.progress',
  pb: 'job.processed_by', rjk: 'job.scheduler_id'
} as const satisfies Record<keyof LongFields, string>
const LONG_FIELDS = ['name', 'opts', 'failedReason', 'stacktrace', 'progress', 'pb', 'rjk'] as const

/** SQL: whether a column has at most this many bytes. A value that is larger even when compressed is not decompressed. */
export function isWithin(column: string, bytes: number): string {
  return `CASE WHEN pg_column_size(${column}) > ${bytes} THEN false ELSE octet_length(${column}::text) <= ${bytes} END`
}

const [name, opts, failedReason, stacktrace, progress, processedBy, schedulerId] = LONG_FIELDS.map(field =>
  `CASE WHEN ${isWithin(LONG_COLUMNS[field], LISTED_BYTES[field])} THEN ${LONG_COLUMNS[field]}::text END`)

/** Columns without payloads. Those whose size only their owner limits are null if they are too large. */
export const OBSERVED_COLUMNS = `job.id, ${SQL_JOB_STATE} AS job_state, job.added_at_ms, job.delay_ms, job.process_at_ms,
  job.processed_at_ms, job.finished_at_ms, job.priority, job.attempts_made, job.attempts_started, ${processedBy} AS processed_by,
  ${schedulerId} AS scheduler_id,
  ${name} AS name, ${opts} AS opts, ${failedReason} AS failed_reason, ${stacktrace} AS stacktrace, ${progress} AS progress,
  array_remove(ARRAY[${LONG_FIELDS.map(field =>
    `CASE WHEN NOT ${isWithin(LONG_COLUMNS[field], LISTED_BYTES[field])} THEN '${field}' END`).join(', ')}], NULL) AS unread`

export function observedJobFromRow({ taskName, name: queueName }: QueuePlace, row: ObservedRow): ObservedJob {
  const options = objectFrom(row.opts) ?? {}
  return {
    taskName,
    queueName,
    id: row.id,
    unread: row.unread,
    name: row.name ?? '',
    opts: options,
    timestamp: Number(row.added_at_ms),
    // BullMQ sets the column to 0 when the job is due.
    delay: typeof options['delay'] === 'number' ? options['delay'] : Number(row.delay_ms),
    priority: Math.min(Math.max(row.priority, 0), MAX_PRIORITY),
    processedOn: numberFrom(row.processed_at_ms),
    finishedOn: numberFrom(row.finished_at_ms),
    attemptsMade: row.attempts_made,
    attemptsStarted: row.attempts_started,
    failedReason: row.failed_reason,
    stacktrace: textsFrom(parsed(row.stacktrace)),
    progress: parsed(row.progress) ?? null,
    processedBy: row.processed_by,
    repeatJobKey: row.scheduler_id,
    dueAt: row.job_state === 'delayed' ? numberFrom(row.process_at_ms) : null
  }
}

/** The driver returns 64-bit integers as text. */
export function numberFrom(text: string | number | null): number | null {
  return text === null ? null : Number(text)
}

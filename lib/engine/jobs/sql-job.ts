import type { JobFields } from './job-fields.ts'

/** A row of BullMQ's `job` table, with the columns of SQL_JOB_FIELDS. */
export interface SqlJobRow {
  readonly id: string
  readonly name: string
  readonly job_state: string
  readonly opts: object | null
  readonly added_at_ms: string | number
  readonly processed_at_ms: string | number | null
  readonly finished_at_ms: string | number | null
  readonly attempts_made: number
  readonly attempts_started: number
  readonly failed_reason: string | null
  readonly stacktrace: unknown
  readonly return_value?: unknown
  readonly progress: unknown
  readonly processed_by: string | null
  readonly scheduler_id: string | null
  readonly args?: string | null
  readonly schedule_id?: string | null
  readonly retry_of?: string | null
}

/** BullMQ calls a waiting job with a priority `prioritized`, but has no separate state for it in SQL. */
export const SQL_JOB_STATE = `CASE WHEN job.state = 'waiting' AND job.priority > 0 THEN 'prioritized' ELSE job.state::text END`

/** Columns of bounded size: no arguments, results or stacks. */
export const SQL_JOB_FIELDS = `job.id, job.name, ${SQL_JOB_STATE} AS job_state, job.opts, job.added_at_ms,
  job.processed_at_ms, job.finished_at_ms,
  job.attempts_made, job.attempts_started, job.processed_by, job.scheduler_id`

export function jobFromSql(queueName: string | undefined, row: SqlJobRow): JobFields {
  const { args, schedule_id, retry_of } = row
  return {
    queueName,
    id: row.id,
    name: row.name,
    opts: row.opts ?? {},
    timestamp: Number(row.added_at_ms),
    processedOn: numberFrom(row.processed_at_ms),
    finishedOn: numberFrom(row.finished_at_ms),
    attemptsMade: row.attempts_made,
    attemptsStarted: row.attempts_started,
    failedReason: row.failed_reason || undefined,
    stacktrace: Array.isArray(row.stacktrace) ? row.stacktrace.map(String) : [],
    returnvalue: row.return_value ?? undefined,
    progress: (row.progress ?? 0),
    processedBy: row.processed_by ?? undefined,
    repeatJobKey: row.scheduler_id ?? undefined,
    data: { ...(typeof args === 'string' && { args }), ...(schedule_id && { schedule_id }), ...(retry_of && { retry_of }) }
  } as JobFields
}

function numberFrom(value: string | number | null): number | undefined {
  return value === null ? undefined : Number(value)
}

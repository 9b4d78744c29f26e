import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { plannedJobId } from '../../schedulers/planned-job-id.ts'
import { EDITED_PREFIX } from '../managing/postgres-plan.ts'
import { MAX_SCHEDULERS, MAX_TEMPLATE_BYTES } from '../observed-limits.ts'
import type { QueuePlace } from '../queue-place.ts'
import type { ObservedScheduler } from '../schedulers/observed-scheduler.ts'
import type { FoundSchedulers } from '../schedulers/scheduler-reads.ts'
import { isWithin, numberFrom } from './job-row.ts'
import { ofSchemas, schemaOf } from './postgres-queue.ts'

type Read = ReadDatabase['read']

interface SchedulerRow {
  readonly scheduler_id: string
  readonly name: string | null
  readonly next_run_ms: string | null
  readonly pattern: string | null
  readonly every_ms: string | null
  readonly tz: string | null
  readonly start_date_ms: string | null
  readonly end_date_ms: string | null
  readonly limit_count: number | null
  readonly iteration_count: number
  readonly offset_ms: string | null
  readonly has_data: boolean
  readonly data: string | null
  readonly has_opts: boolean
  readonly opts: string | null
  readonly job_state: string | null
  readonly starts: number | null
  readonly is_edited: boolean
  readonly total: string
}

/** Selects schedulers together with the job of their next run. */
function select(schema: string, condition: string): string {
  return `
    SELECT scheduler.scheduler_id, scheduler.name, scheduler.next_run_ms, scheduler.pattern, scheduler.every_ms, scheduler.tz,
      scheduler.start_date_ms, scheduler.end_date_ms, scheduler.limit_count, scheduler.iteration_count, scheduler.offset_ms,
      scheduler.template_data IS NOT NULL AS has_data, scheduler.template_opts IS NOT NULL AS has_opts,
      CASE WHEN ${isWithin('scheduler.template_data', MAX_TEMPLATE_BYTES)} THEN scheduler.template_data::text END AS data,
      CASE WHEN ${isWithin('scheduler.template_opts', MAX_TEMPLATE_BYTES)} THEN scheduler.template_opts::text END AS opts,
      coalesce(scheduler.producer_id LIKE '${EDITED_PREFIX}%', false) AS is_edited,
      job.state::text AS job_state, job.attempts_started AS starts, count(*) OVER () AS total
    FROM ${schema}.scheduler
    LEFT JOIN ${schema}.job ON job.queue = scheduler.queue
      AND job.id = 'repeat:' || scheduler.scheduler_id || ':' || scheduler.next_run_ms
    WHERE scheduler.queue = $1 AND ${condition}
    ORDER BY scheduler.next_run_ms LIMIT ${MAX_SCHEDULERS}`
}

export function haveSchedulers(read: Read, queues: readonly QueuePlace[]): Promise<boolean[]> {
  return ofSchemas(queues, async (schema, names) => {
    const rows = await read<{ queue: string }>(
      `SELECT queue FROM unnest($1::text[]) AS wanted(queue) WHERE EXISTS (SELECT 1 FROM ${schema}.scheduler WHERE queue = wanted.queue)`,
      [names]
    )
    const found = new Set(rows.map(({ queue }) => queue))
    return ({ name }) => found.has(name)
  })
}

export async function readSchedulers(read: Read, queue: QueuePlace): Promise<FoundSchedulers> {
  const rows = await read<SchedulerRow>(select(schemaOf(queue), 'true'), [queue.name])
  return { schedulers: rows.map(row => toScheduler(queue, row)), left: Math.max(Number(rows[0]?.total ?? 0) - rows.length, 0) }
}

export async function readScheduler(read: Read, queue: QueuePlace, id: string): Promise<ObservedScheduler | null> {
  const [row] = await read<SchedulerRow>(select(schemaOf(queue), 'scheduler.scheduler_id = $2'), [queue.name, id])
  return row === undefined ? null : toScheduler(queue, row)
}

/** Options of the job of its next run; null if that job is gone, undefined if they are too large. */
export async function optionsOfNext(
  read: Read, queue: QueuePlace, { id, plannedAt }: ObservedScheduler
): Promise<string | null | undefined> {
  const [row] = await read<{ opts: string | null }>(
    `SELECT CASE WHEN ${isWithin('opts', MAX_TEMPLATE_BYTES)} THEN opts::text END AS opts
     FROM ${schemaOf(queue)}.job WHERE queue = $1 AND id = $2`,
    [queue.name, plannedJobId(id, plannedAt)]
  )
  return row === undefined ? null : row.opts ?? undefined
}

function toScheduler({ taskName }: QueuePlace, row: SchedulerRow): ObservedScheduler {
  const { job_state: state, starts } = row
  return {
    taskName,
    id: row.scheduler_id,
    kind: 'scheduler',
    jobName: row.name ?? '',
    pattern: row.pattern,
    everyMs: numberFrom(row.every_ms),
    timezone: row.tz,
    startAt: numberFrom(row.start_date_ms),
    endAt: numberFrom(row.end_date_ms),
    limit: row.limit_count,
    offsetMs: numberFrom(row.offset_ms),
    iterations: row.iteration_count,
    data: row.has_data && row.data === null ? undefined : row.data,
    opts: row.has_opts && row.opts === null ? undefined : row.opts,
    plannedAt: numberFrom(row.next_run_ms) ?? 0,
    pending: state === null ? 'gone' : state === 'delayed' ? 'delayed' : (starts ?? 0) > 0 ? 'started' : 'due',
    isEdited: row.is_edited
  }
}

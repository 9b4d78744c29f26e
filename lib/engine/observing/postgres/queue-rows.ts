import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { groupBy } from '../../../collections/group-by.ts'
import type { FinishedState } from '../../finished/finished-sets.ts'
import type { InFlightState, JobRange, RangeRequest, StateCounts } from '../../queues/queue-reads.ts'
import type { ObservedJob } from '../observed-job.ts'
import type { FinishedOf, QueueSettings } from '../observed-server.ts'
import type { QueuePlace } from '../queue-place.ts'
import { OBSERVED_COLUMNS, numberFrom, observedJobFromRow, schemaOf, type ObservedRow } from './postgres-job.ts'

type Read = ReadDatabase['read']

/** A planned run of a schedule that is not due. Retries have started before. */
function isPlanned(now: string): string {
  return `(job.scheduler_id IS NOT NULL AND job.attempts_started = 0 AND job.process_at_ms > ${now}::bigint)`
}

type CountRow = Record<'waiting' | 'prioritized' | 'delayed' | 'active' | 'planned' | 'children', string> & { readonly queue: string }

/** One statement for each schema. Each part matches the condition of one of BullMQ's partial indexes. */
export async function countQueues(read: Read, queues: readonly QueuePlace[], now: number): Promise<StateCounts[]> {
  return ofSchemas(queues, async (schema, names) => {
    const rows = await read<CountRow>(`
      SELECT queue, sum(waiting) AS waiting, sum(prioritized) AS prioritized, sum(delayed) AS delayed, sum(active) AS active,
        sum(planned) AS planned, sum(children) AS children
      FROM (
        SELECT queue, count(*) FILTER (WHERE priority = 0) AS waiting, count(*) FILTER (WHERE priority > 0) AS prioritized, 0 AS delayed,
          0 AS active, 0 AS planned, 0 AS children
          FROM ${schema}.job WHERE state = 'waiting' AND queue = ANY($2::text[]) GROUP BY queue
        UNION ALL
        SELECT queue, 0, 0, count(*), 0, count(*) FILTER (WHERE ${isPlanned('$1')}), 0
          FROM ${schema}.job WHERE state = 'delayed' AND queue = ANY($2::text[]) GROUP BY queue
        UNION ALL
        SELECT queue, 0, 0, 0, count(*), 0, 0 FROM ${schema}.job WHERE state = 'active' AND queue = ANY($2::text[]) GROUP BY queue
        UNION ALL
        SELECT queue, 0, 0, 0, 0, 0, count(*) FROM ${schema}.job WHERE state = 'waiting-children' AND queue = ANY($2::text[]) GROUP BY queue
      ) AS held GROUP BY queue`, [now, names])
    const byName = new Map(rows.map(row => [row.queue, row]))
    return ({ name }) => {
      const row = byName.get(name)
      return {
        waiting: Number(row?.waiting ?? 0), prioritized: Number(row?.prioritized ?? 0), delayed: Number(row?.delayed ?? 0),
        active: Number(row?.active ?? 0), planned: Number(row?.planned ?? 0), waitingChildren: Number(row?.children ?? 0)
      }
    }
  })
}

/** One answer for each queue, in their order, from one statement for each schema. */
async function ofSchemas<Value>(
  queues: readonly QueuePlace[], readOf: (schema: string, names: readonly string[]) => Promise<(queue: QueuePlace) => Value>
): Promise<Value[]> {
  const found = new Map<QueuePlace, Value>()
  await Promise.all([...groupBy(queues, schemaOf)].map(async ([schema, ofSchema]) => {
    const valueOf = await readOf(schema, ofSchema.map(({ name }) => name))
    for (const queue of ofSchema) found.set(queue, valueOf(queue))
  }))
  return queues.map(queue => found.get(queue)!)
}

/** When the oldest job that could start was due. Of those with a priority, looks at the most urgent. */
export function oldestDueAt(read: Read, queues: readonly QueuePlace[], now: number): Promise<Array<number | null>> {
  return ofSchemas(queues, async (schema, names) => {
    const rows = await read<ObservedRow & { readonly queue: string }>(`
      SELECT job.queue, ${OBSERVED_COLUMNS} FROM unnest($1::text[]) AS wanted(queue) CROSS JOIN LATERAL (
        (SELECT * FROM ${schema}.job WHERE queue = wanted.queue AND state = 'waiting' AND priority = 0 ORDER BY seq LIMIT 1)
        UNION ALL
        (SELECT * FROM ${schema}.job WHERE queue = wanted.queue AND state = 'waiting' AND priority > 0 ORDER BY priority, seq LIMIT 1)
        UNION ALL
        (SELECT * FROM ${schema}.job WHERE queue = wanted.queue AND state = 'delayed' ORDER BY process_at_ms LIMIT 1)
      ) AS job`, [names])
    const byName = groupBy(rows, ({ queue }) => queue)
    return queue => {
      const due = (byName.get(queue.name) ?? []).map(row => observedJobFromRow(queue, row))
        .map(({ dueAt, attemptsMade, processedOn, timestamp, delay }) =>
          dueAt ?? (attemptsMade > 0 ? processedOn ?? timestamp : timestamp + delay))
        .filter(dueAt => dueAt <= now)
      return due.length === 0 ? null : Math.min(...due)
    }
  })
}

export function readSettings(read: Read, queues: readonly QueuePlace[]): Promise<QueueSettings[]> {
  return ofSchemas(queues, async (schema, names) => {
    const rows = await read<{ queue: string; field: string; value: string | null }>(
      `SELECT queue, field, value FROM ${schema}.meta
        WHERE queue = ANY($1::text[]) AND field IN ('paused', 'concurrency', 'max', 'duration')`, [names]
    )
    const byName = groupBy(rows, ({ queue }) => queue)
    return ({ name }) => {
      const fields = new Map((byName.get(name) ?? []).map(({ field, value }) => [field, value]))
      const { concurrency = null, max = null, duration = null } = Object.fromEntries(fields)
      return { isPaused: fields.get('paused') === '1', concurrency, max, duration }
    }
  })
}

const SUBMITTED_AT = `CASE WHEN job.scheduler_id IS NOT NULL THEN COALESCE(substring(job.id from ':(\\d{1,15})$')::bigint,
  job.added_at_ms) ELSE job.added_at_ms END`

/** In the order of BullMQ's lists. */
const SOURCES: Readonly<Record<InFlightState, { condition: string; columns: readonly string[]; at: string }>> = {
  'waiting': { condition: `job.state = 'waiting' AND job.priority = 0`, columns: ['seq'], at: SUBMITTED_AT },
  'prioritized': { condition: `job.state = 'waiting' AND job.priority > 0`, columns: ['priority', 'seq'], at: SUBMITTED_AT },
  'delayed': {
    condition: `job.state = 'delayed' AND NOT ${isPlanned('$4')}`, columns: ['process_at_ms', 'seq'], at: SUBMITTED_AT
  },
  'active': { condition: `job.state = 'active'`, columns: ['seq'], at: 'COALESCE(job.processed_at_ms, job.added_at_ms)' },
  'waiting-children': { condition: `job.state = 'waiting-children'`, columns: ['seq'], at: SUBMITTED_AT }
}

export async function readRange(
  read: Read, queue: QueuePlace, { state, order, offset, size, from }: RangeRequest, now: number
): Promise<JobRange<ObservedJob>> {
  const { condition, columns, at } = SOURCES[state]
  const [direction, isFar] = order === 'newest' ? ['DESC', '<='] : ['ASC', '>=']
  const rows = await read<ObservedRow>(`
    SELECT ${OBSERVED_COLUMNS} FROM ${schemaOf(queue)}.job
    WHERE job.queue = $1 AND ${condition} AND ($5::bigint IS NULL OR ${at} ${isFar} $5::bigint) AND $4::bigint IS NOT NULL
    ORDER BY ${columns.map(column => `job.${column} ${direction}`).join(', ')} OFFSET $2 LIMIT $3`,
  [queue.name, offset, size + 1, now, from])
  const jobs = rows.slice(0, size).map((row, index) => ({ job: observedJobFromRow(queue, row), next: offset + index + 1 }))
  return { jobs, next: offset + jobs.length, isEnd: rows.length <= size }
}

interface FinishedRow { readonly id: string; readonly finished_at_ms: string }

export async function finishedPage(
  read: Read, queue: QueuePlace, state: FinishedState, start: number, size: number
): Promise<FinishedOf[]> {
  return (await read<FinishedRow>(`SELECT id, finished_at_ms FROM ${schemaOf(queue)}.job WHERE queue = $1 AND state = '${state}'
    ORDER BY finished_at_ms DESC, seq DESC OFFSET $2 LIMIT $3`, [queue.name, start, size])).map(toFinished)
}

export async function newestFinished(
  read: Read, queue: QueuePlace, state: FinishedState, sinceMs: number, limit: number
): Promise<FinishedOf[]> {
  const since = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Math.floor(sinceMs)))
  return (await read<FinishedRow>(`SELECT id, finished_at_ms FROM ${schemaOf(queue)}.job WHERE queue = $1 AND state = '${state}'
    AND finished_at_ms >= $2::bigint ORDER BY finished_at_ms DESC LIMIT $3`, [queue.name, since, limit])).map(toFinished)
}

function toFinished({ id, finished_at_ms: finishedOn }: FinishedRow): FinishedOf {
  return { jobId: id, finishedOn: numberFrom(finishedOn)! }
}

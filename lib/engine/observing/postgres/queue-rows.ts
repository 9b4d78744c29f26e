import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { groupBy } from '../../../collections/group-by.ts'
import type { FinishedState } from '../../finished/finished-sets.ts'
import type { JobRange, RangeRequest, StateCounts } from '../../queues/queue-reads.ts'
import { countSqlJobs, countsFromSql, sqlJobLists, type SqlCountRow } from '../../queues/sql-job-lists.ts'
import { waitsSince, type ObservedJob } from '../observed-job.ts'
import type { FinishedOf, QueueSettings } from '../observed-server.ts'
import type { QueuePlace } from '../queue-place.ts'
import { OBSERVED_COLUMNS, numberFrom, observedJobFromRow, schemaOf, type ObservedRow } from './postgres-job.ts'

type Read = ReadDatabase['read']

/** One statement for each schema. */
export async function countQueues(read: Read, queues: readonly QueuePlace[], now: number): Promise<StateCounts[]> {
  return ofSchemas(queues, async (schema, names) => {
    const rows = await read<SqlCountRow>(countSqlJobs(`${schema}.job`, 'queue = ANY($2::text[])'), [now, names])
    const byName = new Map(rows.map(row => [row.queue, row]))
    return ({ name }) => countsFromSql(byName.get(name))
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
      const due = (byName.get(queue.name) ?? []).map(row => waitsSince(observedJobFromRow(queue, row)))
        .filter(since => since <= now)
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

const LISTS = sqlJobLists('$4')

export async function readRange(
  read: Read, queue: QueuePlace, { state, order, offset, size, from }: RangeRequest, now: number
): Promise<JobRange<ObservedJob>> {
  const { condition, columns, at } = LISTS[state]
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

import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { groupBy } from '../../../collections/group-by.ts'
import { readByGroup } from '../../../collections/read-by-group.ts'
import type { FinishedState } from '../../finished/finished-sets.ts'
import type { JobRange, StateCounts } from '../../queues/queue-reads.ts'
import {
  countSqlJobs, countsFromSql, rangesFromSql, sqlJobLists, sqlRangeParameters, sqlRanges, type SqlCountRow
} from '../../queues/sql-job-lists.ts'
import { isManagedVersion } from '../managing/managed-versions.ts'
import type { ObservedJob } from '../observed-job.ts'
import type { FinishedOf, QueueRange, QueueSettings } from '../observed-server.ts'
import type { QueuePlace } from '../queue-place.ts'
import { OBSERVED_COLUMNS, numberFrom, observedJobFromRow, type ObservedRow } from './job-row.ts'
import { ofSchemas, schemaOf } from './postgres-queue.ts'

type Read = ReadDatabase['read']

/** One statement for each schema. */
export async function countQueues(read: Read, queues: readonly QueuePlace[], now: number): Promise<StateCounts[]> {
  return ofSchemas(queues, async (schema, names) => {
    const rows = await read<SqlCountRow>(countSqlJobs(`${schema}.job`, 'queue = ANY($2::text[])'), [now, names])
    const byName = new Map(rows.map(row => [row.queue, row]))
    return ({ name }) => countsFromSql(byName.get(name))
  })
}

export function readSettings(read: Read, queues: readonly QueuePlace[]): Promise<QueueSettings[]> {
  return ofSchemas(queues, async (schema, names) => {
    const rows = await read<{ queue: string; field: string; value: string | null }>(
      `SELECT queue, field, value FROM ${schema}.meta
        WHERE queue = ANY($1::text[]) AND field IN ('paused', 'concurrency', 'max', 'duration', 'version')`, [names]
    )
    const byName = groupBy(rows, ({ queue }) => queue)
    return ({ name }) => {
      const fields = new Map((byName.get(name) ?? []).map(({ field, value }) => [field, value]))
      const { concurrency = null, max = null, duration = null } = Object.fromEntries(fields)
      return {
        isPaused: fields.get('paused') === '1', concurrency, max, duration,
        isKnownVersion: isManagedVersion(fields.get('version'), 'postgres')
      }
    }
  })
}

const LISTS = Object.entries(sqlJobLists('$6'))

/** One statement for each schema. */
export async function readRanges(
  read: Read, requests: readonly QueueRange[], now: number
): Promise<Array<JobRange<ObservedJob>>> {
  return await readByGroup(requests, ({ queue }) => schemaOf(queue), async (schema, ofSchema) => {
    const ranges = ofSchema.map(({ queue, request }) => ({ ...request, queueName: queue.name }))
    const text = sqlRanges(`${schema}.job`, OBSERVED_COLUMNS, LISTS, ranges[0]!.order)
    const rows = await read<ObservedRow & { readonly request: string }>(text, sqlRangeParameters(ranges, now))
    return rangesFromSql(ranges, rows, (_request, row, index) => observedJobFromRow(ofSchema[index]!.queue, row))
  })
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

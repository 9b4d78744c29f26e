import type { ExecutionOrder } from '../../../schemas/execution.ts'
import type { SqlStore } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { LISTED, type QueueReads, type StoredArgs } from './queue-reads.ts'
import {
  countSqlJobs, countsFromSql, rangesFromSql, sqlJobLists, sqlRangeParameters, sqlRanges, type SqlCountRow
} from './sql-job-lists.ts'
import { jobFromSql, SQL_JOB_FIELDS, type SqlJobRow } from '../jobs/sql-job.ts'

/** Lists of many queues, one statement each. */
export function createSqlQueueReads(store: SqlStore): QueueReads {
  const rowsOf = async <Row extends object>(text: string, parameters: readonly unknown[]) =>
    (await store.requestPool.query<Row>(inQueueSchema(store, text), parameters)).rows

  return {
    async counts({ names, isFew, has }, now) {
      const rows = await (isFew ? rowsOf<SqlCountRow>(COUNT_FEW, [now, names]) : rowsOf<SqlCountRow>(COUNT_ALL, [now]))
      return new Map(rows.filter(({ queue }) => has(queue)).map(row => {
        const { waitingChildren: _none, ...counts } = countsFromSql(row)
        return [row.queue, counts]
      }))
    },

    async ranges(requests, now) {
      const text = RANGES[requests[0]?.order ?? 'newest']
      const rows = await rowsOf<SqlJobRow & { request: number }>(text, sqlRangeParameters(requests, now))
      return rangesFromSql(requests, rows, ({ queueName }, row) => jobFromSql(queueName, row))
    },

    async args(jobs, maxBytes) {
      const parameters = [jobs.map(job => job.queueName), jobs.map(job => job.id), maxBytes]
      const rows = await rowsOf<{ request: number; bytes: number | null; args: string | null }>(ARGS, parameters)
      const found = jobs.map((): StoredArgs => ({ args: null, bytes: 0 }))
      for (const { request, bytes, args } of rows)
        found[Number(request) - 1] = { bytes: bytes ?? 0, args: (bytes ?? 0) > maxBytes ? undefined : args }
      return found
    }
  }
}

const COUNT_ALL = countSqlJobs('{queue}.job')
const COUNT_FEW = countSqlJobs('{queue}.job', 'queue = ANY($2::text[])')

/** Our own tasks have no flows, so no parent waits for its children. */
const { 'waiting-children': _parents, ...SOURCES } = sqlJobLists('$6')

const COLUMNS = `${SQL_JOB_FIELDS},
  CASE WHEN job.attempts_made > 0 THEN left(job.failed_reason, ${LISTED.failedReason}) END AS failed_reason,
  CASE WHEN job.attempts_made > 0 AND jsonb_typeof(job.stacktrace) = 'array'
    THEN jsonb_build_array(left(split_part(job.stacktrace ->> -1, E'\\n', 1), ${LISTED.stackLine})) END AS stacktrace,
  CASE WHEN octet_length(job.progress::text) <= ${LISTED.progressBytes} THEN job.progress END AS progress`
const RANGES = { newest: rangesIn('newest'), oldest: rangesIn('oldest') }

function rangesIn(order: ExecutionOrder): string {
  return sqlRanges('{queue}.job', COLUMNS, Object.entries(SOURCES), order)
}

/** Maximum size of what a job's data holds besides its arguments. */
const ARGS_MARKS_BYTES = 4_096

/**
 * Decompresses each job's data once, and not at all if even the compressed size is over the limit. OFFSET 0 keeps the planner from
 * decompressing the data each time it is used.
 */
const ARGS = `
SELECT wanted.request, data.bytes, CASE WHEN data.bytes <= $3::int THEN data.args END AS args
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted(queue, id, request)
JOIN {queue}.job ON job.queue = wanted.queue AND job.id = wanted.id
CROSS JOIN LATERAL (
  SELECT CASE WHEN packed.bytes > $3::int + ${ARGS_MARKS_BYTES} THEN packed.bytes ELSE octet_length(packed.args) END AS bytes, packed.args
  FROM (SELECT pg_column_size(job.data) AS bytes,
    CASE WHEN pg_column_size(job.data) <= $3::int + ${ARGS_MARKS_BYTES} THEN job.data ->> 'args' END AS args OFFSET 0) AS packed
) AS data`

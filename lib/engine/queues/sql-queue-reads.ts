import type { ExecutionOrder } from '../../../schemas/execution.ts'
import type { SqlStore } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { LISTED, type JobRange, type QueueReads, type StoredArgs } from './queue-reads.ts'
import { countSqlJobs, countsFromSql, sqlJobLists, type SqlCountRow } from './sql-job-lists.ts'
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
      const order = requests[0]?.order ?? 'newest'
      const rows = await rowsOf<SqlJobRow & { request: number }>(RANGES[order], [
        requests.map(each => each.queueName), requests.map(each => each.state), requests.map(each => each.offset),
        requests.map(each => each.size),
        requests.map(each => each.from), now
      ])
      const jobs = requests.map(() => [] as Array<JobRange['jobs'][number]>)
      for (const row of rows) {
        const index = Number(row.request) - 1
        const ofRequest = jobs[index]!
        ofRequest.push({ job: jobFromSql(requests[index]!.queueName, row), next: requests[index]!.offset + ofRequest.length + 1 })
      }
      return requests.map(({ offset, size }, index) => {
        const found = jobs[index]!.slice(0, size)
        return { jobs: found, next: offset + found.length, isEnd: jobs[index]!.length <= size }
      })
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

/** Reads one more than wanted, to know whether there is more. */
const RANGES = { newest: rangesIn('newest'), oldest: rangesIn('oldest') }

function rangesIn(order: ExecutionOrder): string {
  const [direction, isFar] = order === 'newest' ? ['DESC', '<='] : ['ASC', '>=']
  const sources = Object.entries(SOURCES).map(([state, { condition, columns, at }]) => `
    (SELECT job.*, row_number() OVER (ORDER BY ${columns.map(column => `job.${column} ${direction}`).join(', ')}) AS place
       FROM {queue}.job WHERE wanted.state = '${state}' AND job.queue = wanted.queue AND ${condition} AND (wanted.near IS NULL
         OR ${at} ${isFar} wanted.near)
      ORDER BY ${columns.map(column => `job.${column} ${direction}`).join(', ')} OFFSET wanted.skipped LIMIT wanted.size + 1)`)
  return `
SELECT wanted.request, ${SQL_JOB_FIELDS},
  CASE WHEN job.attempts_made > 0 THEN left(job.failed_reason, ${LISTED.failedReason}) END AS failed_reason,
  CASE WHEN job.attempts_made > 0 AND jsonb_typeof(job.stacktrace) = 'array'
    THEN jsonb_build_array(left(split_part(job.stacktrace ->> -1, E'\\n', 1), ${LISTED.stackLine})) END AS stacktrace,
  CASE WHEN octet_length(job.progress::text) <= ${LISTED.progressBytes} THEN job.progress END AS progress
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::bigint[]) WITH ORDINALITY AS wanted(queue, state, skipped, size, near,
  request)
CROSS JOIN LATERAL (${sources.join('\n    UNION ALL')}) AS job
ORDER BY wanted.request, job.place`
}

/** Maximum size of what a job's data holds besides its arguments. */
const ARGS_MARKS_BYTES = 4_096

/**
 * Decompresses each job's data once, and not at all if even the compressed size is over the limit. OFFSET 0 keeps the planner from
 * decompressing per use.
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

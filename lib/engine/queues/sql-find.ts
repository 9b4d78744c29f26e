import type { SqlStore } from '../../stores/store.ts'
import type { FoundJob } from '../jobs/found-job.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import type { QueueSelection } from './queue-selection.ts'
import { WITH_HELD_QUEUES } from './sql-held-queues.ts'
import { jobFromSql, SQL_JOB_FIELDS, type SqlJobRow } from '../jobs/sql-job.ts'

type FoundRow = SqlJobRow & { readonly queue: string; readonly logs: string[] | null }

/** Searches all queues at once. One statement reads state, fields and log, so they come from one snapshot. */
export async function findInSql(
  store: SqlStore, { names, isFew, has }: QueueSelection, id: string, logLines: number
): Promise<FoundJob | null> {
  const [text, others] = isFew ? [FIND_IN_FEW, [names]] : [FIND_IN_ALL, []]
  const { rows } = await store.requestPool.query<FoundRow>(inQueueSchema(store, text), [id, logLines, ...others])
  const row = rows.find(({ queue }) => has(queue))
  return row === undefined ? null : { job: jobFromSql(row.queue, row), state: row.job_state, logs: row.logs ?? [] }
}

/** Searches all queues at once. No payloads, progress or errors. */
export async function findManyInSql(
  store: SqlStore, { names, isFew, has }: QueueSelection, ids: readonly string[]
): Promise<Array<Pick<FoundJob, 'job' | 'state'>>> {
  const [text, others] = isFew ? [FIND_MANY_IN_FEW, [names]] : [FIND_MANY_IN_ALL, []]
  const { rows } = await store.requestPool.query<SqlJobRow & { queue: string }>(inQueueSchema(store, text), [ids, ...others])
  return rows.filter(({ queue }) => has(queue)).map(row => ({ job: jobFromSql(row.queue, row), state: row.job_state }))
}

const JOB = `
SELECT job.queue, ${SQL_JOB_FIELDS}, job.data ->> 'args' AS args, job.data ->> 'schedule_id' AS schedule_id,
  job.data ->> 'retry_of' AS retry_of,
  job.return_value, job.progress, job.failed_reason, job.stacktrace,
  (SELECT json_agg(line."row" ORDER BY line.idx)
     FROM (SELECT idx, "row" FROM {queue}.job_log WHERE queue = job.queue AND job_id = job.id ORDER BY idx DESC LIMIT $2) AS line) AS logs`

const FIND_IN_FEW = `${JOB}
FROM {queue}.job
WHERE job.queue = ANY($3::text[]) AND job.id = $1`

const FIND_IN_ALL = `${WITH_HELD_QUEUES}
${JOB}
FROM held
CROSS JOIN LATERAL (SELECT * FROM {queue}.job WHERE job.queue = held.queue AND job.id = $1 LIMIT 1) AS job`

const LIGHT_JOB = `SELECT job.queue, ${SQL_JOB_FIELDS}, NULL AS failed_reason, NULL AS stacktrace, NULL AS progress`

const FIND_MANY_IN_FEW = `${LIGHT_JOB}
FROM {queue}.job
WHERE job.queue = ANY($2::text[]) AND job.id = ANY($1::text[])`

const FIND_MANY_IN_ALL = `${WITH_HELD_QUEUES}
${LIGHT_JOB}
FROM held
CROSS JOIN LATERAL (SELECT * FROM {queue}.job WHERE job.queue = held.queue AND job.id = ANY($1::text[])) AS job`

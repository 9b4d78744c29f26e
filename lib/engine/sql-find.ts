import type { SqlStore } from '../stores/store.ts'
import type { FoundJob } from './found-job.ts'
import { jobFromSql, SQL_JOB_FIELDS, type SqlJobRow } from './sql-job.ts'

/** Looks in all queues at once. State, fields and log are of one snapshot, since one statement reads them. */
export async function findInSql({ requestPool }: SqlStore, queueNames: readonly string[], id: string, logLines: number): Promise<FoundJob | null> {
  const { rows: [row] } = await requestPool.query<SqlJobRow & { logs: string[] | null }>(FIND, [queueNames, id, logLines])
  return row === undefined ? null : { job: jobFromSql(row), state: row.job_state, logs: row.logs ?? [] }
}

const FIND = `
SELECT ${SQL_JOB_FIELDS}, job.data ->> 'args' AS args, job.data ->> 'schedule_id' AS schedule_id, job.data ->> 'retry_of' AS retry_of,
  job.return_value, job.progress, job.failed_reason, job.stacktrace,
  (SELECT json_agg(line."row" ORDER BY line.idx)
     FROM (SELECT idx, "row" FROM job_log WHERE queue = job.queue AND job_id = job.id ORDER BY idx DESC LIMIT $3) AS line) AS logs
FROM job
WHERE job.queue = ANY($1::text[]) AND job.id = $2
LIMIT 1`

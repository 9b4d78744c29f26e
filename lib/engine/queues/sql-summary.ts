import type { SqlStore } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import type { QueueReads } from './queue-reads.ts'
import type { QueueSelection } from './queue-selection.ts'
import { dueAgainAt, type QueuesSummary } from './queues-summary.ts'
import { jobFromSql, SQL_JOB_FIELDS, type SqlJobRow } from '../jobs/sql-job.ts'

/** Prioritized jobs are ordered by urgency. Only this many of the most urgent ones are searched for the oldest. */
const MAX_PRIORITIZED_READ = 50

/** Only for queues that hold something, by name. Two statements, for any number of queues. */
export async function summarizeInSql(
  store: SqlStore, { counts }: Pick<QueueReads, 'counts'>, queues: QueueSelection, now: number
): Promise<Map<string, QueuesSummary>> {
  const held = await counts(queues, now)
  const waiting = [...held].filter(([, each]) => each.waiting + each.prioritized + each.delayed - each.planned > 0).map(([name]) => name)
  const { rows } = waiting.length === 0
    ? { rows: [] }
    : await store.requestPool.query<SqlJobRow & { queue: string }>(inQueueSchema(store, OLDEST), [waiting, MAX_PRIORITIZED_READ])
  const oldest = new Map<string, number>()
  for (const row of rows) {
    const dueAt = dueAgainAt(jobFromSql(undefined, row))
    if (dueAt <= now) oldest.set(row.queue, Math.min(dueAt, oldest.get(row.queue) ?? Infinity))
  }
  return new Map([...held].map(([name, counts]) => [name, { ...counts, oldestDueAt: oldest.get(name) ?? null }]))
}

// The first delayed job may be due but not promoted, because there is no worker to do it.
const OLDEST = `
SELECT wanted.queue, ${SQL_JOB_FIELDS}, NULL AS failed_reason, NULL AS stacktrace, NULL AS progress
FROM unnest($1::text[]) AS wanted(queue)
CROSS JOIN LATERAL (
  (SELECT job.* FROM {queue}.job WHERE job.queue = wanted.queue AND job.state = 'waiting' AND job.priority = 0 ORDER BY job.seq LIMIT 1)
  UNION ALL
  (SELECT job.* FROM {queue}.job WHERE job.queue = wanted.queue AND job.state = 'waiting' AND job.priority > 0
    ORDER BY job.priority, job.seq LIMIT $2)
  UNION ALL
  (SELECT job.* FROM {queue}.job WHERE job.queue = wanted.queue AND job.state = 'delayed' ORDER BY job.process_at_ms LIMIT 1)
) AS job`

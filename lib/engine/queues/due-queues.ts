import type { SqlPool } from '../../stores/store.ts'

/**
 * Returns the queues that are not paused and have a waiting or due job. One statement on BullMQ's indexes, however much the queues hold.
 */
export async function findDueQueues(pool: Pick<SqlPool, 'query'>, schema: string, queues: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ queue: string }>(
    `SELECT asked.queue FROM unnest($1::text[]) AS asked(queue)
     WHERE (EXISTS (SELECT FROM "${schema}".job WHERE job.queue = asked.queue AND job.state = 'waiting')
         OR EXISTS (SELECT FROM "${schema}".job WHERE job.queue = asked.queue AND job.state = 'delayed'
           AND job.process_at_ms <= $2::bigint))
       AND NOT EXISTS (SELECT FROM "${schema}".meta WHERE meta.queue = asked.queue AND meta.field = 'paused' AND meta.value = '1')`,
    // The clock of this process, because workers also compare with the time of their process.
    [queues, Date.now()])
  return rows.map(({ queue }) => queue)
}

import type { SqlPool } from '../../stores/store.ts'

/**
 * Of these queues those in which something waits or is due, and which are not paused: one statement by BullMQ's indexes, whatever they
 * hold.
 */
export async function findDueQueues(pool: Pick<SqlPool, 'query'>, schema: string, queues: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ queue: string }>(
    `SELECT asked.queue FROM unnest($1::text[]) AS asked(queue)
     WHERE (EXISTS (SELECT FROM "${schema}".job WHERE job.queue = asked.queue AND job.state = 'waiting')
         OR EXISTS (SELECT FROM "${schema}".job WHERE job.queue = asked.queue AND job.state = 'delayed'
           AND job.process_at_ms <= $2::bigint))
       AND NOT EXISTS (SELECT FROM "${schema}".meta WHERE meta.queue = asked.queue AND meta.field = 'paused' AND meta.value = '1')`,
    // As workers see it, who compare with the clock of their process.
    [queues, Date.now()])
  return rows.map(({ queue }) => queue)
}

import { groupBy } from '../../../collections/group-by.ts'
import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { waitsSince } from '../observed-job.ts'
import type { QueuePlace } from '../queue-place.ts'
import { OBSERVED_COLUMNS, observedJobFromRow, type ObservedRow } from './job-row.ts'
import { ofSchemas } from './postgres-queue.ts'

/** When the oldest job that could start was due. Of the jobs with a priority, only the most urgent is checked. */
export function oldestDueAt(
  read: ReadDatabase['read'], queues: readonly QueuePlace[], now: number
): Promise<Array<number | null>> {
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

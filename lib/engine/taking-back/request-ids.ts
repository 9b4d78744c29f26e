import type { Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { requestIdFromJob } from '../jobs/job-mapper.ts'

/**
 * One index lookup for each id. With `id = ANY(…)`, PostgreSQL reads the whole queue while it has no statistics, which is until a minute
 * after the queue has grown.
 */
export const REQUEST_IDS = `SELECT found.id, found.opts FROM unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL (
  SELECT id, jsonb_build_object('request_id', opts -> 'request_id') AS opts FROM {queue}.job
  WHERE job.queue = $1 AND job.id = wanted.id LIMIT 1) AS found`

/** The `requestId` of each of these jobs that the broker has; null for a job that was added without one. */
export async function readRequestIds(
  store: Store, queueName: string, executionIds: readonly string[]
): Promise<ReadonlyMap<string, string | null>> {
  if (executionIds.length === 0) return new Map()
  if (store.kind !== 'redis') {
    const { rows } = await store.requestPool.query<{ id: string; opts: object }>(
      inQueueSchema(store, REQUEST_IDS), [queueName, executionIds])
    return new Map(rows.map(({ id, opts }) => [id, requestIdFromJob({ data: {}, opts })]))
  }
  const pipeline = store.client.pipeline()
  for (const executionId of executionIds) pipeline.hget(`${store.keyPrefix}:${queueName}:${executionId}`, 'opts')
  const answers = await pipeline.exec() ?? []
  const found = new Map<string, string | null>()
  for (const [index, [error, opts]] of answers.entries()) {
    if (error) throw error
    if (typeof opts === 'string') found.set(executionIds[index]!, requestIdFromJob({ data: {}, opts: JSON.parse(opts) as object }))
  }
  return found
}

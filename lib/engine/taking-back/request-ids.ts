import type { Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { requestIdFromJob } from '../jobs/job-mapper.ts'

/** The `requestId` of each of these jobs that the broker has; null for one that was added without. */
export async function readRequestIds(
  store: Store, queueName: string, executionIds: readonly string[]
): Promise<ReadonlyMap<string, string | null>> {
  if (executionIds.length === 0) return new Map()
  if (store.kind !== 'redis') {
    const { rows } = await store.requestPool.query<{ id: string; opts: object }>(
      inQueueSchema(store, `SELECT id, jsonb_build_object('request_id', opts -> 'request_id') AS opts FROM {queue}.job
        WHERE queue = $1 AND id = ANY($2::text[])`), [queueName, executionIds])
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

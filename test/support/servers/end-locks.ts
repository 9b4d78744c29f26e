import type { Store } from '../../../lib/stores/store.ts'

/**
 * Has the same effect as waiting on the executions of a killed process: their locks expire, and one check has already found them without a
 * lock. The next worker of the queue then resumes them when it starts.
 */
export async function endLocks(store: Store, queue: string): Promise<void> {
  if (store.kind !== 'redis') {
    const schema = `"${store.schema}_queue"`
    await store.query(`UPDATE ${schema}.job SET locked_until_ms = 1, stalled_marked = true WHERE queue = $1 AND state = 'active'`, [queue])
    await store.query(`DELETE FROM ${schema}.meta WHERE queue = $1 AND field = 'stalled-check'`, [queue])
    return
  }
  const key = `${store.keyPrefix}:${queue}:`
  const active = await store.client.lrange(`${key}active`, 0, -1)
  for (const id of active) {
    await store.client.del(`${key}${id}:lock`)
    await store.client.sadd(`${key}stalled`, id)
  }
  await store.client.del(`${key}stalled-check`)
}

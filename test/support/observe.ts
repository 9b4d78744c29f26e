import { QueueApp } from '../../lib/index.ts'
import type { TestScope } from './servers/stores.ts'

/** A started app for existing queues; stopped when the test ends. */
export async function observe(t: TestScope, ...source: Parameters<typeof QueueApp.fromQueues>): Promise<QueueApp> {
  const queueApp = QueueApp.fromQueues(...source)
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  return queueApp
}

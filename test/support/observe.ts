import { QueueApp, type ObserveOptions } from '../../lib/index.ts'
import { isSoak } from './soak.ts'
import { redisUrl, type TestScope } from './servers/stores.ts'

/** A started app for existing queues; stopped when the test ends. For its history, see `withHistory`. */
export async function observe(
  t: TestScope, source: Parameters<typeof QueueApp.fromQueues>[0], options: ObserveOptions = {}
): Promise<QueueApp> {
  const queueApp = QueueApp.fromQueues(source, await withHistory(t, options))
  t.teardown(() => queueApp.stop())
  await queueApp.start()
  return queueApp
}

/**
 * These options with a history on Redis, unless they name one. The default history is embedded and takes a second of processor time to
 * start, so tests that do not need it use it only in the soak.
 */
export async function withHistory(t: TestScope, options: ObserveOptions): Promise<ObserveOptions> {
  return isSoak || options.backend !== undefined ? options : { ...options, backend: await redisUrl(t) }
}

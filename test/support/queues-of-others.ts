import { Queue } from 'bullmq'
import { connectBullmq } from '../../lib/engine/connection/bullmq-connection.ts'
import { queueNameFromTask } from '../../lib/engine/jobs/queue-name.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import type { Store } from '../../lib/stores/store.ts'
import type { TestScope } from './servers/stores.ts'

/** BullMQ's own queues of a running app on Redis or PostgreSQL, as other code uses them. They close when the test ends. */
export async function openQueuesOfOthers(
  t: TestScope, url: string, namespace: string
): Promise<{ readonly store: Store; queueOf(taskName: string): Queue }> {
  const store = createStore(url, { namespace, role: 'broker', onError() {} })
  await store.start()
  const bullmq = connectBullmq(store)
  await bullmq.prepare()
  const options = { connection: bullmq.requests, ...bullmq.prefix !== undefined && { prefix: bullmq.prefix } }
  const queues: Queue[] = []
  t.teardown(async () => {
    await Promise.all(queues.map(queue => queue.close()))
    await bullmq.close()
    await store.stop()
  })
  return {
    store,
    queueOf(taskName) {
      const queue = new Queue(queueNameFromTask(taskName), options, bullmq.factory) as unknown as Queue
      queue.on('error', () => {})
      queues.push(queue)
      return queue
    }
  }
}

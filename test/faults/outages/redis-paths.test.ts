import t, { type Test } from 'tap'
import { Redis } from 'ioredis'
import { QueueApp, type StoreSource } from '../../../lib/index.ts'
import { startHaproxy } from '../../support/servers/haproxy.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { resultOf } from '../../support/result-of.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A worker and a producer, as in separate processes. */
async function startPair(t: Test, broker: StoreSource) {
  const runs = new Map<number, number>()
  const worker = QueueApp.fromUrls({ broker, onError() {} })
  worker.task('count', async (number: number) => { runs.set(number, (runs.get(number) ?? 0) + 1) })
  const producer = QueueApp.fromUrls({ broker, tasks: { count: {} }, onError() {} })
  for (const queueApp of [worker, producer]) {
    t.teardown(() => queueApp.stop())
    await queueApp.start()
  }
  /** Retries enqueues that were refused, because they did nothing, but not those that are unconfirmed. */
  const enqueue = async (number: number): Promise<string> => await waitFor(`execution ${number} to be taken`, async () => {
    try {
      return await producer.enqueue('count', [number])
    } catch (error) {
      const { code, unconfirmedIds = [] } = error as { code?: string; unconfirmedIds?: string[] }
      if (code === 'UNCONFIRMED') return unconfirmedIds[0]!
      if (code === 'BROKER_UNAVAILABLE') return null
      throw error
    }
  })
  return { runs, enqueue, producer }
}

t.test('connections that a proxy cuts when idle are replaced, and no execution fails', async t => {
  const server = await startRedis(t)
  const proxy = await startHaproxy(t, server.url, { idleMs: 700 })
  const admin = new Redis(server.url)
  t.teardown(() => admin.disconnect())
  const connected = async (): Promise<number> => Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))![1])
  const { runs, enqueue, producer } = await startPair(t, proxy.url)
  for (let number = 0; number < 4; number++) {
    const id = await enqueue(number)
    t.match(await resultOf(producer, id), { status: 'success' })
    const before = await connected()
    await waitFor('idle connections to be cut and made anew', async () => await connected() >= before + 3)
  }
  t.same([...runs.keys()], [0, 1, 2, 3])
})

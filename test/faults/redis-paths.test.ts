import t, { type Test } from 'tap'
import { Redis } from 'ioredis'
import { QueueApp, type StoreSource } from '../../lib/index.ts'
import type { TestServer } from '../support/child-server.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { startRedis } from '../support/stores.ts'
import { resultOf } from '../support/result-of.ts'
import { waitFor } from '../support/wait-for.ts'

/** A worker and a producer, each as a process of its own has it. */
async function startPair(t: Test, broker: StoreSource) {
  const runs = new Map<number, number>()
  const worker = QueueApp.fromUrls({ broker, onError() {} })
  worker.task('count', async (number: number) => { runs.set(number, (runs.get(number) ?? 0) + 1) })
  const producer = QueueApp.fromUrls({ broker, tasks: { count: {} }, onError() {} })
  for (const queueApp of [worker, producer]) {
    t.teardown(() => queueApp.stop())
    await queueApp.start()
  }
  /** What was refused has not happened, and is asked for again; what was not confirmed is not. */
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

t.test('connections that a proxy cuts when they are idle cost nothing', async t => {
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

t.test('a slot that moves to another node while executions run loses none of them', { timeout: 240_000 }, async t => {
  const nodes = await startRedisCluster(t)
  const { runs, enqueue } = await startPair(t, nodes[0]!.url)
  let isMoving = true
  const enqueued: number[] = []
  const load = (async () => {
    for (let number = 0; isMoving || number < 200; number++) {
      await enqueue(number)
      enqueued.push(number)
    }
  })()
  await waitFor('some executions', async () => runs.size > 50)
  for (let moves = 0; moves < 3; moves++) await moveSlot(nodes)
  isMoving = false
  await load
  await waitFor('all to have run', async () => enqueued.every(number => runs.has(number)), 120_000)
  t.same(enqueued.filter(number => !runs.has(number)), [])
  t.comment(`${enqueued.length} executions, ${[...runs.values()].filter(times => times > 1).length} ran twice`)
})

/**
 * Moves the slot of our keys as `redis-cli --cluster reshard --cluster-replace` does, key by key. A script of the ledger that ran on the
 * target may have made a key there that the source still has; see docs/your-store.md.
 */
async function moveSlot(servers: readonly TestServer[]): Promise<void> {
  const nodes = servers.map(({ url, port }) => ({ port, redis: new Redis(url) }))
  const slot = await nodes[0]!.redis.cluster('KEYSLOT', '{tasks}')
  const ids = await Promise.all(nodes.map(({ redis }) => redis.cluster('MYID')))
  const counts = await Promise.all(nodes.map(({ redis }) => redis.cluster('COUNTKEYSINSLOT', slot)))
  const from = counts.findIndex(count => count > 0)
  const to = (from + 1) % nodes.length
  const [source, target] = [nodes[from]!, nodes[to]!]
  await target.redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[from]!)
  await source.redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[to]!)
  for (;;) {
    const keys = await source.redis.call('CLUSTER', 'GETKEYSINSLOT', slot, 1) as string[]
    if (keys.length === 0) break
    await source.redis.call('MIGRATE', '127.0.0.1', target.port, '', 0, 5_000, 'REPLACE', 'KEYS', ...keys)
  }
  for (const { redis } of [target, source, ...nodes]) await redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[to]!).catch(() => {})
  for (const { redis } of nodes) redis.disconnect()
}

import { setImmediate } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createClusterClient } from '../../../../lib/stores/redis/clients/cluster-client.ts'
import { HASTY } from '../../../../lib/stores/redis/clients/open-clients.ts'
import type { RedisStore } from '../../../../lib/stores/store.ts'
import { withDeadline } from '../../../../lib/time/deadline.ts'
import { newStore } from '../../../contracts/store.ts'
import { blockProcess } from '../../../support/block-process.ts'
import { startRedisCluster } from '../../../support/servers/redis-cluster.ts'
import { redisUrl } from '../../../support/servers/stores.ts'

const KEY = '{tasks}:count'
const PATIENCE_MS = 20_000

/** A client of a cluster whose commands have a deadline, and the connection to the node that has the key. */
async function openCluster(t: Test): Promise<{ client: Cluster; node: Redis; slot: number }> {
  const [first] = await startRedisCluster(t)
  const client = createClusterClient(Cluster, new Redis(first!.url, { lazyConnect: true }), HASTY)
  client.on('error', () => {})
  t.teardown(() => client.disconnect())
  await client.connect()
  for (const node of client.nodes('master')) await node.ping()
  const slot = await client.cluster('KEYSLOT', KEY)
  const node = client.nodes('master').find(({ options: { host, port } }) => `${host}:${port}` === client.slots[slot]![0])!
  return { client, node, slot }
}

t.test('a pipeline for a slot that has moved runs once, on the node that has the slot now', async t => {
  const { client, node, slot } = await openCluster(t)
  const other = client.nodes('master').find(each => each !== node)!
  client.slots[slot] = [`${other.options.host}:${other.options.port}`]
  t.same(await withDeadline(client.pipeline().incr(KEY).incr(KEY).exec(), PATIENCE_MS, 'no outcome'), [[null, 1], [null, 2]])
  t.equal(await client.get(KEY), '2')
})

t.test('a pipeline whose connection to its node was lost is sent again, and has an outcome', async t => {
  const { client, node } = await openCluster(t)
  await client.set(KEY, 'apple')
  const responses = client.pipeline().get(KEY).exists(KEY).exec()
  node.stream.destroy()
  t.same(await withDeadline(responses, PATIENCE_MS, 'no outcome'), [[null, 'apple'], [null, 1]])
})

t.test('a connection is kept while the process is blocked, so a command is not sent a second time', async t => {
  const store = newStore(await redisUrl(t)) as RedisStore
  t.teardown(() => store.stop())
  await store.start()
  let closed = 0
  store.client.on('close', () => { closed++ })
  const count = store.client.incr('count')
  await setImmediate()
  blockProcess(HASTY.socketTimeout + 500)
  t.equal(await count, 1)
  t.equal(closed, 0)
})

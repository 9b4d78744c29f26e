import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { enqueue, startEngine, work } from '../../contracts/engine-work.ts'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { startRedis } from '../../support/servers/stores.ts'

/** Longer than a first attempt to connect to a cluster may take. */
const REFUSED_MS = 5_000
/** A stop waits at most 5 s for a broker that does not respond (engine-worker.ts). */
const STOPPED_WITHIN_MS = 10_000

t.test('a worker whose first connection is refused works as soon as connections are accepted, on Redis', async t => {
  await testRefusedAtFirst(t, (await startRedis(t, { persistent: false })).url)
})

t.test('a worker whose first connection is refused works as soon as connections are accepted, on a cluster', async t => {
  const [node] = await startRedisCluster(t)
  await testRefusedAtFirst(t, node!.url)
})

t.test('a worker that never got a connection stops', async t => {
  const proxy = await startTcpProxy(t, (await startRedis(t, { persistent: false })).url)
  const { engine } = await startEngine(t, proxy.url)
  proxy.refuse(true)
  const { stop } = work(t, engine, { run: async () => 'done' })
  await sleep(1_000)
  const startedAt = performance.now()
  await stop()
  const tookMs = performance.now() - startedAt
  t.ok(tookMs < STOPPED_WITHIN_MS, `${tookMs} ms`)
})

/** Existing connections of the engine stay open; only the worker's own connection is refused. */
async function testRefusedAtFirst(t: Test, url: string): Promise<void> {
  const proxy = await startTcpProxy(t, url)
  const { engine } = await startEngine(t, proxy.url)
  proxy.refuse(true)
  const { taskName, errors, finished } = work(t, engine, { run: async () => 'done' })
  await sleep(REFUSED_MS)
  proxy.refuse(false)
  const id = await enqueue(engine, taskName)
  t.equal((await finished(id)).status, 'success')
  t.comment([...new Set(errors.map(error => error.message))].join('\n'))
}

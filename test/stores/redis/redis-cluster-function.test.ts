import { Cluster } from 'ioredis'
import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { resultOf } from '../../support/result-of.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('a `redis` function may return cluster clients, which recover after the nodes hung', async t => {
  const nodes = await startRedisCluster(t)
  const queueApp = QueueApp.fromUrls({
    broker: { redis: redisOptions => new Cluster([{ host: '127.0.0.1', port: nodes[0]!.port }], { redisOptions }) }, onError() {}
  })
  queueApp.task('count', async () => 7)
  t.teardown(() => queueApp.stop())
  await queueApp.start()
  const runs = async (): Promise<void> => {
    const id = await waitFor('an execution to be taken', () => queueApp.enqueue('count', []).catch(() => null))
    t.match(await resultOf(queueApp, id), { status: 'success', result: 7 })
  }
  await runs()
  for (const node of nodes) node.freeze()
  await t.rejects(queueApp.enqueue('count', []))
  for (const node of nodes) node.thaw()
  await runs()
})

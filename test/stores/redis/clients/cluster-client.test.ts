import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import t from 'tap'
import { isTransientError } from '../../../../lib/engine/connection/transient-error.ts'
import { createClusterClient } from '../../../../lib/stores/redis/clients/cluster-client.ts'
import { startRedisCluster } from '../../../support/servers/redis-cluster.ts'
import { waitFor } from '../../../support/wait-for.ts'

t.test('a patient client reconnects after its nodes hung, even if BullMQ has reconnected it', async t => {
  const nodes = await startRedisCluster(t)
  const node = new Redis(nodes[0]!.url, { lazyConnect: true })
  const patient = createClusterClient(Cluster, node, {
    retryStrategy: () => 100, enableOfflineQueue: true, maxRetriesPerRequest: null, socketTimeout: 8_000
  })
  // As BullMQ creates the connection on which a worker waits.
  const waiting = patient.duplicate(undefined, { redisOptions: { connectionName: 'waiting' } })
  t.equal(waiting.options.redisOptions?.maxRetriesPerRequest, null)
  t.equal(waiting.options.redisOptions?.connectionName, 'waiting')
  for (const client of [patient, waiting]) {
    client.on('error', () => {})
    t.teardown(() => client.disconnect())
    await client.connect()
    await client.set('{tasks}:fruit', 'apple')
  }

  for (const each of nodes) each.freeze()
  for (const client of [patient, waiting]) {
    // How BullMQ recovers a connection that seems lost.
    client.disconnect(false)
    await Promise.race([client.connect().catch(() => {}), sleep(4_000)])
  }
  for (const each of nodes) each.thaw()
  for (const client of [patient, waiting]) {
    const answer = await waitFor('a response', () => Promise.race([client.get('{tasks}:fruit').catch(() => null), sleep(2_000, null)]))
    t.equal(answer, 'apple')
  }
})

t.test('errors of ioredis about an unreachable cluster count as an outage, not as a failure of a run', async t => {
  for (const message of [
    'None of startup nodes is available', 'Failed to refresh slots cache.', 'Cluster isn\'t ready and enableOfflineQueue options is false'
  ]) {
    t.ok(isTransientError(new Error(message)))
  }
})

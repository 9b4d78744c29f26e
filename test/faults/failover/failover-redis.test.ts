import { Redis } from 'ioredis'
import t from 'tap'
import { reconnectWhenDemoted } from '../../../lib/stores/redis/clients/reconnect-when-demoted.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'
import { testFailovers } from './failover.ts'

const FAILOVERS = isSoak ? 5 : 1

t.test('everything recovers when a Redis becomes a replica and the address moves', { timeout: 150_000 * FAILOVERS }, async t => {
  const servers = [await startRedis(t), await startRedis(t)]
  const clients = servers.map(server => new Redis(server.url))
  t.teardown(() => { for (const client of clients) client.disconnect() })
  await clients[1]!.replicaof('127.0.0.1', servers[0]!.port)
  const proxy = await startTcpProxy(t, servers[0]!.url)
  let primary = 0
  await testFailovers(t, {
    url: proxy.url,
    async demote() {
      const other = 1 - primary
      await waitFor('the replica to follow', async () => (await clients[other]!.info('replication')).includes('master_link_status:up'))
      await waitFor('the primary to know that its replica is online', async () =>
        (await clients[primary]!.info('replication')).includes('state=online'))
      await clients[primary]!.call('FAILOVER', 'TO', '127.0.0.1', String(servers[other]!.port))
      await waitFor('the other server to be the primary', async () => (await clients[other]!.role())[0] === 'master')
      await waitFor('the server to be a replica', async () => (await clients[primary]!.role())[0] === 'slave')
    },
    async move() {
      primary = 1 - primary
      proxy.moveTo(servers[primary]!.url)
    },
    connections: () => proxy.connections
  }, FAILOVERS)
})

t.test('each connection reconnects to find a new primary at once, and then less and less often', async t => {
  const refusals = [
    'READONLY You can\'t write against a read only replica.',
    'READONLY You can\'t write against a read only replica. script: 7f92, on @user_script:2.',
    'ERR Error running script (call to f_7f92): @user_script:2: @user_script: 2: -READONLY You can\'t write against a read only replica.',
    'EXECABORT Transaction discarded because of: READONLY You can\'t write against a read only replica.',
    'MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to \'no\'.'
  ]
  for (const message of refusals) t.equal(reconnectWhenDemoted.call({}, new Error(message)), true, message)
  for (const message of ['OOM command not allowed', 'ERR no such key READONLY', 'NOREPLICAS Not enough good replicas to write.']) {
    t.equal(reconnectWhenDemoted.call({}, new Error(message)), false, message)
  }
  const [one, other] = [{}, {}]
  const refused = (connection: object) => reconnectWhenDemoted.call(connection, new Error(refusals[0]))
  t.equal(refused(one), true)
  t.notOk(Array.from({ length: 100 }, () => refused(one)).some(Boolean))
  t.equal(refused(other), true)
})

import t, { type Test } from 'tap'
import { Redis } from 'ioredis'
import { resultBackendContract } from '../../contracts/result-backend.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openRedisStore } from './open-backend.ts'

// A cluster node refuses a script that touches keys of several slots, even undeclared ones.
const server = await startRedis(t, {
  persistent: false,
  // Without a bus port it takes its own plus 10,000, which may be in use.
  args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port', String(await freePort())]
})
await assignAllSlots(server.url)

t.test('a node of a cluster refuses keys of several slots', async t => {
  const client = new Redis(server.url)
  t.teardown(() => { client.disconnect() })
  await t.rejects(client.mget('a', 'b'), /CROSSSLOT/)
})

resultBackendContract(t, async (t: Test) => openRedisStore(t, server.url))

async function assignAllSlots(url: string): Promise<void> {
  const client = new Redis(url)
  await client.call('CLUSTER', 'ADDSLOTS', ...Array.from({ length: 16_384 }, (_, slot) => slot))
  await waitFor('the cluster', async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'))
  client.disconnect()
}

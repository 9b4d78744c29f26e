import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import type { TestServer } from './child-server.ts'
import { createRedisServer } from './redis-server.ts'
import type { TestScope } from './stores.ts'
import { waitFor } from '../wait-for.ts'

const MASTERS = 3
const SLOTS = 16_384

export interface ClusterOptions {
  password?: string
  /** Whether nodes serve their slots while another node is unavailable. Default false, as in Redis. */
  isPartial?: boolean
}

/** A separate Redis Cluster of three masters, each with a third of the slots; removed when the test ends. */
export async function startRedisCluster(t: TestScope, options: ClusterOptions = {}): Promise<TestServer[]> {
  const { password, isPartial = false } = options
  const nodes = await Promise.all(Array.from({ length: MASTERS }, async () => {
    const busPort = await freePort()
    const secret = password === undefined ? [] : ['--masterauth', password]
    const partial = isPartial ? ['--cluster-require-full-coverage', 'no'] : []
    const server = await createRedisServer({
      ...password !== undefined && { password },
      args: ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), '--cluster-node-timeout', '2000', ...secret, ...partial]
    })
    t.teardown(server.remove)
    return { server, busPort, redis: new Redis(server.url) }
  }))
  const perNode = Math.ceil(SLOTS / MASTERS)
  await Promise.all(nodes.map(async ({ redis }, index) => {
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', index * perNode, Math.min((index + 1) * perNode, SLOTS) - 1)
    await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1)
  }))
  for (const { server, busPort } of nodes.slice(1)) await nodes[0]!.redis.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort)
  await waitFor('every node to know all slots', async () => {
    const states = await Promise.all(nodes.map(({ redis }) => redis.cluster('INFO')))
    return states.every(state => state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${MASTERS}`))
  })
  for (const { redis } of nodes) redis.disconnect()
  return nodes.map(({ server }) => server)
}

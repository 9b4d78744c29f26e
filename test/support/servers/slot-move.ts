import { Redis } from 'ioredis'
import type { TestServer } from './child-server.ts'
import type { TestScope } from './stores.ts'

export interface SlotMove {
  /** The keys of the slot that are still on the source node. */
  left(): Promise<number>
  /** Moves that many keys to the other node, or those whose name matches. Rejects with an error of MIGRATE, such as BUSYKEY. */
  migrate(keys: number | RegExp): Promise<void>
  /** Assigns the slot to the other node, which must already have all keys. */
  finish(): Promise<void>
}

const MAX_KEYS = 10_000

/** Begins to move the slot of `key` from the node that holds its keys to the next one, as `redis-cli --cluster reshard` does. */
export async function beginSlotMove(t: TestScope, servers: readonly TestServer[], key: string): Promise<SlotMove> {
  const nodes = servers.map(({ url, port }) => ({ port, redis: new Redis(url) }))
  t.teardown(() => { for (const { redis } of nodes) redis.disconnect() })
  const slot = await nodes[0]!.redis.cluster('KEYSLOT', key)
  const ids = await Promise.all(nodes.map(({ redis }) => redis.cluster('MYID')))
  const counts = await Promise.all(nodes.map(({ redis }) => redis.cluster('COUNTKEYSINSLOT', slot)))
  const from = counts.findIndex(count => count > 0)
  const to = (from + 1) % nodes.length
  const [source, target] = [nodes[from]!, nodes[to]!]
  await target.redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[from]!)
  await source.redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[to]!)
  return {
    left: () => source.redis.cluster('COUNTKEYSINSLOT', slot),
    async migrate(wanted) {
      const all = await source.redis.callBuffer('CLUSTER', 'GETKEYSINSLOT', slot, MAX_KEYS) as Buffer[]
      for (const key of typeof wanted === 'number' ? all.slice(0, wanted) : all.filter(key => wanted.test(key.toString()))) {
        await source.redis.call('MIGRATE', '127.0.0.1', target.port, key, 0, 5_000)
      }
    },
    async finish() {
      for (const { redis } of [target, source, ...nodes]) await redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[to]!).catch(() => {})
    }
  }
}

/** Moves the whole slot, with a pause before each key so that executions run in between. */
export async function moveSlot(t: TestScope, servers: readonly TestServer[], key: string, pause: () => Promise<unknown>): Promise<void> {
  const move = await beginSlotMove(t, servers, key)
  while (await move.left() > 0) {
    await pause()
    await move.migrate(1)
  }
  await move.finish()
}

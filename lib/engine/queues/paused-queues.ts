import { inChunks } from '../../collections/in-chunks.ts'
import type { RedisStore, Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import type { QueueSelection } from './queue-selection.ts'

/** A script blocks the server: this many queues take less than a millisecond. */
const QUEUES_AT_A_TIME = 500

/** The paused ones of these queues, which may hold nothing. On Redis one round trip per 500, all at once; in SQL one statement. */
export async function findPausedQueues(store: Store, { names, has }: QueueSelection): Promise<ReadonlySet<string>> {
  if (store.kind === 'redis') {
    const found = await Promise.all(inChunks(names, QUEUES_AT_A_TIME).map(each => askRedis(store, each)))
    return new Set(found.flat())
  }
  const { rows } = await store.requestPool.query<{ queue: string }>(inQueueSchema(store, PAUSED), [])
  return new Set(rows.map(({ queue }) => queue).filter(has))
}

async function askRedis({ client, keyPrefix }: RedisStore, names: readonly string[]): Promise<string[]> {
  const keys = names.map(name => `${keyPrefix}:${name}:meta`)
  const found = await client.eval(ASK, keys.length, ...keys) as number[]
  return found.map(index => names[index - 1]!)
}

const ASK = `
local paused = {}
for i, key in ipairs(KEYS) do if redis.call('HEXISTS', key, 'paused') == 1 then paused[#paused + 1] = i end end
return paused`

const PAUSED = `SELECT queue FROM {queue}.meta WHERE field = 'paused' AND value = '1'`

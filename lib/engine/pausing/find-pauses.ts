import { inChunks } from '../../collections/in-chunks.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore, Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { pauseFromJson, type QueuePause } from './queue-pause.ts'
import { pausesKey } from './redis-pause.ts'
import { belongTogether } from './sql-pause.ts'

/** A script blocks the server: this many queues take less than a millisecond. */
const QUEUES_AT_A_TIME = 500

/**
 * The pauses of these queues, by queue name, including queues that hold nothing. On Redis one round trip per 500, all at once; in SQL one
 * statement.
 */
export async function findPauses(store: Store, { names, has }: QueueSelection): Promise<ReadonlyMap<string, QueuePause>> {
  if (store.kind === 'redis') {
    const found = await Promise.all(inChunks(names, QUEUES_AT_A_TIME).map(each => askRedis(store, each)))
    return new Map(found.flat())
  }
  const { rows } = await store.requestPool.query<{ queue: string; pause: string | null }>(inQueueSchema(store, PAUSED), [])
  return new Map(rows.filter(({ queue }) => has(queue)).map(({ queue, pause }) => [queue, pauseFromJson(pause)]))
}

async function askRedis({ client, keyPrefix }: RedisStore, names: readonly string[]): Promise<Array<[string, QueuePause]>> {
  const found = await client.eval(
    ASK, 3, keyPrefix, pausesKey(keyPrefix), absentKey(keyPrefix), ...names
  ) as Array<[index: number, pause: string | null]>
  return found.map(([index, pause]) => [names[index - 1]!, pauseFromJson(pause)])
}

const ASK = `
local paused = {}
for i, name in ipairs(ARGV) do
  if redis.call('HEXISTS', KEYS[1] .. ':' .. name .. ':meta', 'paused') == 1 then
    paused[#paused + 1] = {i, redis.call('HGET', KEYS[2], name)}
  end
end
return paused`

const PAUSED = `
SELECT flag.queue, known.value AS pause
FROM {queue}.meta AS flag LEFT JOIN {queue}.meta AS known ON ${belongTogether('known', 'flag')}
WHERE flag.field = 'paused' AND flag.value = '1'`

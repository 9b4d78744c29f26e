import { inChunks } from '../../collections/in-chunks.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore, Store } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { limitsFrom, type QueueLimits } from './queue-limits.ts'
import { limitsKey } from './redis-limits.ts'
import { FIELDS, LIMITS_FIELD } from './sql-limits.ts'

/** A script blocks the server: this many queues take less than a millisecond. */
const QUEUES_AT_A_TIME = 500

/** The live limits of these queues, by queue name. On Redis one round trip per 500, all at once; in SQL one statement. */
export async function findLimits(store: Store, { names, has }: QueueSelection): Promise<ReadonlyMap<string, QueueLimits>> {
  const found = store.kind === 'redis'
    ? (await Promise.all(inChunks(names, QUEUES_AT_A_TIME).map(each => askRedis(store, each)))).flat()
    : await askSql(store, has)
  return new Map(found.flatMap(([name, limits]) => limits === null ? [] : [[name, limits]]))
}

type Found = Array<[queueName: string, limits: QueueLimits | null]>

async function askRedis({ client, keyPrefix }: RedisStore, names: readonly string[]): Promise<Found> {
  const found = await client.eval(ASK, 3, keyPrefix, limitsKey(keyPrefix), absentKey(keyPrefix), ...names) as Array<
    [index: number, concurrency: string | null, max: string | null, duration: string | null, known: string | null]
  >
  return found.map(([index, concurrency, max, duration, known]) =>
    [names[index - 1]!, limitsFrom({ concurrency, max, duration }, known)])
}

async function askSql(store: Exclude<Store, RedisStore>, has: QueueSelection['has']): Promise<Found> {
  const { rows } = await store.requestPool.query<{ queue: string; field: string; value: string }>(
    inQueueSchema(store, `SELECT queue, field, value FROM {queue}.meta WHERE field IN ${FIELDS}`), []
  )
  const fields = new Map<string, Record<string, string>>()
  for (const { queue, field, value } of rows) if (has(queue)) fields.set(queue, { ...fields.get(queue), [field]: value })
  return Array.from(fields, ([name, { concurrency = null, max = null, duration = null, [LIMITS_FIELD]: known = null }]) =>
    [name, limitsFrom({ concurrency, max, duration }, known)])
}

const ASK = `
local limited = {}
for i, name in ipairs(ARGV) do
  local meta = redis.call('HMGET', KEYS[1] .. ':' .. name .. ':meta', 'concurrency', 'max', 'duration')
  if meta[1] or meta[2] then
    limited[#limited + 1] = {i, meta[1], meta[2], meta[3], redis.call('HGET', KEYS[2], name)}
  end
end
return limited`

import { inChunks } from '../../collections/in-chunks.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisClient, RedisStore } from '../../stores/store.ts'

/**
 * The queues that may hold something: a sorted set of their names, scored by when something was last about to be added (seconds, by the
 * server's clock). Our backend marks a queue in the same round trip, before it adds anything. A queue leaves the index when none of its
 * lists exist and its mark is old enough that no job can be on its way between mark and list. Other code does not mark queues, so a pass
 * over all queues adds missing ones and stores its time under COMPLETE. Readers trust the index for some minutes after that. Otherwise,
 * after FLUSHALL or while no pass runs, they check every queue.
 */
export function queueIndexKey(keyPrefix: string): string {
  return `${keyPrefix}:~held-queues`
}

/** Cannot be a queue name (queue-name.ts). */
export const COMPLETE = '~complete'
/** Passes run once a minute; a long one may end late. */
export const TRUSTED_FOR_S = 180
const MARK_AGED_AFTER_S = 600

/** A script blocks the server: this many queues take about a millisecond. */
const QUEUES_AT_A_TIME = 500

/** Call it before adding to the queue, on the same connection. */
export async function markQueue(client: RedisClient, keyPrefix: string, queueName: string): Promise<void> {
  await client.eval(MARK, 1, queueIndexKey(keyPrefix), queueName)
}

/** Adds missing queues and drops empty ones. At most one script per 500 `queueNames` and per 500 indexed queues. */
export async function tendQueueIndex(
  { client, keyPrefix }: Pick<RedisStore, 'client' | 'keyPrefix'>, queueNames: readonly string[],
  { markAgedAfterS = MARK_AGED_AFTER_S } = {}
): Promise<void> {
  const index = queueIndexKey(keyPrefix)
  const keys = [index, keyPrefix, absentKey(keyPrefix)]
  for (const names of inChunks(queueNames, QUEUES_AT_A_TIME)) await client.eval(PUT_BACK, keys.length, ...keys, ...names)
  for (let offset = 0, looked = QUEUES_AT_A_TIME; looked === QUEUES_AT_A_TIME;) {
    const [aged, kept] = await client.eval(
      DROP, keys.length, ...keys, markAgedAfterS, offset, QUEUES_AT_A_TIME
    ) as [aged: number, kept: number]
    looked = aged
    offset += kept
  }
}

const MARK = `return redis.call('ZADD', KEYS[1], redis.call('TIME')[1], ARGV[1])`

// Every list that can contain a job or a scheduler.
const HOLDS = `
local function holds(name)
  local queue = KEYS[2] .. ':' .. name .. ':'
  return redis.call('EXISTS', queue .. 'wait', queue .. 'paused', queue .. 'active', queue .. 'delayed', queue .. 'prioritized',
    queue .. 'waiting-children', queue .. 'completed', queue .. 'failed', queue .. 'repeat') > 0
end
local now = tonumber(redis.call('TIME')[1])
`

const PUT_BACK = `${HOLDS}
for _, name in ipairs(ARGV) do
  if not redis.call('ZSCORE', KEYS[1], name) and holds(name) then redis.call('ZADD', KEYS[1], now, name) end
end
return 0`

// Runs after all missing queues are back.
const DROP = `${HOLDS}
local aged, kept = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]), 'LIMIT', ARGV[2], ARGV[3]), 0
for _, name in ipairs(aged) do
  if name ~= '${COMPLETE}' and not holds(name) then redis.call('ZREM', KEYS[1], name) else kept = kept + 1 end
end
redis.call('ZADD', KEYS[1], now, '${COMPLETE}')
return {#aged, kept}`

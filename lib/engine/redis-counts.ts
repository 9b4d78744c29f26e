import type { RedisStore } from '../stores/store.ts'
import type { StateCounts } from './in-flight.ts'

/** A script blocks the server: so many queues take it less than a few milliseconds. */
const QUEUES_AT_A_TIME = 500

/** Counts of many queues in one round trip, where BullMQ asks for each of them. In order. */
export async function countStates({ client, keyPrefix }: RedisStore, queueNames: readonly string[], now: number): Promise<StateCounts[]> {
  const batches: string[][] = []
  for (let start = 0; start < queueNames.length; start += QUEUES_AT_A_TIME) {
    batches.push(queueNames.slice(start, start + QUEUES_AT_A_TIME).map(name => `${keyPrefix}:${name}:`))
  }
  const answers = await Promise.all(batches.map(keys => client.eval(COUNT, keys.length, ...keys, now) as Promise<number[]>))
  const numbers = answers.flat()
  return queueNames.map((_, index) => {
    const [waiting = 0, prioritized = 0, delayed = 0, active = 0, planned = 0] = numbers.slice(index * 5, index * 5 + 5)
    return { waiting, prioritized, delayed, active, planned }
  })
}

// The keys of a queue have its namespace as hash tag: those that are made here are in the slot of the ones that are given.
const COUNT = `
local counts = {}
for i, queue in ipairs(KEYS) do
  local delayed = redis.call('ZCARD', queue .. 'delayed')
  local planned = 0
  if delayed > 0 then planned = redis.call('ZCOUNT', queue .. 'repeat', '(' .. ARGV[1], '+inf') end
  local at = #counts
  counts[at + 1] = redis.call('LLEN', queue .. 'wait')
  counts[at + 2] = redis.call('ZCARD', queue .. 'prioritized')
  counts[at + 3] = delayed
  counts[at + 4] = redis.call('LLEN', queue .. 'active')
  counts[at + 5] = planned
end
return counts`

import { inChunks } from '../../collections/in-chunks.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import { LUA_NOW } from '../../stores/redis/lua-now.ts'
import type { RedisStore } from '../../stores/store.ts'
import { MARK_DELAYED } from '../jobs/mark-delayed.ts'
import { pauseFromJson, type PauseRequest, type QueuePause } from './queue-pause.ts'

/** A hash with facts about paused queues: queue → JSON of a `QueuePause`. BullMQ's own flag decides whether a queue is paused. */
export function pausesKey(keyPrefix: string): string {
  return `${keyPrefix}:~pauses`
}

export async function pauseOnRedis(store: RedisStore, queueName: string, { by, reason, until }: PauseRequest): Promise<QueuePause> {
  return pauseFromJson(await run(store, queueName, PAUSE, JSON.stringify({ by, reason, until })) as string)
}

export async function resumeOnRedis(store: RedisStore, queueName: string, onlyIfDue = false): Promise<void> {
  // BullMQ versions before 6 moved waiting jobs into a separate list. Each step moves a limited number of them back.
  while (await run(store, queueName, RESUME, onlyIfDue ? 1 : 0) as number > 0) { /* The queue resumes with the last step. */ }
}

export async function resumeDueOnRedis(store: RedisStore): Promise<number | null> {
  const { client, keyPrefix } = store
  if (await client.exists(pausesKey(keyPrefix)) === 0) return null
  const [due, nextInMs] = await client.eval(DUE, 3, keyPrefix, pausesKey(keyPrefix), absentKey(keyPrefix)) as [string[], number]
  let refusal: PromiseRejectedResult | undefined
  for (const some of inChunks(due, RESUMED_AT_ONCE)) {
    const ended = await Promise.allSettled(some.map(name => resumeOnRedis(store, name, true)))
    refusal ??= ended.find(each => each.status === 'rejected')
  }
  // Thrown only now, so that one queue does not keep the others paused.
  if (refusal !== undefined) throw refusal.reason
  return nextInMs < 0 ? null : nextInMs
}

const RESUMED_AT_ONCE = 100
/** About how many events of a queue stay in its stream. */
const MAX_EVENTS = 100
/** `unpack` has room for fewer than 8,000 values. */
const MOVED_PER_STEP = 7_000

function run({ client, keyPrefix }: RedisStore, queueName: string, script: string, argument: string | number): Promise<unknown> {
  return client.eval(script, 3, `${keyPrefix}:${queueName}:`, pausesKey(keyPrefix), absentKey(keyPrefix), queueName, argument)
}

// Does what BullMQ's pause does: sets its flag, which workers of every version obey, and removes the marker, which would wake them.
const PAUSE = `${LUA_NOW}
local queue, name, pauseJson = KEYS[1], ARGV[1], ARGV[2]
local known = redis.call('HGET', KEYS[2], name)
local wasPaused = redis.call('HSET', queue .. 'meta', 'paused', 1) == 0
redis.call('DEL', queue .. 'marker')
if not wasPaused then redis.call('XADD', queue .. 'events', 'MAXLEN', '~', ${MAX_EVENTS}, '*', 'event', 'paused') end
if wasPaused and known then
  local isRead, before = pcall(cjson.decode, known)
  local wanted = cjson.decode(pauseJson)
  if isRead and before.reason == wanted.reason and before['until'] == wanted['until'] then return known end
end
local pause = '{"since":' .. string.format('%.0f', now) .. ',' .. string.sub(pauseJson, 2)
redis.call('HSET', KEYS[2], name, pause)
return pause`

// As BullMQ's resume. The marker wakes a worker.
const RESUME = `${LUA_NOW}${MARK_DELAYED}local queue, name, onlyIfDue = KEYS[1], ARGV[1], ARGV[2] == '1'
if onlyIfDue then
  local isRead, pause = pcall(cjson.decode, redis.call('HGET', KEYS[2], name) or '')
  if not isRead or type(pause) ~= 'table' or type(pause['until']) ~= 'number' or pause['until'] > now then return 0 end
end
local ids = redis.call('LRANGE', queue .. 'paused', 0, ${MOVED_PER_STEP - 1})
if #ids > 0 then
  redis.call('LTRIM', queue .. 'paused', #ids, -1)
  redis.call('RPUSH', queue .. 'wait', unpack(ids))
  local left = redis.call('LLEN', queue .. 'paused')
  if left > 0 then return left end
end
redis.call('HDEL', KEYS[2], name)
local wasPaused = redis.call('HDEL', queue .. 'meta', 'paused') == 1
if #ids == 0 and not wasPaused then return 0 end
if redis.call('EXISTS', queue .. 'wait', queue .. 'prioritized') > 0 then
  redis.call('ZADD', queue .. 'marker', 0, '0')
else
  markDelayed(queue)
end
if wasPaused then redis.call('XADD', queue .. 'events', 'MAXLEN', '~', ${MAX_EVENTS}, '*', 'event', 'resumed') end
return 0`

// Also deletes the facts of a pause that other code ended, so that they are not mistaken for those of a later one.
const DUE = `${LUA_NOW}
local due, nextIn = {}, -1
local all = redis.call('HGETALL', KEYS[2])
for i = 1, #all, 2 do
  if redis.call('HEXISTS', KEYS[1] .. ':' .. all[i] .. ':meta', 'paused') == 0 then
    redis.call('HDEL', KEYS[2], all[i])
  else
    local isRead, pause = pcall(cjson.decode, all[i + 1])
    local ends = isRead and type(pause) == 'table' and pause['until']
    if type(ends) == 'number' then
      if ends <= now then due[#due + 1] = all[i] else nextIn = nextIn < 0 and ends - now or math.min(nextIn, ends - now) end
    end
  end
end
return {due, nextIn}`

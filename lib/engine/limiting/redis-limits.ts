import { absentKey } from '../../stores/redis/absent-key.ts'
import { LUA_GIVEN, toArguments } from '../../stores/redis/lua-given.ts'
import { LUA_NOW } from '../../stores/redis/lua-now.ts'
import type { RedisStore } from '../../stores/store.ts'
import { limitsFrom, type LimitsRequest, type QueueLimits } from './queue-limits.ts'

/** A hash with facts about limits: queue → JSON. BullMQ's own fields decide which limits apply. */
export function limitsKey(keyPrefix: string): string {
  return `${keyPrefix}:~limits`
}

/** Argument of the script that lifts a limit. An absent limit stays. */
const LIFT = 0

export async function limitOnRedis(
  { client, keyPrefix }: RedisStore, queueName: string, { concurrency, rate, by, reason }: LimitsRequest
): Promise<QueueLimits | null> {
  const given = toArguments({
    queue: queueName,
    concurrency: concurrency === null ? LIFT : concurrency,
    max: rate === null ? LIFT : rate?.max,
    duration: rate === null ? LIFT : rate?.durationMs,
    by: JSON.stringify(by),
    reason: JSON.stringify(reason)
  })
  const [standing, max, duration, known] = await client.eval(
    LIMIT, 3, `${keyPrefix}:${queueName}:`, limitsKey(keyPrefix), absentKey(keyPrefix), ...given
  ) as [concurrency: string | null, max: string | null, duration: string | null, known: string | null]
  return limitsFrom({ concurrency: standing, max, duration }, known)
}

// If the current window ends later than a new one would, it is removed: it would delay starts that the new limit allows. The marker wakes a
// worker, which wakes others.
const LIMIT = `${LUA_NOW}${LUA_GIVEN}
local queue, name, by, reason = KEYS[1], given.queue, given.by, given.reason
local fields = {'concurrency', 'max', 'duration'}
local meta = redis.call('HMGET', queue .. 'meta', unpack(fields))
local isChanged, standing = false, {}
for i, field in ipairs(fields) do
  local wanted = given[field]
  if not wanted then wanted = meta[i] elseif wanted == '${LIFT}' then wanted = false end
  if wanted ~= meta[i] then
    isChanged = true
    if wanted then redis.call('HSET', queue .. 'meta', field, wanted) else redis.call('HDEL', queue .. 'meta', field) end
  end
  standing[i] = wanted
end
local known = redis.call('HGET', KEYS[2], name)
if not isChanged and reason == 'null' and (standing[1] or standing[2]) then
  return {standing[1], standing[2], standing[3], known}
end
if known and not isChanged then
  local isRead, before = pcall(cjson.decode, known)
  if isRead and type(before) == 'table' and cjson.encode(before.reason) == cjson.encode(cjson.decode(reason)) then
    return {standing[1], standing[2], standing[3], known}
  end
end
if not (standing[1] or standing[2]) then
  known = false
  redis.call('HDEL', KEYS[2], name)
else
  known = string.format('{"concurrency":%s,"max":%s,"duration":%s,"since":%.0f,"by":%s,"reason":%s}', standing[1] or 'null',
    standing[2] or 'null', standing[3] or 'null', now, by, reason)
  redis.call('HSET', KEYS[2], name, known)
end
if standing[3] and standing[3] ~= meta[3] and redis.call('PTTL', queue .. 'limiter') > tonumber(standing[3]) then
  redis.call('DEL', queue .. 'limiter')
end
local isPaused = redis.call('HEXISTS', queue .. 'meta', 'paused') == 1
if isChanged and not isPaused and redis.call('EXISTS', queue .. 'wait', queue .. 'prioritized') > 0 then
  redis.call('ZADD', queue .. 'marker', 0, '0')
end
return {standing[1], standing[2], standing[3], known}`

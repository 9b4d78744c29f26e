import { absentKey } from '../../stores/redis/absent-key.ts'
import { LUA_NOW } from '../../stores/redis/lua-now.ts'
import type { RedisStore } from '../../stores/store.ts'
import { DELAYED_SCORE_PER_MS, PRIORITIZED_SCORE_PER_LEVEL, jobFromRedis, type RedisJobValues } from '../jobs/redis-job.ts'
import { pauseFromJson } from '../pausing/queue-pause.ts'
import { pausesKey } from '../pausing/redis-pause.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { askHeldQueues, QUEUES_NAMED, READ_QUEUES_WITH_ID } from '../queues/redis-held-queues.ts'
import { MAX_ACTIVE_LOOKED_AT, MAX_COUNTED_AHEAD, MAX_DUE_LOOKED_AT, type StandingJob } from './standing.ts'
import { storedNumber } from '../../json/stored-number.ts'

/** How many queues one script searches for the execution. One EXISTS checks a hundred of them. */
const QUEUES_AT_A_TIME = 5_000

/** One script, so that all values are consistent. */
export async function readStandingOnRedis(
  { client, keyPrefix }: RedisStore, queues: QueueSelection, id: string
): Promise<StandingJob | null> {
  const [found] = await askHeldQueues(queues, named =>
    client.eval(
      STANDING, 3, keyPrefix, absentKey(keyPrefix), pausesKey(keyPrefix), named, id
    ) as Promise<Answer[] | null>, QUEUES_AT_A_TIME)
  if (found === undefined) return null
  const [queueName, state, values, at, dueAt, ahead, isExact, [paused, pause], meta, span, total, active, lockLeft, children] = found
  const [limit, max, duration] = meta.map(storedNumber)
  return {
    job: jobFromRedis(queueName, id, values),
    at, state,
    dueAt: dueAt < 0 ? null : dueAt,
    ahead: ahead < 0 ? null : { value: ahead, relation: isExact === 1 ? 'exact' : 'at_least' },
    pause: paused === null ? null : pauseFromJson(pause),
    concurrencyLimit: limit ?? null,
    rateLimit: max === null || max === undefined ? null : { max, durationMs: duration ?? null },
    rateSpan: span[1] > 0 ? { started: Number(span[0]), endsAt: at + span[1] } : null,
    active: {
      total, isAll: total <= MAX_ACTIVE_LOOKED_AT,
      byWorker: new Map(Array.from({ length: active.length / 2 }, (_, index) => [String(active[2 * index]), Number(active[2 * index + 1])]))
    },
    lockedUntil: lockLeft > 0 ? at + lockLeft : null,
    children: children < 0 ? null : children
  }
}

type Answer = [
  queue: string, state: string, values: RedisJobValues, at: number, dueAt: number, ahead: number, isExact: number,
  pause: [flag: string | null, known: string | null], meta: Array<string | null>, span: [started: string | null, leftMs: number],
  total: number, active: Array<string | number>, lockLeftMs: number, children: number
]

// All keys of the store are in one hash slot. Workers take from the tail of `wait`, then the lowest score of `prioritized`. Before that,
// they move due jobs from `delayed` to the head of `wait`, or behind those of the same priority.
const STANDING = `${QUEUES_NAMED}${LUA_NOW}
local id = ARGV[2]
local countedMax, dueMax, activeMax = ${MAX_COUNTED_AHEAD}, ${MAX_DUE_LOOKED_AT}, ${MAX_ACTIVE_LOOKED_AT}

-- The number of ids behind it in a list, and whether that is exact; nil if it is not there. In a list that is too long to search, a job
-- that is nowhere else must be in the middle.
local function fromTail(list)
  local length = redis.call('LLEN', list)
  if length == 0 then return nil end
  local at = redis.call('LPOS', list, id, 'RANK', -1, 'MAXLEN', countedMax)
  if at then return length - 1 - at, 1 end
  if length <= countedMax then return nil end
  if length > 10 * countedMax or redis.call('LPOS', list, id) then return countedMax, 0 end
  return nil
end

-- Due jobs in 'delayed' that will be ahead: the more urgent ones, and for a delayed job also the earlier ones of its priority.
local function dueAhead(queue, own, isDelayed)
  local endOfNow = string.format('%.0f', (now + 1) * ${DELAYED_SCORE_PER_MS} - 1)
  local ids = redis.call('ZRANGEBYSCORE', queue .. 'delayed', 0, endOfNow, 'LIMIT', 0, dueMax + 1)
  local count, isBefore = 0, isDelayed
  for index = 1, math.min(#ids, dueMax) do
    if ids[index] == id then
      isBefore = false
    else
      local other = tonumber(redis.call('HGET', queue .. ids[index], 'priority') or 0) or 0
      if other < own or (other == own and isBefore) then count = count + 1 end
    end
  end
  return count, #ids <= dueMax and 1 or 0
end

local function locate(queue)
  for _, state in ipairs({'completed', 'failed', 'waiting-children'}) do
    if redis.call('ZSCORE', queue .. state, id) then return state, -1, -1, 1 end
  end
  local own = tonumber(redis.call('HGET', queue .. id, 'priority') or 0) or 0
  local waiting = redis.call('LLEN', queue .. 'wait') + redis.call('LLEN', queue .. 'paused')
  local score = redis.call('ZSCORE', queue .. 'delayed', id)
  if score then
    local due = math.floor(tonumber(score) / ${DELAYED_SCORE_PER_MS})
    if due > now then return 'delayed', due, -1, 1 end
    local count, isExact = dueAhead(queue, own, true)
    if own > 0 then
      local nextLevel = string.format('%.0f', (own + 1) * ${PRIORITIZED_SCORE_PER_LEVEL})
      count = count + redis.call('ZCOUNT', queue .. 'prioritized', '-inf', '(' .. nextLevel)
    end
    return 'delayed', due, waiting + count, isExact
  end
  local urgency = redis.call('ZSCORE', queue .. 'prioritized', id)
  if urgency then
    local count, isExact = dueAhead(queue, own, false)
    return 'prioritized', -1, waiting + redis.call('ZCOUNT', queue .. 'prioritized', '-inf', '(' .. urgency) + count, isExact
  end
  if redis.call('LPOS', queue .. 'active', id) then return 'active', -1, -1, 1 end
  for _, list in ipairs({'wait', 'paused'}) do
    local ahead, isExact = fromTail(queue .. list)
    if ahead then return 'waiting', -1, ahead, isExact end
  end
  return nil
end

local function activeOf(queue)
  local total, counts, order = redis.call('LLEN', queue .. 'active'), {}, {}
  for _, each in ipairs(redis.call('LRANGE', queue .. 'active', 0, activeMax - 1)) do
    local worker = redis.call('HGET', queue .. each, 'pb')
    if worker and redis.call('EXISTS', queue .. each .. ':lock') == 1 then
      if not counts[worker] then order[#order + 1] = worker end
      counts[worker] = (counts[worker] or 0) + 1
    end
  end
  local flat = {}
  for _, worker in ipairs(order) do
    flat[#flat + 1] = worker
    flat[#flat + 1] = counts[worker]
  end
  return total, flat
end

local function read(name)
  local queue = KEYS[1] .. ':' .. name .. ':'
  local key = queue .. id
  if redis.call('TYPE', key).ok ~= 'hash' or redis.call('HEXISTS', key, 'timestamp') == 0 then return nil end
  local state, due, ahead, isExact = locate(queue)
  if not state then return nil end
  local fields = redis.call('HMGET', key, 'name', 'opts', 'timestamp', 'processedOn', 'finishedOn', 'atm', 'ats', 'pb', 'rjk')
  local values = {fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7], false, false, false, false, fields[8],
    fields[9]}
  local paused, limit, max, duration = unpack(redis.call('HMGET', queue .. 'meta', 'paused', 'concurrency', 'max', 'duration'))
  local started = redis.call('GET', queue .. 'limiter')
  local total, active = activeOf(queue)
  return {name, state, values, now, due, ahead, isExact, {paused, redis.call('HGET', KEYS[3], name)}, {limit, max, duration},
    {started, started and redis.call('PTTL', queue .. 'limiter') or 0}, total, active,
    state == 'active' and redis.call('PTTL', key .. ':lock') or 0,
    state == 'waiting-children' and redis.call('SCARD', key .. ':dependencies') or -1}
end
${READ_QUEUES_WITH_ID}`

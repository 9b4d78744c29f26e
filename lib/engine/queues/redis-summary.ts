import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore } from '../../stores/store.ts'
import { askHeldQueues, EACH_HELD } from './redis-held-queues.ts'
import { STARTS_FIELD } from '../jobs/earlier-starts.ts'
import { DELAYED_SCORE_PER_MS, PRIORITIZED_SCORE_PER_LEVEL } from '../jobs/redis-job.ts'
import type { QueueSelection } from './queue-selection.ts'
import type { QueuesSummary } from './queues-summary.ts'

/** Prioritized jobs are ordered by urgency, then age. For this many urgency levels per queue, the oldest job is checked. */
const MAX_URGENCIES = 8

/** Only for queues that hold something, by name. One round trip, however much they hold; a second one if the index is not usable. */
export async function summarizeOnRedis(
  { client, keyPrefix }: RedisStore, queues: QueueSelection, now: number
): Promise<Map<string, QueuesSummary>> {
  const rows = await askHeldQueues(queues, named =>
    client.eval(SUMMARIZE, 2, keyPrefix, absentKey(keyPrefix), named, now) as Promise<Answer[] | null>)
  return new Map(rows.map(([name, waiting, prioritized, delayed, active, planned, oldestDueAt]) =>
    [name, { waiting, prioritized, delayed, active, planned, oldestDueAt: oldestDueAt < 0 ? null : oldestDueAt }]))
}

type Answer = [queue: string, waiting: number, prioritized: number, delayed: number, active: number, planned: number, oldestDueAt: number]

// All keys of the store are in one hash slot. `dueAgainAt` (queues-summary.ts) defines when a job is due. For a delayed job, its score
// contains that time.
const SUMMARIZE = `${EACH_HELD}
local now = tonumber(ARGV[2])
local oldest, answers = -1, {}

local function see(dueAt)
  if dueAt and dueAt <= now and (oldest < 0 or dueAt < oldest) then oldest = dueAt end
end

local function dueAt(queue, id)
  local timestamp, json, attempts, started, scheduler, starts = unpack(redis.call('HMGET', queue .. id, 'timestamp', 'opts', 'atm',
    'processedOn', 'rjk', 'ats'))
  if not timestamp then return nil end
  local known, opts = pcall(cjson.decode, json)
  if not known or type(opts) ~= 'table' then opts = {} end
  if tonumber(attempts or 0) == 0 then
    return scheduler and tonumber(string.match(id, ':(%d+)$')) or timestamp + (tonumber(opts.delay) or 0)
  end
  local kept = type(opts.${STARTS_FIELD}) == 'table' and opts.${STARTS_FIELD} or {}
  local last = kept[#kept]
  if type(last) == 'table' and last[1] == tonumber(starts) then return tonumber(last[7] or last[6]) end
  return tonumber(started or timestamp)
end

local function add(name, queue)
  if redis.call('EXISTS', queue .. 'wait', queue .. 'prioritized', queue .. 'delayed', queue .. 'active') == 0 then return end
  oldest = -1
  local waiting = redis.call('LLEN', queue .. 'wait')
  if waiting > 0 then see(dueAt(queue, redis.call('LINDEX', queue .. 'wait', -1))) end
  local prioritized = redis.call('ZCARD', queue .. 'prioritized')
  if prioritized > 0 then
    local from = '-inf'
    for _ = 1, ${MAX_URGENCIES} do
      local id, score = unpack(redis.call('ZRANGEBYSCORE', queue .. 'prioritized', from, '+inf', 'WITHSCORES', 'LIMIT', 0, 1))
      if not id then break end
      see(dueAt(queue, id))
      from = string.format('%.0f', (math.floor(score / ${PRIORITIZED_SCORE_PER_LEVEL}) + 1) * ${PRIORITIZED_SCORE_PER_LEVEL})
    end
  end
  local delayed, planned = redis.call('ZCARD', queue .. 'delayed'), 0
  if delayed > 0 then
    planned = redis.call('ZCOUNT', queue .. 'repeat', '(' .. ARGV[2], '+inf')
    -- Due but not promoted, because there is no worker to do it.
    see(math.floor(redis.call('ZRANGE', queue .. 'delayed', 0, 0, 'WITHSCORES')[2] / ${DELAYED_SCORE_PER_MS}))
  end
  answers[#answers + 1] = {name, waiting, prioritized, delayed, redis.call('LLEN', queue .. 'active'), planned, oldest}
end

local names = queuesNamed(KEYS[1], ARGV[1])
if not names then return nil end
eachHeld(KEYS[1], names, add)
return answers`

import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore } from '../../stores/store.ts'
import { DAY_MS } from '../../time/units.ts'
import { CANCEL_FIELD, type CancelMark } from '../jobs/job-cancellation.ts'
import { DELAYED_SCORE_PER_MS } from '../jobs/redis-job.ts'
import type { CancelOutcome } from './cancel-outcome.ts'

/** What BullMQ shows as the failure reason of a cancelled job. */
export const CANCELLED_REASON = 'cancelled'

export async function cancelOnRedis(
  { client, keyPrefix }: RedisStore, queueName: string, executionId: string, mark: CancelMark, now: number
): Promise<CancelOutcome> {
  return await client.eval(
    CANCEL, 3, `${keyPrefix}:${queueName}:`, cancelsKey(keyPrefix), absentKey(keyPrefix), executionId, now, JSON.stringify(mark),
    JSON.stringify({ ...mark, unstarted: true })
  ) as CancelOutcome
}

/** A hash of requests to cancel running executions, for their workers: execution id → mark. Usually it does not exist. */
export function cancelsKey(keyPrefix: string): string {
  return `${keyPrefix}:~cancels`
}

/** How long the hash is kept after the last request. Entries that a dead worker left behind expire with it. */
const CANCELS_KEPT_MS = DAY_MS

// The options are extended as text, because decoding and encoding them could change what BullMQ stored.
const CANCEL = `
local queue, id, now, mark, unstartedMark = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local key = queue .. id
if redis.call('TYPE', key).ok ~= 'hash' then return 'over' end
local json, scheduler, parent, deduplication, timestamp, starts =
  unpack(redis.call('HMGET', key, 'opts', 'rjk', 'parentKey', 'deid', 'timestamp', 'ats'))
if not timestamp then return 'over' end

local function marked(wanted)
  local text = json or '{}'
  local known, opts = pcall(cjson.decode, text)
  if not known or type(opts) ~= 'table' then text, opts = '{}', {} end
  local before = opts['${CANCEL_FIELD}']
  if before then
    local given = cjson.decode(wanted)
    if type(before) == 'table' and before.of == id then
      before.unstarted = given.unstarted
      given = before
    end
    opts['${CANCEL_FIELD}'] = given
    return cjson.encode(opts)
  end
  local body = string.match(text, '^%s*{(.*)}%s*$')
  if body == nil then return '{"${CANCEL_FIELD}":' .. wanted .. '}' end
  return '{' .. body .. (string.find(body, '%S') and ',' or '') .. '"${CANCEL_FIELD}":' .. wanted .. '}'
end

if redis.call('ZSCORE', queue .. 'completed', id) or redis.call('ZSCORE', queue .. 'failed', id) then return 'over' end
if redis.call('LPOS', queue .. 'active', id) then
  redis.call('HSET', key, 'opts', marked(mark))
  redis.call('HSETNX', KEYS[2], id, mark)
  redis.call('PEXPIRE', KEYS[2], ${CANCELS_KEPT_MS})
  return 'requested'
end
if parent or redis.call('ZSCORE', queue .. 'waiting-children', id) then return 'in_flow' end
local due = redis.call('ZSCORE', queue .. 'delayed', id)
if due then
  local isLater = math.floor(tonumber(due) / ${DELAYED_SCORE_PER_MS}) > tonumber(now)
  if scheduler and scheduler ~= '' and tonumber(starts or 0) == 0 and isLater then return 'planned' end
  redis.call('ZREM', queue .. 'delayed', id)
elseif redis.call('ZREM', queue .. 'prioritized', id) == 0 and redis.call('LREM', queue .. 'wait', 1, id) == 0 and
  redis.call('LREM', queue .. 'paused', 1, id) == 0 then
  return 'over'
end
if deduplication and deduplication ~= '' and redis.call('GET', queue .. 'de:' .. deduplication) == id then
  redis.call('DEL', queue .. 'de:' .. deduplication, queue .. 'dn:' .. deduplication)
end
redis.call('HSET', key, 'opts', marked(unstartedMark), 'finishedOn', now, 'failedReason', '${CANCELLED_REASON}')
redis.call('ZADD', queue .. 'failed', now, id)
redis.call('HDEL', KEYS[2], id)
return 'cancelled'`

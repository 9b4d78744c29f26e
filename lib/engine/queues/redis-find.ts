import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore } from '../../stores/store.ts'
import type { FoundJob } from '../jobs/found-job.ts'
import type { QueueSelection } from './queue-selection.ts'
import { askHeldQueues, QUEUES_NAMED, READ_QUEUES_WITH_ID } from './redis-held-queues.ts'
import { jobFromRedis, REDIS_JOB_FIELDS, type RedisJobValues } from '../jobs/redis-job.ts'

/** How far from either end a list is searched for an id. In a longer list, a job that is nowhere else must be in the middle. */
const LIST_SEARCHED = 50_000

/** Searches all queues at once. One script reads state, fields and log, so they are consistent. */
export async function findOnRedis(
  { client, keyPrefix }: RedisStore, queues: QueueSelection, id: string, logLines: number
): Promise<FoundJob | null> {
  const [found] = await askHeldQueues(queues, named =>
    client.eval(FIND, 2, keyPrefix, absentKey(keyPrefix), named, id, logLines) as Promise<Answer[] | null>)
  if (found === undefined) return null
  const [queueName, state, values, logs] = found
  return { job: jobFromRedis(queueName, id, values), state, logs }
}

type Answer = [queue: string, state: string, values: RedisJobValues, logs: string[]]

const FIELDS = REDIS_JOB_FIELDS.map(field => `'${field}'`).join(', ')

// All keys of the store are in one hash slot. An id can equal the name of a key that is no job: a job is a hash with a timestamp.
const FIND = `${QUEUES_NAMED}
local id, logLines = ARGV[2], tonumber(ARGV[3])

local function stands(list)
  local length = redis.call('LLEN', list)
  if length == 0 then return false end
  if length > ${2 * LIST_SEARCHED} then return true end
  return redis.call('LPOS', list, id) ~= false
end

local function stateOf(queue)
  for _, state in ipairs({'completed', 'failed', 'delayed', 'prioritized', 'waiting-children'}) do
    if redis.call('ZSCORE', queue .. state, id) then return state end
  end
  if redis.call('LPOS', queue .. 'active', id) then return 'active' end
  if stands(queue .. 'wait') or stands(queue .. 'paused') then return 'waiting' end
  return nil
end

local function read(name)
  local queue = KEYS[1] .. ':' .. name .. ':'
  local key = queue .. id
  if redis.call('TYPE', key).ok ~= 'hash' or redis.call('HEXISTS', key, 'timestamp') == 0 then return nil end
  local state = stateOf(queue)
  if not state then return nil end
  return {name, state, redis.call('HMGET', key, ${FIELDS}), redis.call('LRANGE', key .. ':logs', -logLines, -1)}
end
${READ_QUEUES_WITH_ID}`

import type { RedisStore } from '../stores/store.ts'
import type { FoundJob } from './found-job.ts'
import { inChunks } from '../in-chunks.ts'
import { jobFromRedis, REDIS_JOB_FIELDS, type RedisJobValues } from './redis-job.ts'

/** A script blocks the server: it asks so many queues for an id in less than a millisecond. */
const QUEUES_AT_A_TIME = 1_000
/** How far into a list an id is looked for, from either end. A job that is nowhere else stands in the middle of a longer one. */
const LIST_SEARCHED = 50_000

/** Looks in all queues at once. State, fields and log are read by one script, while nothing else can change them. */
export async function findOnRedis({ client, keyPrefix }: RedisStore, queueNames: readonly string[], id: string, logLines: number): Promise<FoundJob | null> {
  const answers = await Promise.all(inChunks(queueNames, QUEUES_AT_A_TIME).map(names =>
    client.eval(FIND, 1, keyPrefix, names.join(':'), id, logLines, LIST_SEARCHED, ...REDIS_JOB_FIELDS) as Promise<Answer | null>))
  const found = answers.find(answer => answer !== null)
  if (found === undefined || found === null) return null
  const [state, values, logs] = found
  return { job: jobFromRedis(id, values), state, logs }
}

type Answer = [state: string, values: RedisJobValues, logs: string[]]

// All keys of the store are in one slot. An id can be the name of a key that is no job: a job is a hash with a time.
const FIND = `
local id, logLines, searched = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

local function stands(list)
  local length = redis.call('LLEN', list)
  if length == 0 then return false end
  if length > 2 * searched then return true end
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

local function read(queue)
  local key = queue .. id
  if redis.call('TYPE', key).ok ~= 'hash' or redis.call('HEXISTS', key, 'timestamp') == 0 then return nil end
  local state = stateOf(queue)
  if not state then return nil end
  return {state, redis.call('HMGET', key, unpack(ARGV, 5)), redis.call('LRANGE', key .. ':logs', -logLines, -1)}
end

local prefix, suffix, names, keys, size = KEYS[1] .. ':', ':' .. id, {}, {}, 0
local function look()
  if size > 0 and redis.call('EXISTS', unpack(keys, 1, size)) > 0 then
    for index = 1, size do
      local job = read(prefix .. names[index] .. ':')
      if job then return job end
    end
  end
  size = 0
end

for name in string.gmatch(ARGV[1], '[^:]+') do
  size = size + 1
  names[size], keys[size] = name, prefix .. name .. suffix
  if size == 100 then
    local job = look()
    if job then return job end
  end
end
return look()`

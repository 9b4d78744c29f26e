import { inChunks } from '../../collections/in-chunks.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore } from '../../stores/store.ts'
import type { FoundJob } from '../jobs/found-job.ts'
import type { QueueSelection } from './queue-selection.ts'
import { askHeldQueues, KEYS_PER_EXISTS, MAX_QUEUES_PER_SCRIPT, QUEUES_NAMED, READ_QUEUES_WITH_ID } from './redis-held-queues.ts'
import { jobFromRedis, REDIS_JOB_FIELDS, type RedisJobValues } from '../jobs/redis-job.ts'

/** A list of more than twice this length is not searched for an id: a job that is nowhere else must be in it. */
const MAX_LIST_SEARCHED = 50_000

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

/** A script blocks the server: checking this many keys takes a few milliseconds. */
const KEYS_AT_A_TIME = 5_000
/** For each of these jobs, two long lists may be searched. */
const JOBS_AT_A_TIME = 10
/** These fields can be large or contain secrets. */
const HEAVY_FIELDS: ReadonlySet<string> = new Set(['failedReason', 'stacktrace', 'returnvalue', 'progress', 'data'])
const LIGHT_FIELDS = REDIS_JOB_FIELDS.map(field => `'${HEAVY_FIELDS.has(field) ? '' : field}'`).join(', ')

/**
 * Searches all queues for each id. Most callers ask for jobs that are gone. So a first script only finds the jobs that exist, and then only
 * these are read.
 */
export async function findManyOnRedis(
  store: RedisStore, queues: QueueSelection, ids: readonly string[]
): Promise<Array<Pick<FoundJob, 'job' | 'state'>>> {
  const { client, keyPrefix } = store
  const places = await placesOf(store, queues, ids)
  const answers = await Promise.all(inChunks(places, JOBS_AT_A_TIME).map(chunk =>
    client.eval(READ_MANY, 2, keyPrefix, absentKey(keyPrefix), ...chunk.flat()) as Promise<LightAnswer[]>))
  return answers.flat().map(([queueName, id, state, values]) => ({ job: jobFromRedis(queueName, id, values), state }))
}

/** Finds which queue has a key for which id. */
async function placesOf({ client, keyPrefix }: RedisStore, queues: QueueSelection, ids: readonly string[]): Promise<Place[]> {
  const idsAtATime = Math.floor(KEYS_AT_A_TIME / (queues.isFew ? Math.max(queues.names.length, 1) : MAX_QUEUES_PER_SCRIPT))
  const places = await Promise.all(inChunks(ids, idsAtATime).map(chunk => askHeldQueues(queues, named =>
    client.eval(PLACES, 2, keyPrefix, absentKey(keyPrefix), named, ...chunk) as Promise<Place[] | null>)))
  return places.flat()
}

type Place = [queue: string, id: string]
type Answer = [queue: string, state: string, values: RedisJobValues, logs: string[]]
type LightAnswer = [queue: string, id: string, state: string, values: RedisJobValues]

const FIELDS = REDIS_JOB_FIELDS.map(field => `'${field}'`).join(', ')

// All keys of the store are in one hash slot. An id can equal the name of a key that is not a job: a job is a hash with a timestamp.
const STATE_OF = `
local function stands(list, id)
  local length = redis.call('LLEN', list)
  if length == 0 then return false end
  if length > ${2 * MAX_LIST_SEARCHED} then return true end
  return redis.call('LPOS', list, id) ~= false
end

local function stateOf(queue, id)
  local key = queue .. id
  if redis.call('TYPE', key).ok ~= 'hash' or redis.call('HEXISTS', key, 'timestamp') == 0 then return nil end
  for _, state in ipairs({'completed', 'failed', 'delayed', 'prioritized', 'waiting-children'}) do
    if redis.call('ZSCORE', queue .. state, id) then return state end
  end
  if redis.call('LPOS', queue .. 'active', id) then return 'active' end
  if stands(queue .. 'wait', id) or stands(queue .. 'paused', id) then return 'waiting' end
  return nil
end
`

const FIND = `${QUEUES_NAMED}${STATE_OF}
local id, logLines = ARGV[2], tonumber(ARGV[3])

local function read(name)
  local queue = KEYS[1] .. ':' .. name .. ':'
  local state = stateOf(queue, id)
  if not state then return nil end
  local key = queue .. id
  return {name, state, redis.call('HMGET', key, ${FIELDS}), redis.call('LRANGE', key .. ':logs', -logLines, -1)}
end
${READ_QUEUES_WITH_ID}`

const PLACES = `${QUEUES_NAMED}
local names, found = queuesNamed(KEYS[1], ARGV[1]), {}
if not names then return nil end
for at = 2, #ARGV do
  for first = 1, #names, ${KEYS_PER_EXISTS} do
    local keys, last = {}, math.min(first + ${KEYS_PER_EXISTS - 1}, #names)
    for index = first, last do keys[#keys + 1] = KEYS[1] .. ':' .. names[index] .. ':' .. ARGV[at] end
    if redis.call('EXISTS', unpack(keys)) > 0 then
      for index, key in ipairs(keys) do
        if redis.call('EXISTS', key) == 1 then found[#found + 1] = {names[first + index - 1], ARGV[at]} end
      end
    end
  end
end
return found`

const READ_MANY = `${STATE_OF}
local found = {}
for at = 1, #ARGV, 2 do
  local queue, id = KEYS[1] .. ':' .. ARGV[at] .. ':', ARGV[at + 1]
  local state = stateOf(queue, id)
  if state then found[#found + 1] = {ARGV[at], id, state, redis.call('HMGET', queue .. id, ${LIGHT_FIELDS})} end
end
return found`

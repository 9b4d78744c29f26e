import { absentKey } from '../../stores/redis/absent-key.ts'
import type { RedisStore } from '../../stores/store.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { readByGroup } from '../../collections/read-by-group.ts'
import { askHeldQueues, EACH_HELD } from './redis-held-queues.ts'
import { LISTED, type JobRange, type QueueReads, type RangeRequest, type StoredArgs } from './queue-reads.ts'
import { jobFromRedis, REDIS_JOB_FIELDS, type RedisJobValues } from '../jobs/redis-job.ts'

/** A script blocks the server: this many jobs take a few milliseconds. One queue may have more, up to a page of each state. */
const JOBS_AT_A_TIME = 500
const ARGS_AT_A_TIME = 32
/** How many ids one script skips, mostly planned runs, before it returns what it has. It still reads READ_AFTER_SKIPS ids of each range. */
const MAX_PASSED_OVER = 2_000
/** How many ids a script reads at a time after the first read of a range, and at least of each range. */
const READ_AFTER_SKIPS = 100

/** Lists of many queues, one script each. All keys of the store are in one hash slot. */
export function createRedisQueueReads({ client, keyPrefix }: RedisStore): QueueReads {
  const run = <Answer>(script: string, ...parameters: ReadonlyArray<string | number>) =>
    client.eval(script, 2, keyPrefix, absentKey(keyPrefix), ...parameters) as Promise<Answer>

  return {
    async counts(queues, now) {
      const rows = await askHeldQueues(queues, named => run<Counted[] | null>(COUNT, now, named))
      return new Map(rows.map(([name, waiting, prioritized, delayed, active, planned]) =>
        [name, { waiting, prioritized, delayed, active, planned }]))
    },

    async ranges(requests, now) {
      const scripts = toScripts(requests)
      return await readByGroup(requests, ({ queueName }) => scripts.get(queueName), async (_script, asked) => {
        const ranges = await run<RangeAnswer[]>(RANGES, now, ...asked.flatMap(toParameters))
        return ranges.map((range, index) => toRange(asked[index]!.queueName, range))
      })
    },

    async args(jobs, maxBytes) {
      const found: StoredArgs[] = []
      for (const chunk of inChunks(jobs, ARGS_AT_A_TIME)) {
        const answer = await run<Array<[number, string | null]>>(ARGS, maxBytes, ...chunk.flatMap(({ queueName, id }) => [queueName, id]))
        found.push(...answer.map(([bytes, data]) => ({ bytes, args: bytes > maxBytes ? undefined : argsFrom(data) })))
      }
      return found
    }
  }
}

type Counted = [queue: string, waiting: number, prioritized: number, delayed: number, active: number, planned: number]
type RangeAnswer = [next: number, isEnd: number, jobs: Array<[id: string, next: number, values: RedisJobValues]>]

/** The arguments of a range, in the order in which they are sent. */
const RANGE_FIELDS = ['queueName', 'list', 'order', 'offset', 'size', 'from'] as const

function toParameters(request: RangeRequest): Array<string | number> {
  const given = { ...request, list: request.state === 'waiting' ? 'wait' : request.state, from: request.from ?? '' }
  return RANGE_FIELDS.map(field => given[field])
}

/**
 * Decides which script reads each queue. If two scripts read the lists of one queue, a job that changes its state is in none or two of the
 * lists.
 */
function toScripts(requests: readonly RangeRequest[]): Map<string, number> {
  let most = 1
  const jobs = new Map<string, number>()
  for (const { queueName, size } of requests) {
    const ofQueue = (jobs.get(queueName) ?? 0) + size
    jobs.set(queueName, ofQueue)
    most = Math.max(most, ofQueue)
  }
  const chunks = inChunks([...jobs.keys()], Math.max(1, Math.floor(JOBS_AT_A_TIME / most)))
  return new Map(chunks.flatMap((names, script) => names.map(name => [name, script] as const)))
}

function toRange(queueName: string, [next, isEnd, jobs]: RangeAnswer): JobRange {
  return { next, isEnd: isEnd === 1, jobs: jobs.map(([id, next, values]) => ({ job: jobFromRedis(queueName, id, values), next })) }
}

function argsFrom(data: string | null): string | null {
  if (data === null) return null
  const { data: fields } = jobFromRedis('', '', [...REDIS_JOB_FIELDS.slice(1).map(() => null), data])
  const args: unknown = fields?.args
  return typeof args === 'string' ? args : null
}

const COUNT = `${EACH_HELD}
local counts = {}

local function count(name, queue)
  if redis.call('EXISTS', queue .. 'wait', queue .. 'prioritized', queue .. 'delayed', queue .. 'active') == 0 then return end
  local delayed = redis.call('ZCARD', queue .. 'delayed')
  local planned = delayed > 0 and redis.call('ZCOUNT', queue .. 'repeat', '(' .. ARGV[1], '+inf') or 0
  counts[#counts + 1] = {name, redis.call('LLEN', queue .. 'wait'), redis.call('ZCARD', queue .. 'prioritized'), delayed, redis.call('LLEN',
    queue .. 'active'), planned}
end

local names = queuesNamed(KEYS[1], ARGV[2])
if not names then return nil end
eachHeld(KEYS[1], names, count)
return counts`

// Lists have the newest at their head. A planned run's id contains its due time; a run that is due is no longer planned.
const RANGES = `
local now = tonumber(ARGV[1])

local function idsOf(key, state, isNewest, offset, size)
  if state == 'wait' or state == 'active' then
    if isNewest then return redis.call('LRANGE', key, offset, offset + size - 1) end
    local ids = redis.call('LRANGE', key, -offset - size, -offset - 1)
    local reversed = {}
    for i = #ids, 1, -1 do reversed[#reversed + 1] = ids[i] end
    return reversed
  end
  return redis.call(isNewest and 'ZREVRANGE' or 'ZRANGE', key, offset, offset + size - 1)
end

-- Jobs that arrive while a page is read shift the others, so only the current length shows the end.
local function lengthOf(key, state)
  return redis.call((state == 'wait' or state == 'active') and 'LLEN' or 'ZCARD', key)
end

local function dueOf(id)
  return tonumber(string.match(id, '^repeat:.*:(%d+)$'))
end

local function isNear(key, id, state, isNewest, from)
  if not from then return false end
  local at = state == 'active' and tonumber(redis.call('HGET', key, 'processedOn') or nil) or dueOf(id) or tonumber(redis.call('HGET', key,
    'timestamp') or nil)
  if not at then return false end
  if isNewest then return at > from end
  return at < from
end

local function short(key, field, max)
  if redis.call('HSTRLEN', key, field) > max then return false end
  return redis.call('HGET', key, field)
end

-- The line with the type of the last error.
local function lastStack(key)
  local json = short(key, 'stacktrace', ${LISTED.stacktraceBytes})
  local known, stacks = pcall(cjson.decode, json or '[]')
  if not known or type(stacks) ~= 'table' or type(stacks[#stacks]) ~= 'string' then return false end
  return cjson.encode({string.sub(string.match(stacks[#stacks], '^[^\\n]*'), 1, ${LISTED.stackLine})})
end

local function valuesOf(key)
  local values = redis.call('HMGET', key, 'name', 'opts', 'timestamp', 'processedOn', 'finishedOn', 'atm', 'ats', 'pb', 'rjk')
  if not values[3] then return nil end
  local reason, stack = false, false
  if tonumber(values[6] or 0) > 0 then
    reason = redis.call('HGET', key, 'failedReason')
    if reason then reason = string.sub(reason, 1, ${LISTED.failedReason}) end
    stack = lastStack(key)
  end
  return {values[1], values[2], values[3], values[4], values[5], values[6], values[7], reason, stack, false,
    short(key, 'progress', ${LISTED.progressBytes}), values[8], values[9]}
end

local answers, passedOver = {}, 0
for i = 2, #ARGV, ${RANGE_FIELDS.length} do
  local ${RANGE_FIELDS.join(', ')} = unpack(ARGV, i, i + ${RANGE_FIELDS.length - 1})
  local queue, state, isNewest = KEYS[1] .. ':' .. queueName .. ':', list, order == 'newest'
  local at, size, from = tonumber(offset), tonumber(size), tonumber(from)
  local jobs, isEnd, looked = {}, 0, 0
  while #jobs < size and isEnd == 0 and (looked < ${READ_AFTER_SKIPS} or passedOver < ${MAX_PASSED_OVER}) do
    local wanted = looked == 0 and size or ${READ_AFTER_SKIPS}
    local ids = idsOf(queue .. state, state, isNewest, at, wanted)
    if #ids < wanted then isEnd = 1 end
    for index, id in ipairs(ids) do
      at, looked = at + 1, looked + 1
      local key = queue .. id
      if not (state == 'delayed' and (dueOf(id) or 0) > now) and not isNear(key, id, state, isNewest, from) then
        local values = valuesOf(key)
        if values then jobs[#jobs + 1] = {id, at, values} end
      else
        passedOver = passedOver + 1
      end
      if #jobs == size then
        if index < #ids then isEnd = 0 end
        break
      end
    end
  end
  if isEnd == 0 and at >= lengthOf(queue .. state, state) then isEnd = 1 end
  answers[#answers + 1] = {at, isEnd, jobs}
end
return answers`

const ARGS = `
local found = {}
for i = 2, #ARGV, 2 do
  local key = KEYS[1] .. ':' .. ARGV[i] .. ':' .. ARGV[i + 1]
  local bytes = redis.call('HSTRLEN', key, 'data')
  found[#found + 1] = {bytes, bytes <= tonumber(ARGV[1]) and redis.call('HGET', key, 'data')}
end
return found`

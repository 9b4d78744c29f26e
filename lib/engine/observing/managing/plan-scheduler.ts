import { DELAYED_SCORE_PER_MS } from '../../jobs/redis-job.ts'
import { MARK_DELAYED } from '../../jobs/mark-delayed.ts'
import { OWNERS_VERSION, PUSH_JOB } from './owners-version.ts'

/** What became of a change to a job scheduler. */
export type PlanOutcome =
  | 'planned'
  /** The queue does not have it any more. */
  | 'gone'
  /** Its definition or its next run is not what was read. */
  | 'changed'
  /** Its run is starting and the next one is not planned yet, or the job of its next run is gone. */
  | 'between'
  /** A job with the id of the new run exists already. */
  | 'taken'
  /** On PostgreSQL: other sessions use its tables all the time. */
  | 'locked'
  | UnsafePlan

/** Nothing was changed, because the change could conflict with what the owner's code does. */
export type UnsafePlan =
  /** It is a repeatable job, from before BullMQ had job schedulers. */
  | 'repeatable'
  /** Its runs have a deduplication key. */
  | 'deduplicated'
  /** The job of its next run is part of a flow. */
  | 'in_flow'
  /** In a group of BullMQ Pro. */
  | 'in_group'

/**
 * Moves the next run of a job scheduler to another time, and changes its definition. The job of that run stays the same: it gets the id
 * that BullMQ would have given it, because BullMQ plans the next run only from the job with that id.
 * KEYS[1]: start of the keys of the queue. ARGV: id, planned time, new time, now, options of the job as they were read or '', new options
 * or '', data or ''; then fields of the scheduler and their values, where an empty value removes a field.
 */
export const PLAN_SCHEDULER = `${OWNERS_VERSION}${MARK_DELAYED}
local id, planned, to, now, knownOpts, opts, data = unpack(ARGV)
local key = queue .. 'repeat:' .. id
local score = redis.call('ZSCORE', queue .. 'repeat', id)
if not score then return 'gone' end
if redis.call('HEXISTS', key, 'ic') == 0 then return 'repeatable' end
if string.format('%.0f', tonumber(score)) ~= planned then return 'changed' end
local from = 'repeat:' .. id .. ':' .. planned
local list
for _, each in ipairs({'delayed', 'prioritized'}) do
  if redis.call('ZSCORE', queue .. each, from) then list = each end
end
for _, each in ipairs({'wait', 'paused'}) do
  if not list and redis.call('LPOS', queue .. each, from) then list = each end
end
if not list then return 'between' end
local group, deduplication, known, name = unpack(redis.call('HMGET', queue .. from, 'gid', 'deid', 'opts', 'name'))
if group and group ~= '' then return 'in_group' end
if deduplication and deduplication ~= '' then return 'deduplicated' end
if knownOpts ~= '' and known ~= knownOpts then return 'changed' end
local job = 'repeat:' .. id .. ':' .. to
if to ~= planned and redis.call('EXISTS', queue .. job) == 1 then return 'taken' end

for index = 8, #ARGV, 2 do
  if ARGV[index + 1] == '' then redis.call('HDEL', key, ARGV[index])
  else redis.call('HSET', key, ARGV[index], ARGV[index + 1]) end
end
if opts ~= '' then redis.call('HSET', queue .. from, 'opts', opts) end
if data ~= '' then redis.call('HSET', queue .. from, 'data', data) end
if to == planned then return 'planned' end

redis.call('RENAME', queue .. from, queue .. job)
if redis.call('EXISTS', queue .. from .. ':logs') == 1 then redis.call('RENAME', queue .. from .. ':logs', queue .. job .. ':logs') end
if list == 'wait' or list == 'paused' then redis.call('LREM', queue .. list, 1, from)
else redis.call('ZREM', queue .. list, from) end
local delay = string.format('%.0f', math.max(tonumber(to) - tonumber(now), 0))
redis.call('HSET', queue .. job, 'timestamp', now, 'delay', delay)
redis.call('ZADD', queue .. 'delayed', string.format('%.0f', tonumber(to) * ${DELAYED_SCORE_PER_MS}), job)
redis.call('ZADD', queue .. 'repeat', to, id)
event('removed', 'jobId', from, 'prev', list)
event('added', 'jobId', job, 'name', name or '')
event('delayed', 'jobId', job, 'delay', to)
if not paused then markDelayed(queue) end
return 'planned'`

/** What became of a request to run a scheduler's job now. */
export type RunOutcome = 'added' | 'gone' | 'changed' | 'repeatable'

/**
 * Adds a job from a scheduler's template, as `queue.add()` of BullMQ 5 and 6 with an id. The scheduler and its next run stay as they are.
 * KEYS[1]: start of the keys of the queue. ARGV: id of the scheduler, id of the job, now, options of the template as they were read,
 * options of the job, priority.
 */
export const RUN_SCHEDULER = `${OWNERS_VERSION}${PUSH_JOB}
local id, job, now, known, opts, priority = unpack(ARGV)
local key = queue .. 'repeat:' .. id
if not redis.call('ZSCORE', queue .. 'repeat', id) then return 'gone' end
local name, data, template, iterations = unpack(redis.call('HMGET', key, 'name', 'data', 'opts', 'ic'))
if not iterations then return 'repeatable' end
if (template or '') ~= known then return 'changed' end
if redis.call('EXISTS', queue .. job) == 1 then return 'added' end
redis.call('HSET', queue .. job, 'name', name, 'data', data or '{}', 'opts', opts, 'timestamp', now, 'delay', 0, 'priority', priority)
event('added', 'jobId', job, 'name', name)
push(job, tonumber(priority), opts)
event('waiting', 'jobId', job)
return 'added'`

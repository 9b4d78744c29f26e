import { ALONE, NOT_STARTED, OWNERS_VERSION } from './owners-version.ts'
import type { UnsafeOutcome } from './retry-job.ts'

/** What became of a request to cancel a job. */
export type RemoveOutcome =
  | 'removed'
  | 'running'
  /** It is the run of a job scheduler that plans the next one when it starts. Without it, the scheduler would end. */
  | 'planned'
  /** It has finished, or the queue does not have it. */
  | 'over'
  | UnsafeOutcome

/** As `job.remove()` of BullMQ 5 and 6, for a job that has not started. KEYS[1]: start of the keys of the queue. ARGV: id of the job. */
export const REMOVE_JOB = `${OWNERS_VERSION}
local id = ARGV[1]
${NOT_STARTED}
local parent, group, scheduler, starts, deduplication = unpack(redis.call('HMGET', key, 'parentKey', 'gid', 'rjk', 'ats', 'deid'))
if scheduler and scheduler ~= '' then
  -- It may have started without planning the next one: its worker died in between.
  local planned = redis.call('ZSCORE', queue .. 'repeat', scheduler)
  if (tonumber(starts or 0) or 0) == 0 or planned and id == 'repeat:' .. scheduler .. ':' .. planned then return 'planned' end
end
${ALONE}
local prev
if redis.call('ZREM', queue .. 'delayed', id) == 1 then prev = 'delayed'
elseif redis.call('ZREM', queue .. 'prioritized', id) == 1 then prev = 'prioritized'
elseif redis.call('LREM', queue .. 'wait', 1, id) == 1 then prev = 'wait'
elseif redis.call('LREM', queue .. 'paused', 1, id) == 1 then prev = 'paused'
else return 'over' end
if deduplication and deduplication ~= '' and redis.call('GET', queue .. 'de:' .. deduplication) == id then
  -- Also what was added while it ran, and would follow it.
  redis.call('DEL', queue .. 'de:' .. deduplication, queue .. 'dn:' .. deduplication)
end
redis.call('DEL', key, key .. ':logs')
event('removed', 'jobId', id, 'prev', prev)
return 'removed'`

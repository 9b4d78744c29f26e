import { OWNERS_VERSION } from './owners-version.ts'
import type { UnsafeOutcome } from './retry-job.ts'

/** What became of a request to cancel a job. */
export type RemoveOutcome =
  | 'removed'
  | 'running'
  /** The next run of a job scheduler: without it, the scheduler would end. */
  | 'planned'
  /** It has finished, or the queue does not have it. */
  | 'over'
  | UnsafeOutcome

/** As `job.remove()` of BullMQ 5 and 6, for a job that has not started. KEYS[1]: start of the keys of the queue. ARGV: id of the job. */
export const REMOVE_JOB = `${OWNERS_VERSION}
local id = ARGV[1]
local key = queue .. id
if redis.call('TYPE', key).ok ~= 'hash' then return 'over' end
if redis.call('ZSCORE', queue .. 'completed', id) or redis.call('ZSCORE', queue .. 'failed', id) then return 'over' end
if redis.call('LPOS', queue .. 'active', id) then return 'running' end
local parent, group, scheduler, starts, deduplication = unpack(redis.call('HMGET', key, 'parentKey', 'gid', 'rjk', 'ats', 'deid'))
if scheduler and scheduler ~= '' and tonumber(starts or 0) == 0 then return 'planned' end
if parent and parent ~= '' or redis.call('ZSCORE', queue .. 'waiting-children', id) or
  redis.call('EXISTS', key .. ':dependencies', key .. ':processed', key .. ':failed', key .. ':unsuccessful') > 0 then
  return 'in_flow'
end
if group and group ~= '' then return 'in_group' end
local prev
if redis.call('ZREM', queue .. 'delayed', id) == 1 then prev = 'delayed'
elseif redis.call('ZREM', queue .. 'prioritized', id) == 1 then prev = 'prioritized'
elseif redis.call('LREM', queue .. 'wait', 1, id) == 1 or redis.call('LREM', queue .. 'paused', 1, id) == 1 then prev = 'wait'
else return 'over' end
if deduplication and deduplication ~= '' and redis.call('GET', queue .. 'de:' .. deduplication) == id then
  redis.call('DEL', queue .. 'de:' .. deduplication)
end
redis.call('DEL', key, key .. ':logs', key .. ':lock')
event('removed', 'jobId', id, 'prev', prev)
return 'removed'`

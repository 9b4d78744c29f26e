import { ALONE, NOT_STARTED, OWNERS_VERSION, PUSH_JOB } from './owners-version.ts'
import type { UnsafeOutcome } from './retry-job.ts'

/** What became of a request to change the priority of a job. */
export type PriorityOutcome =
  | 'changed'
  | 'running'
  /** It is the next run of a job scheduler, whose options set its priority. */
  | 'planned'
  /** It has finished, or the queue does not have it. */
  | 'over'
  | UnsafeOutcome

/**
 * As `job.changePriority()` of BullMQ 5 and 6, for a job that has not started. It goes behind the jobs of the same priority. KEYS[1]: start
 * of the keys of the queue. ARGV: id of the job, priority.
 */
export const CHANGE_PRIORITY = `${OWNERS_VERSION}${PUSH_JOB}
local id, priority = unpack(ARGV)
${NOT_STARTED}
local parent, group, scheduler, before = unpack(redis.call('HMGET', key, 'parentKey', 'gid', 'rjk', 'priority'))
if scheduler and scheduler ~= '' then
  local planned = redis.call('ZSCORE', queue .. 'repeat', scheduler)
  if planned and id == 'repeat:' .. scheduler .. ':' .. string.format('%.0f', tonumber(planned)) then return 'planned' end
end
${ALONE}
local isWaiting = redis.call('ZSCORE', queue .. 'prioritized', id) or redis.call('LPOS', queue .. 'wait', id) or
  redis.call('LPOS', queue .. 'paused', id)
if not isWaiting and not redis.call('ZSCORE', queue .. 'delayed', id) then return 'over' end
if tonumber(before or 0) == tonumber(priority) then return 'changed' end
if isMixed and not isWaiting and tonumber(priority) == 0 then return 'mixed_delay' end
if redis.call('ZREM', queue .. 'prioritized', id) == 1 or redis.call('LREM', queue .. 'wait', -1, id) == 1 or
  redis.call('LREM', queue .. 'paused', -1, id) == 1 then
  push(id, tonumber(priority))
end
redis.call('HSET', key, 'priority', priority)
return 'changed'`

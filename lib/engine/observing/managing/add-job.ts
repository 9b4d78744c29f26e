import { MARK_DELAYED } from '../../jobs/mark-delayed.ts'
import { DELAYED_SCORE_PER_MS } from '../../jobs/redis-job.ts'
import { OWNERS_VERSION, PUSH_JOB } from './owners-version.ts'

/**
 * As `queue.add()` of BullMQ 5 and 6 with an id. If a job with this id exists, the same request has added it before, and nothing changes.
 * KEYS[1]: start of the keys of the queue. ARGV: id, name, data and options as JSON, now, delay in milliseconds, priority.
 */
export const ADD_JOB = `${OWNERS_VERSION}${MARK_DELAYED}${PUSH_JOB}
local id, name, data, opts, now, delay, priority = unpack(ARGV)
if redis.call('EXISTS', queue .. id) == 1 then return 'added' end
if isMixed and delay ~= '0' and tonumber(priority) == 0 then return 'mixed_delay' end
redis.call('INCR', queue .. 'id')
redis.call('HSET', queue .. id, 'name', name, 'data', data, 'opts', opts, 'timestamp', now, 'delay', delay, 'priority', priority)
event('added', 'jobId', id, 'name', name)
if delay == '0' then
  push(id, tonumber(priority), opts)
  event('waiting', 'jobId', id)
  return 'added'
end
local dueAt = tonumber(now) + tonumber(delay)
local first, last = dueAt * ${DELAYED_SCORE_PER_MS}, (dueAt + 1) * ${DELAYED_SCORE_PER_MS} - 1
local before = redis.call('ZREVRANGEBYSCORE', queue .. 'delayed', string.format('%.0f', last), string.format('%.0f', first),
  'WITHSCORES', 'LIMIT', 0, 1)[2]
local score = before and math.min(tonumber(before) + 1, last) or first
redis.call('ZADD', queue .. 'delayed', string.format('%.0f', score), id)
event('delayed', 'jobId', id, 'delay', string.format('%.0f', dueAt))
markDelayed(queue)
return 'added'`

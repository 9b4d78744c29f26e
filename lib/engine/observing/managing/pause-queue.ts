import { MARK_DELAYED } from '../../jobs/mark-delayed.ts'
import { OWNERS_VERSION } from './owners-version.ts'

/** As `queue.pause()` of the owner's version, but never overwrites a list. KEYS[1]: start of the keys of the queue. */
export const PAUSE_QUEUE = `${OWNERS_VERSION}
if isMixed and paused then return 'paused' end
if isMixed then return 'mixed_pause' end
if not paused then
  redis.call('HSET', meta, 'paused', 1)
  redis.call('DEL', queue .. 'marker')
  event('paused')
end
if major == 5 then gatherIn(queue .. 'paused') end
return 'paused'`

/**
 * As BullMQ's resume, whichever version paused the queue, but never overwrites a list. KEYS[1]: start of the keys of the queue. Jobs that
 * it moves to `wait` would be lost if version 6 paused the queue next and version 5 then added a job and resumed. Left in `paused`, they
 * would not. So while version 5 may still be there, a resume is refused.
 */
export const RESUME_QUEUE = `${OWNERS_VERSION}${MARK_DELAYED}local isLeft = redis.call('EXISTS', queue .. 'paused') == 1
if isBack and not paused and not isLeft then return 'resumed' end
if isBack then return 'mixed_pause' end
gatherIn(queue .. 'wait')
if paused then
  redis.call('HDEL', meta, 'paused')
  event('resumed')
elseif not isLeft then
  return 'resumed'
end
if redis.call('EXISTS', queue .. 'wait', queue .. 'prioritized') > 0 then
  redis.call('ZADD', queue .. 'marker', 0, '0')
else
  markDelayed(queue)
end
return 'resumed'`

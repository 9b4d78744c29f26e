import { OWNERS_VERSION, PUSH_JOB } from './owners-version.ts'

/** What became of a request to run a failed job again. */
export type RetryOutcome =
  | 'retried'
  /** It is no longer failed, or has failed again since. */
  | 'moved'
  /** The queue does not have it any more. */
  | 'gone'
  | UnsafeOutcome

/** Nothing was changed, because the change could conflict with what the owner's code does. */
export type UnsafeOutcome =
  /** Part of a flow, whose other jobs depend on it. */
  | 'in_flow'
  /** In a group of BullMQ Pro. */
  | 'in_group'

/**
 * As `job.retry()` of BullMQ 5 and 6: the job keeps its id, its data and its number of attempts. A job that does not tell when it
 * failed did so when its queue lists it. KEYS[1]: start of the keys of the queue. ARGV: id of the job, when it failed.
 */
export const RETRY_JOB = `${OWNERS_VERSION}${PUSH_JOB}local id, failedAt = ARGV[1], ARGV[2]
local key = queue .. id
if redis.call('TYPE', key).ok ~= 'hash' then return 'gone' end
local finishedOn, parent, group, priority, opts = unpack(redis.call('HMGET', key, 'finishedOn', 'parentKey', 'gid', 'priority', 'opts'))
local listed = redis.call('ZSCORE', queue .. 'failed', id)
if not listed then return 'moved' end
if not finishedOn or not finishedOn:match('^%d+$') then finishedOn = string.format('%.0f', math.max(math.floor(tonumber(listed)), 0)) end
if finishedOn ~= failedAt then return 'moved' end
if parent and parent ~= '' or redis.call('EXISTS', key .. ':dependencies', key .. ':unsuccessful') > 0 then return 'in_flow' end
if group and group ~= '' then return 'in_group' end
redis.call('ZREM', queue .. 'failed', id)
redis.call('HDEL', key, 'finishedOn', 'processedOn', 'failedReason')
push(id, tonumber(priority) or 0, opts)
event('waiting', 'jobId', id, 'prev', 'failed')
return 'retried'`

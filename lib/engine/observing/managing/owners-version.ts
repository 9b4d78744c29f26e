import { MANAGED_MAJORS, VERSION_PREFIX } from './managed-versions.ts'
import { CHECK_RIGHTS } from './needed-rights.ts'
import { PRIORITIZED_SCORE_PER_LEVEL } from '../../jobs/redis-job.ts'

/**
 * Starts each script, whose last argument is what `ObservedServer.versionsOf` tells. `major` is the owner's major version of BullMQ, as its
 * last `Queue` stored it. For a version that the scripts do not know, they return `other_version`. While a queue is paused, BullMQ 5 keeps
 * waiting jobs in the list `paused`, and its resume overwrites `wait` with that list. BullMQ 6 leaves everything in `wait`, and its resume
 * moves the jobs that it finds in `paused` back. So waiting jobs belong in `paused` if version 5 paused the queue, and all scripts check
 * both lists.
 *
 * If both versions use a queue, no list is safe: while the queue is paused, version 5 adds to `paused` and version 6 to `wait`, and the
 * next pause or resume of version 5 discards one of the two. So in such a queue (`isMixed`), no script puts a job into a list, and none
 * pauses it. `isBack`: version 5 was there after version 6, so this is no upgrade from 5 to 6. While the queue is paused, its lists tell of
 * the other version as well: only version 6 leaves jobs in `wait`, and only version 5 puts jobs into `paused`.
 */
export const OWNERS_VERSION = `
local queue = KEYS[1]
local meta = queue .. 'meta'
local paused, concurrency, version, maxEvents = unpack(redis.call('HMGET', meta, 'paused', 'concurrency', 'version', 'opts.maxLenEvents'))
local major = tonumber(string.match(version or '', '^${VERSION_PREFIX}(%d+)%.'))
if ${MANAGED_MAJORS.redis.map(major => `major ~= ${major}`).join(' and ')} then return 'other_version' end
local seen = table.remove(ARGV) .. major
${CHECK_RIGHTS}
if paused and major == 5 and redis.call('EXISTS', queue .. 'wait') == 1 then seen = '65' end
if paused and major == 6 and redis.call('EXISTS', queue .. 'paused') == 1 then seen = '5' .. seen end
local isMixed = ${MANAGED_MAJORS.redis.map(major => `string.find(seen, '${major}')`).join(' and ')}
local isBack = string.find(seen, '6.*5')

local function event(...)
  redis.call('XADD', queue .. 'events', 'MAXLEN', '~', tonumber(maxEvents) or 10000, '*', 'event', ...)
end

local function wakeWorker()
  if paused or concurrency and redis.call('LLEN', queue .. 'active') >= tonumber(concurrency) then return end
  redis.call('ZADD', queue .. 'marker', 0, '0')
end

-- All that waits in one list, in one step: between two steps, the resume of BullMQ 5 would overwrite what is still in \`wait\`.
local function gatherIn(list)
  local wait, moved = queue .. 'wait', queue .. 'paused'
  if redis.call('EXISTS', wait, moved) == 2 then
    if redis.call('LLEN', moved) <= redis.call('LLEN', wait) then
      while true do
        local id = redis.call('LPOP', moved)
        if not id then break end
        redis.call('RPUSH', wait, id)
      end
    else
      while redis.call('RPOPLPUSH', wait, moved) do end
    end
  end
  local from = list == wait and moved or wait
  if redis.call('EXISTS', from) == 1 then redis.call('RENAME', from, list) end
end
`

/**
 * Lua, after OWNERS_VERSION: puts a job that may start at once where the owner's workers take it. `opts`: its options as JSON. Where a list
 * is not safe, a job without a priority goes before all others in `prioritized`, which no pause or resume touches. Workers take it once
 * the list `wait` is empty.
 */
export const PUSH_JOB = `
local function push(id, priority, opts)
  local known, decoded = pcall(cjson.decode, opts or '')
  local isLast = known and type(decoded) == 'table' and decoded.lifo == true
  if priority > 0 or isMixed then
    local count = priority == 0 and isLast and 0 or redis.call('INCR', queue .. 'pc')
    redis.call('ZADD', queue .. 'prioritized', priority * ${PRIORITIZED_SCORE_PER_LEVEL} + count % ${PRIORITIZED_SCORE_PER_LEVEL}, id)
  else
    redis.call(isLast and 'RPUSH' or 'LPUSH', queue .. (paused and major == 5 and 'paused' or 'wait'), id)
  end
  wakeWorker()
end
`

/** Lua, after OWNERS_VERSION: only continues for a job with the id `id` that exists and has not started. Sets `key` to its key. */
export const NOT_STARTED = `
local key = queue .. id
if redis.call('TYPE', key).ok ~= 'hash' then return 'over' end
if redis.call('ZSCORE', queue .. 'completed', id) or redis.call('ZSCORE', queue .. 'failed', id) then return 'over' end
if redis.call('LPOS', queue .. 'active', id) or redis.call('EXISTS', key .. ':lock') == 1 then return 'running' end
`

/** Lua, after NOT_STARTED: only continues for a job that is not part of a flow or a group. `parent`, `group`: its fields. */
export const ALONE = `
if parent and parent ~= '' or redis.call('ZSCORE', queue .. 'waiting-children', id) or
  redis.call('EXISTS', key .. ':dependencies', key .. ':processed', key .. ':failed', key .. ':unsuccessful') > 0 then
  return 'in_flow'
end
if group and group ~= '' then return 'in_group' end
`

import { MAX_GROUPS } from '../../counting/failure-hours.ts'
import { HOURS_KEPT_MS } from '../../counting/tally.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { LUA_TOTALS } from '../counting/lua-totals.ts'
import { LUA_IN_ONE_LINE } from '../counting/rollup-lines.ts'
import { BYTES_PER_WORKER_DAY } from '../worker-minutes.ts'
import { GROUP_TASK_FIELD, HOURS_PER_MONTH, KEY_NAMES, VERSION_FIELD } from '../schema.ts'
import { createScript } from '../script.ts'

/** A roll-up to which lines were appended is merged into one line when it exceeds this size and this many times its first line. */
const MAX_APPENDED_BYTES = 1024
const MERGE_FACTOR = 4
/** Redis is blocked while a script runs, so further groups are dropped with the next failures. */
const GROUPS_DROPPED_PER_SCRIPT = 1_000
/** Months before the current one that may contain an hour that is still kept. */
const MONTHS_KEPT = Math.ceil(HOURS_KEPT_MS / (HOURS_PER_MONTH * HOUR_MS)) + 1

/**
 * Writes what `packBatch` prepared, in one atomic step. Writes nothing if any of the executions is already recorded, or was until it was
 * pruned.
 * @returns the positions of those executions; 0 if the fence in KEYS[3] does not hold
 */
export const recordScript = createScript(`
${LUA_TOTALS}
local prefix, ids, failureGroups = given.prefix, given.ids, given.failureGroups

if KEYS[3] and redis.call('HGET', KEYS[3], given.fence[1]) ~= given.fence[2] then return {0} end

local stored = redis.call('HMGET', KEYS[1], unpack(ids))
local known = {}
for i = 1, #ids do
  if stored[i] then known[#known + 1] = i end
end
if #known == 0 and redis.call('EXISTS', prefix .. '${KEY_NAMES.pruned}') == 1 then
  for i, finishedAt in ipairs(redis.call('ZMSCORE', prefix .. '${KEY_NAMES.pruned}', unpack(ids))) do
    if finishedAt then known[#known + 1] = i end
  end
end
if #known > 0 then return known end

local rows = {}
for i = 1, #ids do rows[2 * i - 1], rows[2 * i] = ids[i], given.records[i] end
redis.call('HSET', KEYS[1], unpack(rows))

for list, positions in pairs(given.lists) do
  local members = {}
  for at, position in ipairs(positions) do members[2 * at - 1], members[2 * at] = given.finishes[position], ids[position] end
  redis.call('ZADD', list, unpack(members))
end
if #given.payloads > 0 then redis.call('HSET', prefix .. '${KEY_NAMES.payloads}', unpack(given.payloads)) end
for _, position in ipairs(given.retried) do redis.call('PERSIST', prefix .. '${KEY_NAMES.attempts}' .. ids[position]) end
for key, names in pairs(given.tasksOfSchedules) do redis.call('SADD', key, unpack(names)) end

local function addCounters(key, added)
  if #added.names == 0 then return end
  local fields = {}
  for i, before in ipairs(redis.call('HMGET', key, unpack(added.names))) do
    local counter = added.counters[i]
    fields[2 * i - 1], fields[2 * i] = added.names[i], before and addedTotals(counter, before) or counter
  end
  redis.call('HSET', key, unpack(fields))
end
addCounters(prefix .. '${KEY_NAMES.taskTotals}', given.taskCounters)
addCounters(prefix .. '${KEY_NAMES.scheduleTotals}', given.scheduleCounters)
local totals = prefix .. '${KEY_NAMES.totals}'
redis.call('HSETNX', totals, 'since', given.now)
redis.call('HINCRBY', totals, 'success', given.success)
redis.call('HINCRBY', totals, 'failed', given.failed)

${LUA_IN_ONE_LINE}
-- The first four bytes are the length of the first line. Further lines are appended, and merged once there are many: merging with every
-- batch would take most of its time.
local function grown(text, line)
  if not text then return struct.pack('>I4', #line) .. line end
  local first = struct.unpack('>I4', text)
  if #text + #line <= math.max(${MAX_APPENDED_BYTES}, ${MERGE_FACTOR} * first) then return text .. line end
  line = inOneLine(string.sub(text, 5) .. line)
  return struct.pack('>I4', #line) .. line
end

for _, rollup in ipairs(given.rollups.hashes) do
  local names, fields = {}, { '${VERSION_FIELD}', given.version }
  for i, name in ipairs(rollup.names) do names[i] = given.rollups.names[name] end
  for i, text in ipairs(redis.call('HMGET', rollup.key, unpack(names))) do
    fields[2 * i + 1], fields[2 * i + 2] = names[i], grown(text, given.rollups.lines[rollup.lines[i]])
  end
  redis.call('HSET', rollup.key, unpack(fields))
  redis.call('EXPIREAT', rollup.key, rollup.expiresAt)
end

for _, group in ipairs(failureGroups) do
  local key, lastSeenAt = group.key, tonumber(group.lastSeenAt)
  local seen = redis.call('HMGET', key, 'firstSeenAt', 'lastSeenAt', 'lastExecutionId')
  redis.call('HINCRBY', key, 'count', group.count)
  if not seen[1] or tonumber(group.firstSeenAt) < tonumber(seen[1]) then redis.call('HSET', key, 'firstSeenAt', group.firstSeenAt) end
  if not seen[2] or lastSeenAt > tonumber(seen[2]) or (lastSeenAt == tonumber(seen[2]) and less(seen[3], group.lastExecutionId)) then
    redis.call('HSET', key, unpack(group.lastFields))
    redis.call('ZADD', prefix .. '${KEY_NAMES.groups}', group.lastSeenAt, group.name)
  end
  for _, task in ipairs(group.tasks) do redis.call('HINCRBY', key, '${GROUP_TASK_FIELD}' .. task.name, task.count) end
  for _, month in ipairs(group.months) do
    for _, hour in ipairs(month.counts) do redis.call('HINCRBY', month.key, hour.field, hour.count) end
    redis.call('EXPIREAT', month.key, month.expiresAt)
  end
end
if #failureGroups > 0 then
  local groups = prefix .. '${KEY_NAMES.groups}'
  local tooMany = redis.call('ZCARD', groups) - ${MAX_GROUPS}
  local gone = tooMany > 0 and redis.call('ZRANGE', groups, 0, math.min(tooMany, ${GROUPS_DROPPED_PER_SCRIPT}) - 1) or {}
  local month = math.floor(given.now / ${HOURS_PER_MONTH * HOUR_MS})
  for _, name in ipairs(gone) do
    redis.call('UNLINK', prefix .. '${KEY_NAMES.group}' .. name)
    for each = month - ${MONTHS_KEPT}, month do redis.call('UNLINK', prefix .. '${KEY_NAMES.groupHours}' .. whole(each) .. ':' .. name) end
  end
  if #gone > 0 then redis.call('ZREM', groups, unpack(gone)) end
end

for _, worker in ipairs(given.workers) do
  local bits = redis.call('HGET', worker.key, worker.field) or string.rep('\\0', ${BYTES_PER_WORKER_DAY})
  local changed = false
  for _, minute in ipairs(worker.minutes) do
    local at, bit_ = math.floor(minute / 8) + 1, 2 ^ (minute % 8)
    local byte = string.byte(bits, at)
    if math.floor(byte / bit_) % 2 == 0 then
      bits, changed = string.sub(bits, 1, at - 1) .. string.char(byte + bit_) .. string.sub(bits, at + 1), true
    end
  end
  if changed then
    redis.call('HSET', worker.key, worker.field, bits)
    redis.call('ZADD', prefix .. '${KEY_NAMES.workers}', 'GT', string.match(worker.field, '^-?%d+'), worker.worker)
  end
end
return {}
`)

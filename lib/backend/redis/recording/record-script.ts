import { GROUPS_AT_MOST } from '../../counting/failure-history.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { LUA_TOTALS } from '../counting/lua-totals.ts'
import { LUA_IN_ONE_LINE } from '../counting/rollup-lines.ts'
import { HOURS_A_MONTH, VERSION_FIELD } from '../schema.ts'
import { createScript } from '../script.ts'

/**
 * One atomic step for what `packBatch` puts together: nothing, when any of the executions is there already, or was until it was pruned.
 * @returns the positions of those.
 */
export const recordScript = createScript(`
${LUA_TOTALS}
local prefix, now, version = ARGV[1], ARGV[2], ARGV[4]
local ids, records, scores, lists, payloads, retried, tasksOfSchedules, tasks, schedules, rollupNames, rollupLines, rollups, groups, workers = unpack(cmsgpack.unpack(ARGV[3]))

local stored = redis.call('HMGET', KEYS[1], unpack(ids))
local known = {}
for i = 1, #ids do
  if stored[i] then known[#known + 1] = i end
end
if #known == 0 and redis.call('EXISTS', prefix .. 'pruned') == 1 then
  for i, finishedAt in ipairs(redis.call('ZMSCORE', prefix .. 'pruned', unpack(ids))) do
    if finishedAt then known[#known + 1] = i end
  end
end
if #known > 0 then return known end

local rows = {}
for i = 1, #ids do rows[2 * i - 1], rows[2 * i] = ids[i], records[i] end
redis.call('HSET', KEYS[1], unpack(rows))

for i = 1, #lists, 2 do
  local members = {}
  for at, position in ipairs(lists[i + 1]) do members[2 * at - 1], members[2 * at] = scores[position], ids[position] end
  redis.call('ZADD', lists[i], unpack(members))
end
if #payloads > 0 then redis.call('HSET', prefix .. 'payloads', unpack(payloads)) end
for _, position in ipairs(retried) do redis.call('PERSIST', prefix .. 'attempts:' .. ids[position]) end
for i = 1, #tasksOfSchedules, 2 do redis.call('SADD', tasksOfSchedules[i], unpack(tasksOfSchedules[i + 1])) end

local function saveTotals(key, sums)
  local names = {}
  for i = 1, #sums, 8 do names[#names + 1] = sums[i] end
  if #names == 0 then return 0, 0 end
  local allSuccess, allFailed, fields = 0, 0, {}
  for n, before in ipairs(redis.call('HMGET', key, unpack(names))) do
    local name, success, failed, duration, at, took, status, id = unpack(sums, n * 8 - 7, n * 8)
    allSuccess, allFailed = allSuccess + success, allFailed + failed
    local sum = table.concat({ success, failed, duration, at, took, status, id }, ' ')
    fields[2 * n - 1], fields[2 * n] = name, before and addedTotals(sum, before) or sum
  end
  redis.call('HSET', key, unpack(fields))
  return allSuccess, allFailed
end
local success, failed = saveTotals(prefix .. 'task-totals', tasks)
saveTotals(prefix .. 'schedule-totals', schedules)
redis.call('HSETNX', prefix .. 'totals', 'since', now)
redis.call('HINCRBY', prefix .. 'totals', 'success', success)
redis.call('HINCRBY', prefix .. 'totals', 'failed', failed)

${LUA_IN_ONE_LINE}
-- Four bytes say how long the first line is; others are put behind it, and all are made one once they are three times
-- as long: adding up at each batch would take most of its time.
local function grown(text, line)
  if not text then return struct.pack('>I4', #line) .. line end
  local first = struct.unpack('>I4', text)
  if #text + #line <= math.max(1024, 4 * first) then return text .. line end
  line = inOneLine(string.sub(text, 5) .. line)
  return struct.pack('>I4', #line) .. line
end

for i = 1, #rollups, 3 do
  local key, positions = rollups[i], rollups[i + 2]
  local added, fields = {}, {}
  for at = 1, #positions, 2 do
    local name, line = rollupNames[positions[at]], rollupLines[positions[at + 1]]
    if added[name] then
      added[name] = added[name] .. line
    else
      added[name], fields[#fields + 1] = line, name
    end
  end
  local rolledUp = { '${VERSION_FIELD}', version }
  for at, text in ipairs(redis.call('HMGET', key, unpack(fields))) do rolledUp[2 * at + 1], rolledUp[2 * at + 2] = fields[at], grown(text, added[fields[at]]) end
  redis.call('HSET', key, unpack(rolledUp))
  redis.call('EXPIREAT', key, rollups[i + 1])
end

for _, group in ipairs(groups) do
  local name, count, firstAt, lastAt = unpack(group[1])
  local fields, byTask, key, months, hours = unpack(group, 2, 6)
  local seen = redis.call('HMGET', key, 'firstSeenAt', 'lastSeenAt', 'lastExecutionId')
  redis.call('HINCRBY', key, 'count', count)
  if not seen[1] or tonumber(firstAt) < tonumber(seen[1]) then redis.call('HSET', key, 'firstSeenAt', firstAt) end
  if not seen[2] or tonumber(lastAt) > tonumber(seen[2]) or (tonumber(lastAt) == tonumber(seen[2]) and less(seen[3], fields[#fields])) then
    redis.call('HSET', key, unpack(fields))
    redis.call('ZADD', prefix .. 'groups', lastAt, name)
  end
  for i = 1, #byTask, 2 do redis.call('HINCRBY', key, 'task:' .. byTask[i], byTask[i + 1]) end
  for i, month in ipairs(months) do
    local counts = hours[2 * i]
    for at = 1, #counts, 2 do redis.call('HINCRBY', month, counts[at], counts[at + 1]) end
    redis.call('EXPIREAT', month, hours[2 * i - 1])
  end
end
if #groups > 0 then
  local tooMany = redis.call('ZCARD', prefix .. 'groups') - ${GROUPS_AT_MOST}
  local gone = tooMany > 0 and redis.call('ZRANGE', prefix .. 'groups', 0, math.min(tooMany, 1000) - 1) or {}
  local month = math.floor(now / ${HOURS_A_MONTH * HOUR_MS})
  for _, name in ipairs(gone) do
    redis.call('UNLINK', prefix .. 'group:' .. name)
    for each = month - 4, month do redis.call('UNLINK', prefix .. 'group-hours:' .. whole(each) .. ':' .. name) end
  end
  if #gone > 0 then redis.call('ZREM', prefix .. 'groups', unpack(gone)) end
end

for i = 1, #workers, 4 do
  local worker, key, field = workers[i], workers[i + 1], workers[i + 2]
  local bits = redis.call('HGET', key, field) or string.rep('\\0', 180)
  local changed = false
  for _, minute in ipairs(workers[i + 3]) do
    local at, bit_ = math.floor(minute / 8) + 1, 2 ^ (minute % 8)
    local byte = string.byte(bits, at)
    if math.floor(byte / bit_) % 2 == 0 then
      bits, changed = string.sub(bits, 1, at - 1) .. string.char(byte + bit_) .. string.sub(bits, at + 1), true
    end
  end
  if changed then
    redis.call('HSET', key, field, bits)
    redis.call('ZADD', prefix .. 'workers', 'GT', string.match(field, '^-?%d+'), worker)
  end
end
return {}
`)

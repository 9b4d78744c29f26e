import { TREND_HOURS } from '../../counting/failure-hours.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { GROUP_TASK_FIELD, HOURS_PER_MONTH, KEY_NAMES } from '../schema.ts'
import { LUA_BYTES_LESS, createScript } from '../script.ts'

/** Redis is blocked while a script runs. Reading this many groups takes a few milliseconds. */
export const GROUPS_PER_SCRIPT = 1_000
/** A single group may exceed this limit. */
const HOURS_PER_SCRIPT = 10_000

/**
 * Reads groups in list order, and their hours only if the count depends on them. Each group is read in one script, so that its counts agree
 * while failures arrive.
 * @returns how many groups were seen since the first hour, whether this is the end, where it stopped, then name, count, fields and trend of
 * each
 */
export const groupsScript = createScript(`
${LUA_BYTES_LESS}
local prefix, task, after, limit, lookAt = given.prefix, given.task, given.after, tonumber(given.limit), tonumber(given.lookAt)
local tasks = nil
if given.tasks then
  tasks = {}
  for _, name in ipairs(given.tasks) do tasks[name] = true end
end
local hours = given.hours or {}
local first, last, keptFrom = tonumber(hours.first), tonumber(hours.endHour), tonumber(hours.keptFrom)
local function whole(number) return string.format('%.0f', number) end

local since = first and whole(first * ${HOUR_MS}) or '-inf'
local names, further = {}, {}
if given.group then
  local at = redis.call('ZSCORE', KEYS[1], given.group)
  local isIn = at and (not first or tonumber(at) >= tonumber(since))
  local isNext = isIn and (not after or tonumber(at) < tonumber(after.lastSeenAt)
    or tonumber(at) == tonumber(after.lastSeenAt) and less(given.group, after.name))
  if isNext then names[1] = given.group end
else
  if after then
    -- Groups of the same millisecond are ordered by bytes. The group at the position may be gone.
    for _, name in ipairs(redis.call('ZREVRANGEBYSCORE', KEYS[1], after.lastSeenAt, after.lastSeenAt)) do
      if less(name, after.name) then names[#names + 1] = name end
    end
  end
  local below = after and '(' .. after.lastSeenAt or '+inf'
  further = redis.call('ZREVRANGEBYSCORE', KEYS[1], below, since, 'LIMIT', 0, lookAt)
  for _, name in ipairs(further) do names[#names + 1] = name end
end

local hoursRead = 0
-- The suffix of the fields: '' for all tasks, ':' and the name for one, true for those of given.tasks.
local function countHours(name, low, high, suffix)
  local sum = 0
  -- The range ends before the hours that are still kept.
  if low > high then return sum end
  for month = math.floor(low / ${HOURS_PER_MONTH}), math.floor(high / ${HOURS_PER_MONTH}) do
    local key = prefix .. '${KEY_NAMES.groupHours}' .. whole(month) .. ':' .. name
    local from, to = math.max(low, month * ${HOURS_PER_MONTH}), math.min(high, (month + 1) * ${HOURS_PER_MONTH} - 1)
    local length = redis.call('HLEN', key)
    if suffix ~= true and length > to - from then
      local fields = {}
      for hour = from, to do fields[#fields + 1] = whole(hour) .. suffix end
      for _, count in ipairs(redis.call('HMGET', key, unpack(fields))) do sum = sum + (count or 0) end
      hoursRead = hoursRead + #fields
    elseif length > 0 then
      local fields = redis.call('HGETALL', key)
      for i = 1, #fields, 2 do
        local hour, rest = string.match(fields[i], '^(%d+)(.*)$')
        local isCounted = rest == suffix or suffix == true and tasks[string.sub(rest, 2)]
        if isCounted and tonumber(hour) >= from and tonumber(hour) <= to then sum = sum + fields[i + 1] end
      end
      hoursRead = hoursRead + length
    end
  end
  return sum
end

-- As stateOf in failure-decision.ts.
local function isOfState(name)
  if not given.state then return true end
  local lastAt, through, all, covered, countedAt, decidedAt = unpack(redis.call('HMGET', prefix .. '${KEY_NAMES.group}' .. name,
    'lastSeenAt', 'resolvedThrough', 'count', 'resolvedCount', 'countedAt', 'decidedAt'))
  if countedAt and countedAt ~= decidedAt then covered = false end
  local isResolved = lastAt and through and tonumber(lastAt) <= tonumber(through) and tonumber(all) <= tonumber(covered or all)
  if given.state == 'resolved' then return isResolved end
  return not isResolved and (given.state == 'open' or through)
end

local function countOf(name)
  local all, firstAt, lastAt, ofTask = unpack(redis.call('HMGET', prefix .. '${KEY_NAMES.group}' .. name, 'count', 'firstSeenAt',
    'lastSeenAt', '${GROUP_TASK_FIELD}' .. (task or '')))
  if not all or task and not ofTask then return 0 end
  local count = tonumber(task and ofTask or all)
  if tasks then
    count = 0
    local fields = redis.call('HGETALL', prefix .. '${KEY_NAMES.group}' .. name)
    for i = 1, #fields, 2 do
      if string.sub(fields[i], 1, ${GROUP_TASK_FIELD.length}) == '${GROUP_TASK_FIELD}'
        and tasks[string.sub(fields[i], ${GROUP_TASK_FIELD.length + 1})] then count = count + fields[i + 1] end
    end
    if count == 0 then return 0, false end
  end
  local isOfAll = count == tonumber(all)
  if not first then return count, isOfAll end
  local from, to = math.floor(firstAt / ${HOUR_MS}), math.floor(lastAt / ${HOUR_MS})
  if to < first or from >= last then return 0 end
  if from >= first and to < last then return count, isOfAll end
  local suffix = isOfAll and '' or tasks and true or ':' .. task
  local sum = countHours(name, math.max(from, first, keptFrom), math.min(to, last - 1), suffix)
  return isOfAll and (from >= first or to < last) and math.max(1, sum) or sum, isOfAll
end

-- Across all tasks, or across those of given.tasks.
local function trendOf(name, isOfAll)
  local counts, first = {}, tonumber(given.trendFrom)
  if tasks and not isOfAll then
    for i = 1, ${TREND_HOURS} do counts[i] = 0 end
    for month = math.floor(first / ${HOURS_PER_MONTH}), math.floor((first + ${TREND_HOURS - 1}) / ${HOURS_PER_MONTH}) do
      local fields = redis.call('HGETALL', prefix .. '${KEY_NAMES.groupHours}' .. whole(month) .. ':' .. name)
      for i = 1, #fields, 2 do
        local hour, task = string.match(fields[i], '^(%d+):(.*)$')
        local at = hour and tonumber(hour) - first + 1
        if at and counts[at] and tasks[task] then counts[at] = counts[at] + fields[i + 1] end
      end
      hoursRead = hoursRead + #fields / 2
    end
    return counts
  end
  local last = first + ${TREND_HOURS - 1}
  for month = math.floor(first / ${HOURS_PER_MONTH}), math.floor(last / ${HOURS_PER_MONTH}) do
    local fields = {}
    local from, to = math.max(first, month * ${HOURS_PER_MONTH}), math.min(last, (month + 1) * ${HOURS_PER_MONTH} - 1)
    for hour = from, to do fields[#fields + 1] = whole(hour) end
    local key = prefix .. '${KEY_NAMES.groupHours}' .. whole(month) .. ':' .. name
    for _, count in ipairs(redis.call('HMGET', key, unpack(fields))) do counts[#counts + 1] = tonumber(count or 0) end
  end
  return counts
end

local answer, found, lookedAt = { redis.call('ZCOUNT', KEYS[1], since, '+inf'), 0, '', '' }, 0, 0
for _, name in ipairs(names) do
  if found == limit or lookedAt == lookAt or hoursRead > ${HOURS_PER_SCRIPT} then break end
  lookedAt = lookedAt + 1
  local count, isOfAll = 0, true
  if isOfState(name) then count, isOfAll = countOf(name) end
  if count > 0 then
    found = found + 1
    answer[found + 4] = { name, count, redis.call('HGETALL', prefix .. '${KEY_NAMES.group}' .. name), trendOf(name, isOfAll) }
  end
end
if lookedAt == #names and #further < lookAt then answer[2] = 1 end
if lookedAt > 0 then answer[3], answer[4] = redis.call('ZSCORE', KEYS[1], names[lookedAt]), names[lookedAt] end
return answer
`)

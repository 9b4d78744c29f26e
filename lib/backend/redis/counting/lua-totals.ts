import { LUA_BYTES_LESS } from '../script.ts'

/** Adds two counters in the format that `totals.ts` describes. */
export const LUA_TOTALS = `
${LUA_BYTES_LESS}
local function whole(number) return string.format('%.0f', number) end

-- Adds sums of durations and their counts. A version that did not store the count had a duration for every execution.
local function added(one, ones, other, others)
  local sum, timed = string.match(one, '^([^/]+)/?(%d*)$')
  local sum_, timed_ = string.match(other, '^([^/]+)/?(%d*)$')
  return string.format('%.17g/%.0f', sum + sum_, (tonumber(timed) or ones) + (tonumber(timed_) or others))
end

local function addedTotals(one, other)
  local pattern = '^(%d+) (%d+) (%S+) (%S+) (%S+) (%a+) (.*)$'
  local success, failed, duration, at, took, status, id = string.match(one, pattern)
  local success_, failed_, duration_, at_, took_, status_, id_ = string.match(other, pattern)
  duration = added(duration, success + failed, duration_, success_ + failed_)
  if tonumber(at_) > tonumber(at) or (tonumber(at_) == tonumber(at) and less(id, id_)) then at, took, status, id = at_, took_, status_, id_
    end
  return table.concat({ whole(success + success_), whole(failed + failed_), duration, at, took, status, id }, ' ')
end
`

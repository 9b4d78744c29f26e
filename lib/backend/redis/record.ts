import type { RedisStore } from '../../stores/store.ts'
import type { LedgerEntry } from '../ledger-entry.ts'
import { toStorable } from '../storable-text.ts'
import { HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS } from '../tally.ts'
import { toStoredRecord } from './item.ts'
import { packId } from './packed-id.ts'
import type { LedgerKeys } from './schema.ts'
import { LUA_BYTES_LESS, createScript } from './script.ts'

/** Redis does nothing else while a script runs: one of this size takes a few milliseconds. */
const ENTRIES_A_SCRIPT = 500
const BYTES_A_SCRIPT = 4 * 1024 * 1024

/** @returns how many were new. */
export async function recordEntries(store: RedisStore, keys: LedgerKeys, entries: readonly LedgerEntry[]): Promise<number> {
  let added = 0
  for (const parameters of scriptParameters(entries)) {
    added += Number(await recordScript(store.client, [keys.executions], [
      keys.prefix, Date.now(), MINUTES_KEPT_MS / MINUTE_MS, HOURS_KEPT_MS / HOUR_MS, ...parameters
    ]))
  }
  return added
}

type Parameters = Array<string | number | Buffer>

function * scriptParameters(entries: readonly LedgerEntry[]): Generator<Parameters> {
  let parameters: Parameters = []
  let count = 0
  let bytes = 0
  for (const entry of entries) {
    const { execution, durationBin, waitBin } = entry
    const { record, payload } = toStoredRecord(entry)
    const length = record.length + payload.length
    bytes += length
    if (count > 0 && (count === ENTRIES_A_SCRIPT || bytes > BYTES_A_SCRIPT)) {
      yield parameters
      parameters = []
      count = 0
      bytes = length
    }
    count++
    parameters.push(
      packId(execution.executionId), toStorable(execution.executionId), record, payload, toStorable(execution.taskName), toStorable(execution.scheduleId ?? ''),
      execution.status, execution.finishedAt, execution.durationMs ?? 0, durationBin ?? '', waitBin ?? ''
    )
  }
  if (count > 0) yield parameters
}

/**
 * One atomic step: each execution that is not there yet, with its place in every list, and the counters and roll-ups of those.
 * Counters are added up here first, so that a batch writes each of them once. What they look like: see `totals.ts`, `windows.ts`.
 */
const recordScript = createScript(`
${LUA_BYTES_LESS}
local prefix, now, minutesKept, hoursKept = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local added = 0
local overall = { success = 0, failed = 0 }
local tasks, schedules, minutes, hours = {}, {}, {}, {}

local function count(map, key, status, durationBin, waitBin)
  local tally = map[key]
  if not tally then
    tally = { success = 0, failed = 0, duration = {}, wait = {} }
    map[key] = tally
  end
  tally[status] = tally[status] + 1
  if durationBin ~= '' then tally.duration[durationBin] = (tally.duration[durationBin] or 0) + 1 end
  if waitBin ~= '' then tally.wait[waitBin] = (tally.wait[waitBin] or 0) + 1 end
end

local function total(map, key, status, duration, finishedAt, id)
  local sum = map[key]
  if not sum then
    sum = { success = 0, failed = 0, duration = 0, at = finishedAt, took = duration, id = id, status = status }
    map[key] = sum
  end
  sum[status] = sum[status] + 1
  sum.duration = sum.duration + duration
  if finishedAt > sum.at or (finishedAt == sum.at and less(sum.id, id)) then
    sum.at, sum.took, sum.id, sum.status = finishedAt, duration, id, status
  end
end

for i = 5, #ARGV, 11 do
  local packed, id, record, payload, task, schedule = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5]
  local status, finishedAt, duration, durationBin, waitBin = ARGV[i + 6], ARGV[i + 7], tonumber(ARGV[i + 8]), ARGV[i + 9], ARGV[i + 10]
  if redis.call('HSETNX', prefix .. 'executions', packed, record) == 1 then
    added = added + 1
    if payload ~= '' then redis.call('HSET', prefix .. 'payloads', packed, payload) end
    redis.call('PERSIST', prefix .. 'attempts:' .. id)
    redis.call('ZADD', prefix .. 'by:' .. status, finishedAt, packed)
    redis.call('ZADD', prefix .. 'by-task:' .. status .. ':' .. task, finishedAt, packed)
    local at = tonumber(finishedAt)
    if schedule ~= '' then
      redis.call('ZADD', prefix .. 'by-schedule:' .. status .. ':' .. #schedule .. ':' .. schedule .. ':' .. task, finishedAt, packed)
      redis.call('SADD', prefix .. 'schedule-tasks:' .. schedule, task)
      total(schedules, schedule, status, duration, at, id)
    end
    overall[status] = overall[status] + 1
    total(tasks, task, status, duration, at, id)
    count(minutes, math.floor(at / ${MINUTE_MS}), status, durationBin, waitBin)
    local hour = math.floor(at / ${HOUR_MS})
    hours[hour] = hours[hour] or {}
    count(hours[hour], task, status, durationBin, waitBin)
    count(hours[hour], '', status, durationBin, waitBin)
  end
end
if added == 0 then return 0 end

redis.call('HSETNX', prefix .. 'totals', 'since', ARGV[2])
redis.call('HINCRBY', prefix .. 'totals', 'success', overall.success)
redis.call('HINCRBY', prefix .. 'totals', 'failed', overall.failed)

local function whole(number) return string.format('%.0f', number) end

local function saveTotals(key, sums)
  for name, sum in pairs(sums) do
    local stored = redis.call('HGET', key, name)
    if stored then
      local success, failed, duration, at, took, status, id = string.match(stored, '^(%d+) (%d+) (%S+) (%S+) (%S+) (%a+) (.*)$')
      sum.success, sum.failed, sum.duration = sum.success + success, sum.failed + failed, sum.duration + tonumber(duration)
      at = tonumber(at)
      if at > sum.at or (at == sum.at and less(sum.id, id)) then sum.at, sum.took, sum.id, sum.status = at, tonumber(took), id, status end
    end
    redis.call('HSET', key, name, whole(sum.success) .. ' ' .. whole(sum.failed) .. ' ' .. string.format('%.17g', sum.duration) .. ' ' ..
      whole(sum.at) .. ' ' .. string.format('%.17g', sum.took) .. ' ' .. sum.status .. ' ' .. sum.id)
  end
end
saveTotals(prefix .. 'task-totals', tasks)
saveTotals(prefix .. 'schedule-totals', schedules)

local function merged(bins, stored)
  for bin, count in string.gmatch(stored, '(%d+):(%d+)') do bins[bin] = (bins[bin] or 0) + count end
  local pairs_ = {}
  for bin, count in pairs(bins) do pairs_[#pairs_ + 1] = bin .. ':' .. whole(count) end
  return #pairs_ == 0 and '-' or table.concat(pairs_, ',')
end

local function rolledUp(tally, stored)
  local success, failed, duration, wait = string.match(stored or '0 0 - -', '^(%d+) (%d+) (%S+) (%S+)$')
  return whole(tally.success + success) .. ' ' .. whole(tally.failed + failed) .. ' ' .. merged(tally.duration, duration) .. ' ' .. merged(tally.wait, wait)
end

for minute, tally in pairs(minutes) do
  local expires = (minute + minutesKept) * 60
  if expires * 1000 > now then
    local key = prefix .. 'minute:' .. whole(minute)
    redis.call('SET', key, rolledUp(tally, redis.call('GET', key)), 'EXAT', whole(expires))
  end
end
for hour, tallies in pairs(hours) do
  local expires = (hour + hoursKept) * 3600
  if expires * 1000 > now then
    local key = prefix .. 'hour:' .. whole(hour)
    for task, tally in pairs(tallies) do
      redis.call('HSET', key, task, rolledUp(tally, redis.call('HGET', key, task)))
    end
    redis.call('EXPIREAT', key, whole(expires))
  end
end
return added
`)

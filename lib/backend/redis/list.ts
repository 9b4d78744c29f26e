import type { RedisStore } from '../../stores/store.ts'
import type { FinishedPage, FinishedQuery } from '../result-backend.ts'
import { toStorable } from '../storable-text.ts'
import type { FinishedListItem } from '../ledger-entry.ts'
import { itemFromStored } from './item.ts'
import { packId, unpackId } from './packed-id.ts'
import type { LedgerKeys } from './schema.ts'
import { createScript, LUA_BYTES_LESS } from './script.ts'

/** Rows of any filter come from sorted sets made for it, merged by finish; counting them is exact and as fast as finding one. */
export async function listFinished(store: RedisStore, keys: LedgerKeys, query: FinishedQuery): Promise<FinishedPage> {
  const sets = await sortedSetsOf(store, keys, query)
  if (sets.length === 0) return { executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }
  const [total, ...pairs] = await listScript(store.client, sets, [
    keys.executions, query.order, query.limit, query.from ?? '', query.to ?? '', query.after?.finishedAt ?? '', packId(query.after?.executionId ?? '')
  ]) as [number, ...Buffer[]]
  const executions: FinishedListItem[] = []
  for (let i = 0; i < pairs.length && executions.length < query.limit; i += 2) {
    executions.push(itemFromStored(unpackId(pairs[i]!), pairs[i + 1]!.toString()))
  }
  return {
    executions, next: pairs.length / 2 > query.limit ? executions.at(-1)! : null, total: { value: total, relation: 'exact' }, scanned: null, complete: true
  }
}

async function sortedSetsOf(store: RedisStore, keys: LedgerKeys, { status, taskName, scheduleId }: FinishedQuery): Promise<string[]> {
  const statuses = status ? [status] : ['success', 'failed']
  if (scheduleId !== undefined) {
    const taskNames = taskName === undefined ? await store.client.smembers(keys.scheduleTasks(scheduleId)) : [toStorable(taskName)]
    return taskNames.flatMap(name => statuses.map(each => keys.bySchedule(each, scheduleId, name)))
  }
  return statuses.map(each => taskName === undefined ? keys.byStatus(each) : keys.byTask(each, taskName))
}

/** @returns the total, then id and item of one more than the limit, in order. */
const listScript = createScript(`
${LUA_BYTES_LESS}
local executions, newest, limit, from, to, afterAt, afterId = ARGV[1], ARGV[2] == 'newest', tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6], ARGV[7]

-- How many members of the set come before the position, or stand at it.
local function rankOfPosition(key)
  local low = redis.call('ZCOUNT', key, '-inf', '(' .. afterAt)
  local high = low + redis.call('ZCOUNT', key, afterAt, afterAt)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if less(afterId, redis.call('ZRANGE', key, middle, middle)[1]) then high = middle else low = middle + 1 end
  end
  return low
end

local total = 0
local branches = {}
for _, key in ipairs(KEYS) do
  local first = from == '' and 0 or redis.call('ZCOUNT', key, '-inf', '(' .. from)
  local last = (to == '' and redis.call('ZCARD', key) or redis.call('ZCOUNT', key, '-inf', '(' .. to)) - 1
  if last >= first then
    total = total + last - first + 1
    if afterAt ~= '' then
      local rank = rankOfPosition(key)
      if newest then
        if tonumber(redis.call('ZSCORE', key, afterId) or '') == tonumber(afterAt) then rank = rank - 1 end
        last = math.min(last, rank - 1)
      else
        first = math.max(first, rank)
      end
    end
    if last >= first then
      local rows
      if newest then
        rows = redis.call('ZRANGE', key, math.max(first, last - limit), last, 'WITHSCORES')
      else
        rows = redis.call('ZRANGE', key, first, math.min(last, first + limit), 'WITHSCORES')
      end
      branches[#branches + 1] = { rows = rows, at = newest and #rows - 1 or 1 }
    end
  end
end

local ids = {}
while #ids <= limit do
  local best, bestScore, bestId
  for _, branch in ipairs(branches) do
    local id = branch.rows[branch.at]
    if id then
      local score = tonumber(branch.rows[branch.at + 1])
      local before
      if not best then before = true
      elseif score ~= bestScore then before = (score < bestScore) ~= newest
      else before = less(id, bestId) ~= newest end
      if before then best, bestScore, bestId = branch, score, id end
    end
  end
  if not best then break end
  ids[#ids + 1] = bestId
  best.at = best.at + (newest and -2 or 2)
end

local answer = { total }
if #ids == 0 then return answer end
local records = redis.call('HMGET', executions, unpack(ids))
for i, id in ipairs(ids) do
  if records[i] then
    answer[#answer + 1] = id
    answer[#answer + 1] = string.match(records[i], '^[^\\n]*')
  end
end
return answer
`)

import type { RedisStore } from '../../../stores/store.ts'
import { groupsKeptSince } from '../../counting/failure-hours.ts'
import type { FinishedStatus } from '../../../execution.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import type { PruneBounds, PruneStep, RetentionPolicy } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { DAY_MS } from '../../../time/units.ts'
import { DURATION_CLASSES } from '../duration-class.ts'
import { readKeptLists } from './kept.ts'
import { createListNames } from '../listing/list-names.ts'
import { createPackWriter } from '../pack-writer.ts'
import { readPage } from '../listing/read-page.ts'
import { KEY_NAMES, type LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

/** Redis is blocked while a script runs: removing this many takes about two milliseconds. */
const REMOVED_PER_SCRIPT = 250

/**
 * Removes the oldest executions that exceed the policy, in batches. The choice made here stays valid, because what exceeds the policy
 * continues to. So two processes that do this at once remove the same executions, each once.
 */
export async function prune(store: RedisStore, keys: LedgerKeys, policy: RetentionPolicy, bounds: PruneBounds): Promise<PruneStep> {
  let removed = 0
  let more = false
  for (const status of ['success', 'failed', 'cancelled'] as const) {
    for (;;) {
      const { over, isLast } = await overPolicy(store, keys, status, policy, bounds, Math.min(REMOVED_PER_SCRIPT, bounds.limit - removed))
      if (over.length > 0) removed += await remove(store, keys, over, bounds.brokerHasAfterMs)
      if (isLast) break
      if (removed >= bounds.limit) {
        more = true
        break
      }
    }
  }
  await trim(store, keys, policy, bounds.nowMs)
  await forgetPruned(store, keys, bounds.brokerHasAfterMs)
  return { removed, more }
}

/** The oldest executions that exceed the policy, and whether these are all. */
async function overPolicy(
  store: RedisStore, keys: LedgerKeys, status: FinishedStatus, policy: RetentionPolicy, { nowMs, keepAfterMs }: PruneBounds,
  limit: number
): Promise<{ over: FinishedListItem[]; isLast: boolean }> {
  const { maxAgeMs, maxCount } = policy[status === 'failed' ? 'failed' : 'success']
  const lists = DURATION_CLASSES.map(each => keys.byStatus(status, each))
  const { rows, total } = await readPage(store, keys, { lists, order: 'oldest', limit: limit + 1, ranges: [{}] })
  const over = rows.map(row => row.item).filter(({ finishedAt }, i) =>
    finishedAt <= keepAfterMs && (finishedAt < nowMs - maxAgeMs || i < total - maxCount))
  return { over: over.slice(0, limit), isLast: over.length <= limit }
}

const writer = createPackWriter()

async function remove(
  store: RedisStore, keys: LedgerKeys, executions: readonly FinishedListItem[], brokerHasAfterMs: number
): Promise<number> {
  const listNames = createListNames(keys)
  const lists = new Map<string, number[]>()
  const schedules = new Map<string, [scheduleId: string, taskName: string]>()
  for (const [i, execution] of executions.entries()) {
    for (const name of listNames(execution)) lists.set(name, [...lists.get(name) ?? [], i + 1])
    if (execution.scheduleId !== null)
      schedules.set(JSON.stringify([execution.scheduleId, execution.taskName]), [execution.scheduleId, execution.taskName])
  }
  // All times or none: retention is almost always longer than the broker keeps anything.
  const isRemembered = executions.some(each => each.finishedAt > brokerHasAfterMs)
  writer.map({
    prefix: () => writer.text(keys.prefix),
    latest: () => writer.text(String(Math.max(...executions.map(each => each.finishedAt)))),
    ids() {
      writer.array(executions.length)
      for (const { executionId } of executions) writer.id(executionId)
    },
    lists: () => writer.lists(lists),
    schedules: () => writer.value(Array.from(schedules.values(), ([scheduleId, taskName]) => ({
      tasks: keys.scheduleTasks(scheduleId),
      taskName: toStorable(taskName),
      successes: keys.bySchedule('success', scheduleId, taskName),
      failures: keys.bySchedule('failed', scheduleId, taskName),
      cancelled: keys.bySchedule('cancelled', scheduleId, taskName)
    }))),
    finishes: () => writer.texts(isRemembered ? executions.map(each => each.finishedAt) : [])
  })
  return Number(await removeScript(
    store.client, [keys.executions, keys.payloads, keys.totals, keys.pruned, keys.absent], writer.toBuffer()
  ))
}

const removeScript = createScript(`
local ids, latest = given.ids, given.latest
local remembered = {}
for i, finishedAt in ipairs(given.finishes) do
  if redis.call('HEXISTS', KEYS[1], ids[i]) == 1 then remembered[#remembered + 1], remembered[#remembered + 2] = finishedAt, ids[i] end
end
if #remembered > 0 then redis.call('ZADD', KEYS[4], unpack(remembered)) end
local removed = redis.call('HDEL', KEYS[1], unpack(ids))
redis.call('HDEL', KEYS[2], unpack(ids))
for list, positions in pairs(given.lists) do
  local members = {}
  for at, position in ipairs(positions) do members[at] = ids[position] end
  redis.call('ZREM', list, unpack(members))
end
local attempts = {}
for i, id in ipairs(ids) do attempts[i] = given.prefix .. '${KEY_NAMES.attempts}' .. id end
redis.call('UNLINK', unpack(attempts))
for _, schedule in ipairs(given.schedules) do
  if redis.call('EXISTS', schedule.successes, schedule.failures, schedule.cancelled) == 0 then
    redis.call('SREM', schedule.tasks, schedule.taskName)
  end
end
local before = redis.call('HGET', KEYS[3], 'prunedBefore')
if removed > 0 and (not before or tonumber(before) < tonumber(latest)) then redis.call('HSET', KEYS[3], 'prunedBefore', latest) end
return removed
`)

/** Removes days of workers without records, once per day, and groups that were not seen for long. */
async function trim(store: RedisStore, keys: LedgerKeys, policy: RetentionPolicy, nowMs: number): Promise<void> {
  const { success, failed, oldestCancelled } = await readKeptLists(store, keys)
  const oldest = [success.oldestFinishedAt, failed.oldestFinishedAt, oldestCancelled]
  const oldestDay = Math.floor(Math.min(...oldest.map(time => time ?? nowMs)) / DAY_MS)
  for (let cursor = ''; cursor !== 'end';) {
    cursor = String(await trimScript(store.client, [keys.totals, keys.workers, keys.groups, keys.absent], {
      prefix: keys.prefix, oldestDay, groupsBefore: groupsKeptSince(policy, nowMs), cursor
    }))
  }
}

/** Forgets ids that the broker no longer has, in bounded steps. */
async function forgetPruned({ client }: RedisStore, keys: LedgerKeys, brokerHasAfterMs: number): Promise<void> {
  const upTo = Number.isFinite(brokerHasAfterMs) ? brokerHasAfterMs : brokerHasAfterMs > 0 ? '+inf' : '-inf'
  while (await forgetScript(client, [keys.pruned], { upTo }) === FORGOTTEN_PER_SCRIPT);
}

const FORGOTTEN_PER_SCRIPT = 1_000

const forgetScript = createScript(`
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', given.upTo, 'LIMIT', 0, ${FORGOTTEN_PER_SCRIPT})
if #ids > 0 then redis.call('ZREM', KEYS[1], unpack(ids)) end
return #ids
`)

const WORKERS_PER_SCRIPT = 200
const GROUPS_PER_SCRIPT = 200

const trimScript = createScript(`
local oldestDay = tonumber(given.oldestDay)
local groups = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', '(' .. given.groupsBefore, 'LIMIT', 0, ${GROUPS_PER_SCRIPT})
for _, group in ipairs(groups) do
  redis.call('ZREM', KEYS[3], group)
  redis.call('UNLINK', given.prefix .. '${KEY_NAMES.group}' .. group)
end
if oldestDay <= tonumber(redis.call('HGET', KEYS[1], 'trimmedTo') or -1e9) then return #groups == ${GROUPS_PER_SCRIPT} and '0' or 'end' end
local first = tonumber(given.cursor) or 0
local workers = redis.call('ZRANGE', KEYS[2], first, first + ${WORKERS_PER_SCRIPT - 1})
local gone = 0
for _, worker in ipairs(workers) do
  local key = given.prefix .. '${KEY_NAMES.worker}' .. worker
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if tonumber(string.match(field, '^-?%d+')) < oldestDay then redis.call('HDEL', key, field) end
  end
  if redis.call('EXISTS', key) == 0 then
    redis.call('ZREM', KEYS[2], worker)
    gone = gone + 1
  end
end
if #workers == ${WORKERS_PER_SCRIPT} then return string.format('%.0f', first + #workers - gone) end
redis.call('HSET', KEYS[1], 'trimmedTo', oldestDay)
return 'end'
`)

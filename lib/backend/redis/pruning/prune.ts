import type { RedisStore } from '../../../stores/store.ts'
import { groupsKeptSince } from '../../counting/failure-hours.ts'
import type { FinishedStatus } from '../../../execution.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import type { PruneBounds, PruneStep, RetentionPolicy } from '../../result-backend.ts'
import { DAY_MS } from '../../../time/units.ts'
import { DURATION_CLASSES } from '../duration-class.ts'
import { readKeptLists } from './kept.ts'
import { REMOVED_PER_SCRIPT, removeExecutions } from './remove-executions.ts'
import { readPage } from '../listing/read-page.ts'
import { KEY_NAMES, type LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

/**
 * Removes the oldest executions that exceed the policy, in batches. The choice made here stays valid, because an execution that exceeds the
 * policy never stops doing so. So two processes that do this at the same time remove the same executions, each once.
 */
export async function prune(store: RedisStore, keys: LedgerKeys, policy: RetentionPolicy, bounds: PruneBounds): Promise<PruneStep> {
  let removed = 0
  let more = false
  for (const status of ['success', 'failed', 'cancelled'] as const) {
    for (;;) {
      const { over, isLast } = await overPolicy(store, keys, status, policy, bounds, Math.min(REMOVED_PER_SCRIPT, bounds.limit - removed))
      if (over.length > 0) removed += await removePruned(store, keys, over, bounds.brokerHasAfterMs)
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

async function removePruned(
  store: RedisStore, keys: LedgerKeys, over: readonly FinishedListItem[], brokerHasAfterMs: number
): Promise<number> {
  // Remember all or none: retention is almost always longer than the broker keeps anything.
  const isRemembered = over.some(each => each.finishedAt > brokerHasAfterMs)
  const removed = await removeExecutions(store, keys, over, {
    rememberedAt: isRemembered ? over.map(each => each.finishedAt) : [], prunedBefore: Math.max(...over.map(each => each.finishedAt))
  })
  return removed.length
}

/** Removes days of workers without records, once per day, and groups that have not been seen for a long time. */
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

import type { RedisStore } from '../../../stores/store.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { createListNames } from '../listing/list-names.ts'
import { createPackWriter } from '../pack-writer.ts'
import { KEY_NAMES, type LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'

/** Redis is blocked while a script runs: removing this many takes about two milliseconds. */
export const REMOVED_PER_SCRIPT = 250

export interface Removal {
  /**
   * For each execution, the time that decides how long its id is remembered: as long as the broker may have executions that finished then.
   * Empty to remember none.
   */
  readonly rememberedAt: readonly number[]
  /** The latest finish time, if retention removed them. Default: a person removed them. */
  readonly prunedBefore?: number
}

const writer = createPackWriter()

/**
 * Removes executions from everything but counters, in one atomic step. At most `REMOVED_PER_SCRIPT`.
 * @returns those that were still there
 */
export async function removeExecutions(
  store: RedisStore, keys: LedgerKeys, executions: readonly FinishedListItem[], { rememberedAt, prunedBefore }: Removal
): Promise<FinishedListItem[]> {
  const listNames = createListNames(keys)
  const lists = new Map<string, number[]>()
  const schedules = new Map<string, [scheduleId: string, taskName: string]>()
  for (const [i, execution] of executions.entries()) {
    for (const name of listNames(execution)) lists.set(name, [...lists.get(name) ?? [], i + 1])
    if (execution.scheduleId !== null)
      schedules.set(JSON.stringify([execution.scheduleId, execution.taskName]), [execution.scheduleId, execution.taskName])
  }
  writer.map({
    prefix: () => writer.text(keys.prefix),
    latest: () => writer.text(prunedBefore === undefined ? '' : String(prunedBefore)),
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
    times: () => writer.texts(rememberedAt)
  })
  const removed = await removeScript(
    store.client, [keys.executions, keys.payloads, keys.totals, keys.pruned, keys.absent], writer.toBuffer()
  ) as number[]
  return removed.map(position => executions[position - 1]!)
}

const removeScript = createScript(`
local ids, latest = given.ids, given.latest
local removed, remembered = {}, {}
for i, id in ipairs(ids) do
  if redis.call('HDEL', KEYS[1], id) == 1 then
    removed[#removed + 1] = i
    if given.times[i] then remembered[#remembered + 1], remembered[#remembered + 2] = given.times[i], id end
  end
end
if #remembered > 0 then redis.call('ZADD', KEYS[4], unpack(remembered)) end
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
if latest ~= '' and #removed > 0 then
  local before = redis.call('HGET', KEYS[3], 'prunedBefore')
  if not before or tonumber(before) < tonumber(latest) then redis.call('HSET', KEYS[3], 'prunedBefore', latest) end
end
return removed
`)

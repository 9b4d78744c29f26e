import { unreadAfterChange } from '../../../stores/failures/unavailable.ts'
import type { RedisStore } from '../../../stores/store.ts'
import type { FailureGroup, NewFailureDecision } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'
import { readFailureGroups } from './failure-groups.ts'

export async function decideFailureGroup(
  store: RedisStore, keys: LedgerKeys, errorGroup: string, { isResolved, by, note, ifSeenBefore }: NewFailureDecision
): Promise<FailureGroup | null> {
  await decideScript(store.client, [keys.group(errorGroup)], {
    isResolved,
    now: await store.now(),
    by: by === null ? undefined : toStorable(by),
    note: note === null ? undefined : toStorable(note),
    before: ifSeenBefore
  })
  const { groups: [group] } = await readFailureGroups(store, keys, { errorGroup, limit: 1 }).catch(unreadAfterChange)
  return group ?? null
}

/**
 * Never creates a group. A failure of this very millisecond that is not recorded yet counts as later, because it must not be hidden. A
 * recorded one may have finished in the future, by the wrong clock of its worker.
 */
const decideScript = createScript(`
local count, lastSeenAt, through, note = unpack(redis.call('HMGET', KEYS[1], 'count', 'lastSeenAt', 'resolvedThrough', 'note'))
if not count or given.before and tonumber(lastSeenAt) >= tonumber(given.before) then return 0 end
local isResolved = through and tonumber(lastSeenAt) <= tonumber(through)
local isOther = given.note and given.note ~= note
if given.isResolved then
  if isResolved and not isOther then return 0 end
  if not isResolved then
    local latest = math.max(math.min(tonumber(given.now), tonumber(given.before or given.now)) - 1, tonumber(lastSeenAt))
    redis.call('HSET', KEYS[1], 'resolvedThrough', string.format('%.0f', latest))
  end
else
  if not through and not isOther then return 0 end
  redis.call('HDEL', KEYS[1], 'resolvedThrough')
end
redis.call('HDEL', KEYS[1], 'decidedBy', 'note')
redis.call('HSET', KEYS[1], 'decidedAt', given.now)
if given.by then redis.call('HSET', KEYS[1], 'decidedBy', given.by) end
if given.note then redis.call('HSET', KEYS[1], 'note', given.note) end
return 1
`)

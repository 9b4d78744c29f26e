import { unreadAfterChange } from '../../../stores/failures/unavailable.ts'
import type { RedisStore } from '../../../stores/store.ts'
import type { FailureGroup, NewFailureDecision } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'
import { readFailureGroups } from './failure-groups.ts'

export async function decideFailureGroup(
  store: RedisStore, keys: LedgerKeys, errorGroup: string, decision: NewFailureDecision
): Promise<FailureGroup | null> {
  const { isResolved, by, note, ifSeenBefore, ifDecidedAt, ifCount, isAutomatic = false, operationId } = decision
  await decideScript(store.client, [keys.group(errorGroup)], {
    isResolved,
    isAutomatic,
    now: await store.now(),
    by: by === null ? undefined : toStorable(by),
    note: note === null ? undefined : toStorable(note),
    before: ifSeenBefore,
    // 0 means that there was no decision.
    decidedAt: ifDecidedAt === undefined ? undefined : ifDecidedAt ?? 0,
    count: ifCount,
    operationId
  })
  const { groups: [group] } = await readFailureGroups(store, keys, { errorGroup, limit: 1 }).catch(unreadAfterChange)
  return group ?? null
}

/**
 * Never creates a group. A failure of the current millisecond that is not recorded yet must not be hidden, so it counts as later. A
 * recorded failure may have finished in the future if its worker's clock is wrong. A new note alone does not move the time, unless the
 * group was resolved automatically: the decision is then a person's.
 */
const decideScript = createScript(`
local count, lastSeenAt, through, covered, countedAt, decidedAt, note = unpack(redis.call('HMGET', KEYS[1], 'count', 'lastSeenAt',
  'resolvedThrough', 'resolvedCount', 'countedAt', 'decidedAt', 'note'))
-- As ownCountOf in failure-decision.ts.
if countedAt and countedAt ~= decidedAt then covered = false end
if not count or given.before and tonumber(lastSeenAt) >= tonumber(given.before) then return 0 end
if given.count and tonumber(count) ~= tonumber(given.count) then return 0 end
if given.decidedAt and tonumber(decidedAt or 0) ~= tonumber(given.decidedAt) then return 0 end
local isResolved = through and tonumber(lastSeenAt) <= tonumber(through) and tonumber(count) <= tonumber(covered or count)
local isOther = given.note and given.note ~= note
local function whole(number) return string.format('%.0f', number) end
local newDecidedAt = whole(math.max(tonumber(given.now), tonumber(decidedAt or 0) + 1))

if given.isAutomatic then
  if isResolved then return 0 end
  redis.call('HSET', KEYS[1], 'resolvedThrough', lastSeenAt, 'resolvedCount', count, 'countedAt', newDecidedAt)
elseif given.isResolved then
  if isResolved and not isOther then return 0 end
  if not isResolved or covered then
    local latest = math.max(math.min(tonumber(given.now), tonumber(given.before or given.now)) - 1, tonumber(lastSeenAt))
    redis.call('HSET', KEYS[1], 'resolvedThrough', whole(latest))
  end
  redis.call('HDEL', KEYS[1], 'resolvedCount', 'countedAt')
else
  if not through and not isOther then return 0 end
  redis.call('HDEL', KEYS[1], 'resolvedThrough', 'resolvedCount', 'countedAt')
end
redis.call('HDEL', KEYS[1], 'decidedBy', 'operationId')
if not given.isAutomatic then redis.call('HDEL', KEYS[1], 'note') end
redis.call('HSET', KEYS[1], 'decidedAt', newDecidedAt, 'operationAt', newDecidedAt)
if given.operationId then redis.call('HSET', KEYS[1], 'operationId', given.operationId) end
if given.by then redis.call('HSET', KEYS[1], 'decidedBy', given.by) end
if given.note then redis.call('HSET', KEYS[1], 'note', given.note) end
return 1
`)

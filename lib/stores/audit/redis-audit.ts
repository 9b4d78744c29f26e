import { LUA_GIVEN, toArguments } from '../redis/lua-given.ts'
import { LUA_NOW } from '../redis/lua-now.ts'
import type { RedisClient } from '../store.ts'
import { AUDIT_KINDS, PRUNED_PER_CALL, type AuditStore } from './audit.ts'

/** A sorted set by time for each kind, and two hashes with all entries and outcomes. */
export function createRedisAudit(client: () => RedisClient, keyPrefix: string): AuditStore {
  const times = (kind: string): string => `${keyPrefix}:~audit:${kind}`
  const entries = `${keyPrefix}:~audit:entries`
  const outcomes = `${keyPrefix}:~audit:outcomes`
  const all = [...AUDIT_KINDS.map(times), entries, outcomes]

  return {
    async append({ id, kind, entry, outcome }) {
      await client().eval(APPEND, 3, times(kind), entries, outcomes, id, entry, outcome ?? '')
    },
    async settle(id, outcome) {
      await client().eval(SETTLE, 2, entries, outcomes, id, outcome)
    },
    async list({ from, to, after, limit }) {
      const given = toArguments({
        from: from ?? '-inf', to: to === undefined ? '+inf' : `(${to}`, afterAt: after?.at, afterId: after?.id, limit
      })
      const rows = await client().eval(
        LIST, all.length, ...all, ...given
      ) as Array<[id: string, at: string, entry: string, outcome: string | null]>
      return rows.map(([id, at, entry, outcome]) => ({ id, at: Number(at), entry, outcome }))
    },
    async prune({ maxAgeMs, maxCount }) {
      const removed = await Promise.all(AUDIT_KINDS.map(kind =>
        client().eval(PRUNE, 3, times(kind), entries, outcomes, maxAgeMs, maxCount[kind]) as Promise<number>))
      return removed.reduce((sum, count) => sum + count, 0)
    }
  }
}

const APPEND = `${LUA_NOW}
local id, entry, outcome = unpack(ARGV)
if redis.call('HSETNX', KEYS[2], id, entry) == 0 then return 0 end
if outcome ~= '' then redis.call('HSET', KEYS[3], id, outcome) end
return redis.call('ZADD', KEYS[1], string.format('%.0f', now), id)`

const SETTLE = `
local id, outcome = unpack(ARGV)
if redis.call('HEXISTS', KEYS[1], id) == 0 then return 0 end
return redis.call('HSETNX', KEYS[2], id, outcome)`

// Entries of one millisecond are ordered by id, as in a sorted set.
const LIST = `${LUA_GIVEN}
local at, limit = given.afterAt, tonumber(given.limit)
local found = {}
local function take(kind, highest)
  local members = redis.call('ZREVRANGEBYSCORE', kind, highest, given.from, 'WITHSCORES', 'LIMIT', 0, limit)
  for i = 1, #members, 2 do found[#found + 1] = {members[i], members[i + 1]} end
end
for kind = 1, #KEYS - 2 do
  if not at then
    take(KEYS[kind], given.to)
  else
    for _, member in ipairs(redis.call('ZREVRANGEBYSCORE', KEYS[kind], at, at)) do
      if member < given.afterId then found[#found + 1] = {member, at} end
    end
    take(KEYS[kind], '(' .. at)
  end
end
table.sort(found, function (one, other)
  if one[2] == other[2] then return one[1] > other[1] end
  return tonumber(one[2]) > tonumber(other[2])
end)
local rows = {}
for i = 1, math.min(limit, #found) do
  local entry = redis.call('HGET', KEYS[#KEYS - 1], found[i][1])
  rows[#rows + 1] = {found[i][1], found[i][2], entry, redis.call('HGET', KEYS[#KEYS], found[i][1])}
end
return rows`

const PRUNE = `${LUA_NOW}
local maxAgeMs, maxCount = unpack(ARGV)
local excess = math.min(${PRUNED_PER_CALL}, redis.call('ZCARD', KEYS[1]) - tonumber(maxCount))
local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - maxAgeMs), 'LIMIT', 0, ${PRUNED_PER_CALL})
if excess > #gone then gone = redis.call('ZRANGE', KEYS[1], 0, excess - 1) end
for _, id in ipairs(gone) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
  redis.call('HDEL', KEYS[3], id)
end
return #gone`

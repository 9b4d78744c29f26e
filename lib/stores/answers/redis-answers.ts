import type { AnswerStore, ClaimOutcome } from './answers.ts'
import { LUA_GIVEN, toArguments } from '../redis/lua-given.ts'
import { LUA_NOW } from '../redis/lua-now.ts'
import type { RedisClient } from '../store.ts'

/**
 * One expiring hash per key. In addition, a sorted set by expiry, whose members contain the size of each response, and the sum of these
 * sizes. Both expire with the last key.
 */
export function createRedisAnswers(client: () => RedisClient, keyPrefix: string): AnswerStore {
  const index = `${keyPrefix}:~answers`
  const bytes = `${keyPrefix}:~answers:bytes`
  const keysOf = (id: string): [string, string, string] => [index, bytes, `${keyPrefix}:~answer:${id}`]

  return {
    async claim(id, { fingerprint, holder, operationId }, { leaseMs, ttlMs, maxKeys, maxBytes }) {
      const given = toArguments({ id, fingerprint, holder, operationId, leaseMs, ttlMs, maxKeys, maxBytes })
      const [state, value] = await client().eval(CLAIM, 3, ...keysOf(id), ...given) as [ClaimOutcome['state'], string?]
      if (state === 'claimed') return { state, operationId: value! }
      return state === 'answered' ? { state, answer: value! } : { state }
    },
    async save(id, holder, answer) {
      await client().eval(SAVE, 3, ...keysOf(id), id, holder, answer)
    },
    async abandon(id, holder) {
      await client().eval(ABANDON, 3, ...keysOf(id), holder)
    },
    async sweep() {
      return await client().eval(`${SWEEP} return sweep()`, 2, index, bytes) as number
    }
  }
}

/** The most expired responses that one call removes. */
const SWEPT_PER_CALL = 100

// Members of the index have the form `<bytes> <id>`.
const SWEEP = `${LUA_NOW}
local function sweep()
  local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ${SWEPT_PER_CALL})
  for _, member in ipairs(gone) do
    redis.call('ZREM', KEYS[1], member)
    redis.call('DECRBY', KEYS[2], string.match(member, '^%d+'))
  end
  return #gone
end`

const CLAIM = `${SWEEP}${LUA_GIVEN}
sweep()
local function take(operation)
  redis.call('HSET', KEYS[3], 'fingerprint', given.fingerprint, 'holder', given.holder, 'operation', operation, 'until',
    string.format('%.0f', now + given.leaseMs))
  return {'claimed', operation}
end
local known = redis.call('HMGET', KEYS[3], 'fingerprint', 'holder', 'operation', 'until', 'answer')
if known[1] then
  if known[1] ~= given.fingerprint then return {'other'} end
  if known[5] then return {'answered', known[5]} end
  if known[2] ~= given.holder and tonumber(known[4]) > now then return {'busy'} end
  return take(known[3])
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(given.maxKeys) then return {'full'} end
if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(given.maxBytes) then return {'full'} end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + given.ttlMs), '0 ' .. given.id)
redis.call('INCRBY', KEYS[2], 0)
local taken = take(given.operationId)
for i = 1, 3 do
  if redis.call('PTTL', KEYS[i]) < tonumber(given.ttlMs) then redis.call('PEXPIRE', KEYS[i], given.ttlMs) end
end
return taken`

const SAVE = `
local id, holder, answer = unpack(ARGV)
if redis.call('HGET', KEYS[3], 'holder') ~= holder or redis.call('HEXISTS', KEYS[3], 'answer') == 1 then return 0 end
local expires = redis.call('ZSCORE', KEYS[1], '0 ' .. id)
if not expires then return 0 end
redis.call('HSET', KEYS[3], 'answer', answer)
redis.call('ZREM', KEYS[1], '0 ' .. id)
redis.call('ZADD', KEYS[1], expires, #answer .. ' ' .. id)
redis.call('INCRBY', KEYS[2], #answer)
return 1`

const ABANDON = `
if redis.call('HGET', KEYS[3], 'holder') == ARGV[1] then redis.call('HSET', KEYS[3], 'until', '0') end
return 0`

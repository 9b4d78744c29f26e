import type { DocumentStore, Increment, StoredDocument } from './documents.ts'
import { LUA_GIVEN, toArguments, type Given } from '../redis/lua-given.ts'
import { LUA_NOW } from '../redis/lua-now.ts'
import type { RedisClient } from '../store.ts'
import { SupersededError, type Fence } from './fence.ts'
import { askInChunks, inChunksAtOnce } from './ask-in-chunks.ts'
import { idFromStored, toStoredId } from './stored-id.ts'

/**
 * One hash of documents per collection. Each field is `version expires json`, where `expires` is in milliseconds by the server's clock, or
 * 0. Counters are in a hash beside it. A lease is an expiring key.
 */
export function createRedisDocuments(client: () => RedisClient, keyPrefix: string): DocumentStore {
  const documentsKey = (collection: string): string => documentsKeyOf(keyPrefix, collection)
  const countersKey = (collection: string): string => `${keyPrefix}:~counters:${toStoredId(collection)}`
  const leaseKey = (name: string): string => `${keyPrefix}:~lease:${toStoredId(name)}`

  function getMany<T>(collection: string, ids: readonly string[]): Promise<Array<StoredDocument<T> | null>> {
    return askInChunks(ids, async chunk => {
      const fields = await client().eval(GET, 1, documentsKey(collection), ...chunk.map(toStoredId)) as Array<string | null>
      return fields.map((field, index) => field === null ? null : documentFromField<T>(chunk[index]!, field))
    })
  }

  return {
    getMany,
    async get<T>(collection: string, id: string) {
      const [document] = await getMany<T>(collection, [id])
      return document ?? null
    },
    async list<T>(collection: string) {
      // A scan may return a document twice.
      const documents = new Map<string, StoredDocument<T>>()
      let cursor = '0'
      do {
        const [next, pairs] = await client().eval(LIST, 1, documentsKey(collection), cursor, LIST_BATCH) as [string, string[]]
        for (let i = 0; i < pairs.length; i += 2) documents.set(pairs[i]!, documentFromField<T>(idFromStored(pairs[i]!), pairs[i + 1]!))
        cursor = next
      } while (cursor !== '0')
      return [...documents.values()].sort(byId)
    },
    async put(collection, id, value, { ifVersion, ttlMs, ifFewerThan, increments = [] } = {}) {
      const keys = [documentsKey(collection), ...increments.map(each => countersKey(each.collection))]
      const given = toArguments({ id: toStoredId(id), value: JSON.stringify(value), ifVersion, ttlMs, ifFewerThan, ...toGiven(increments) })
      const version = await client().eval(PUT, keys.length, ...keys, ...given) as number
      return version === 0 ? null : version
    },
    async putMany(collection, documents, { ttlMs, onlyWhile } = {}) {
      const keys = [documentsKey(collection), ...onlyWhile ? [documentsKey(onlyWhile.collection)] : []]
      await inChunksAtOnce(documents, async chunk => {
        const isSuperseded = await client().eval(
          PUT_MANY, keys.length, ...keys, ttlMs ?? 0, ...onlyWhile ? toFenceArguments(onlyWhile) : [],
          ...chunk.flatMap(({ id, value }) => [toStoredId(id), JSON.stringify(value)])
        ) === 1
        if (isSuperseded) throw new SupersededError()
      })
    },
    async replaceMany(collection, documents, { counters }) {
      const written = await inChunksAtOnce(documents, async chunk => {
        const fields = chunk.flatMap(({ id, value, ifVersion, adds }) => [toStoredId(id), JSON.stringify(value), ifVersion, adds])
        return await client().eval(REPLACE_MANY, 2, documentsKey(collection), countersKey(counters), ...fields) as number[]
      })
      return written.flat().map(each => each === 1)
    },
    async delete(collection, id, { increments = [] } = {}) {
      const keys = [documentsKey(collection), ...increments.map(each => countersKey(each.collection))]
      return await client().eval(DELETE, keys.length, ...keys, ...toArguments({ id: toStoredId(id), ...toGiven(increments) })) === 1
    },
    async increment(collection, id, by) {
      return Number(await client().hincrbyfloat(countersKey(collection), toStoredId(id), by))
    },
    counters: (collection, ids) => askInChunks(ids, async chunk => {
      const values = await client().hmget(countersKey(collection), ...chunk.map(toStoredId))
      return values.map(value => Number(value ?? 0))
    }),
    async deleteCounter(collection, id) {
      await client().hdel(countersKey(collection), toStoredId(id))
    },
    async acquireLease(name, holder, ttlMs) {
      return await client().eval(ACQUIRE, 1, leaseKey(name), holder, ttlMs) === 1
    },
    async releaseLease(name, holder) {
      await client().eval(RELEASE, 1, leaseKey(name), holder)
    }
  }
}

/** Approximate number of documents read per call, so that no list blocks the server for long. */
const LIST_BATCH = 500

/** `counter2` and `by2` are the field and increment of the counters in KEYS[2], and so on. */
function toGiven(increments: readonly Increment[]): Given {
  const given: Record<string, string | number> = {}
  for (const [index, { id, by }] of increments.entries()) {
    given[`counter${index + 2}`] = toStoredId(id)
    given[`by${index + 2}`] = by
  }
  return given
}

export function documentsKeyOf(keyPrefix: string, collection: string): string {
  return `${keyPrefix}:~documents:${toStoredId(collection)}`
}

/** The id of the fence's document, and the field that the collection's hash contains while the fence holds. */
export function toFenceArguments({ id, version, value }: Fence): [id: string, field: string] {
  return [toStoredId(id), `${version} 0 ${JSON.stringify(value)}`]
}

function documentFromField<T>(id: string, field: string): StoredDocument<T> {
  const [, version, json] = /^(\d+) \d+ (.*)$/s.exec(field)!
  return { id, version: Number(version), value: JSON.parse(json!) as T }
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1
}

const NOW = `${LUA_NOW}
local function live(field)
  if not field then return false end
  local expires = tonumber(string.match(field, '^%d+ (%d+) '))
  return expires == 0 or expires > now
end`

const GET = `${NOW}
local fields = redis.call('HMGET', KEYS[1], unpack(ARGV))
for i = 1, #fields do if not live(fields[i]) then fields[i] = false end end
return fields`

// Also removes expired documents; nothing else does.
const LIST = `${NOW}
local scanned = redis.call('HSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local all = scanned[2]
local result = {}
for i = 1, #all, 2 do
  if live(all[i + 1]) then
    result[#result + 1] = all[i]
    result[#result + 1] = all[i + 1]
  else
    redis.call('HDEL', KEYS[1], all[i])
  end
end
return {scanned[1], result}`

const PUT = `${NOW}${LUA_GIVEN}
local wanted, most = tonumber(given.ifVersion), tonumber(given.ifFewerThan)
local field = redis.call('HGET', KEYS[1], given.id)
local version = live(field) and tonumber(string.match(field, '^%d+')) or 0
if wanted and wanted ~= version then return 0 end
if most and version == 0 and redis.call('HLEN', KEYS[1]) >= most then return 0 end
local ttl = tonumber(given.ttlMs or 0)
local expires = ttl > 0 and string.format('%.0f', now + ttl) or '0'
redis.call('HSET', KEYS[1], given.id, string.format('%.0f %s ', version + 1, expires) .. given.value)
for i = 2, #KEYS do redis.call('HINCRBYFLOAT', KEYS[i], given['counter' .. i], given['by' .. i]) end
return version + 1`

const PUT_MANY = `${NOW}
local first = 2
if KEYS[2] then
  if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then return 1 end
  first = 4
end
local ttl = tonumber(ARGV[1])
local expires = ttl > 0 and string.format('%.0f', now + ttl) or '0'
for i = first, #ARGV, 2 do
  local field = redis.call('HGET', KEYS[1], ARGV[i])
  local version = live(field) and tonumber(string.match(field, '^%d+')) or 0
  redis.call('HSET', KEYS[1], ARGV[i], string.format('%.0f %s ', version + 1, expires) .. ARGV[i + 1])
end
return 0`

const REPLACE_MANY = `${NOW}
local written = {}
for i = 1, #ARGV, 4 do
  local field = redis.call('HGET', KEYS[1], ARGV[i])
  local version = live(field) and tonumber(string.match(field, '^%d+')) or 0
  if version == tonumber(ARGV[i + 2]) then
    redis.call('HSET', KEYS[1], ARGV[i], string.format('%.0f 0 ', version + 1) .. ARGV[i + 1])
    if ARGV[i + 3] ~= '0' then redis.call('HINCRBYFLOAT', KEYS[2], ARGV[i], ARGV[i + 3]) end
    written[#written + 1] = 1
  else
    written[#written + 1] = 0
  end
end
return written`

const DELETE = `${NOW}${LUA_GIVEN}
local was = live(redis.call('HGET', KEYS[1], given.id))
redis.call('HDEL', KEYS[1], given.id)
if not was then return 0 end
for i = 2, #KEYS do redis.call('HINCRBYFLOAT', KEYS[i], given['counter' .. i], given['by' .. i]) end
return 1`

const ACQUIRE = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`

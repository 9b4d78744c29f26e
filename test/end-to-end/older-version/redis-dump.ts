import { Redis } from 'ioredis'

/** A key with its content, binary as base64. Unlike Redis's own DUMP, every server version can read it. */
type KeptKey =
  | Kept<'string', string>
  | Kept<'list' | 'set', readonly string[]>
  /** Field and value, or member and score, alternating. */
  | Kept<'hash' | 'zset', readonly string[]>
  | Kept<'stream', ReadonlyArray<readonly [id: string, fields: readonly string[]]>>

interface Kept<Type, Value> { readonly key: string; readonly expiresInMs: number; readonly type: Type; readonly value: Value }

export async function dumpRedis(url: string): Promise<KeptKey[]> {
  const redis = new Redis(url)
  try {
    const kept: KeptKey[] = []
    for (const key of (await redis.keysBuffer('*')).sort(Buffer.compare))
      kept.push({ key: toText(key), expiresInMs: await redis.pttl(key), ...await read(redis, key) } as KeptKey)
    return kept
  } finally {
    redis.disconnect()
  }
}

export async function restoreRedis(url: string, dump: readonly KeptKey[]): Promise<void> {
  const redis = new Redis(url)
  try {
    for (const kept of dump) {
      const { key, expiresInMs } = kept
      const name = toBytes(key)
      if (kept.type === 'string') await redis.set(name, toBytes(kept.value))
      else if (kept.type === 'list') await redis.rpush(name, ...kept.value.map(toBytes))
      else if (kept.type === 'set') await redis.sadd(name, ...kept.value.map(toBytes))
      else if (kept.type === 'hash') await redis.hset(name, ...kept.value.map(toBytes))
      else if (kept.type === 'zset')
        await redis.call('ZADD', name, ...inPairs(kept.value).flatMap(([member, score]) => [toBytes(score), toBytes(member)]))
      else if (kept.type === 'stream') for (const [id, fields] of kept.value) await redis.call('XADD', name, id, ...fields.map(toBytes))
      if (expiresInMs >= 0) await redis.pexpire(name, expiresInMs)
    }
  } finally {
    redis.disconnect()
  }
}

async function read(redis: Redis, key: Buffer): Promise<object> {
  const type = await redis.type(key)
  if (type === 'string') return { type, value: toText((await redis.getBuffer(key))!) }
  if (type === 'list') return { type, value: (await redis.lrangeBuffer(key, 0, -1)).map(toText) }
  if (type === 'set') return { type, value: (await redis.smembersBuffer(key)).map(toText) }
  if (type === 'hash') return { type, value: (await redis.callBuffer('HGETALL', key) as Buffer[]).map(toText) }
  if (type === 'zset') return { type, value: (await redis.zrangeBuffer(key, '0', '-1', 'WITHSCORES')).map(toText) }
  if (type === 'stream')
    return { type, value: (await redis.xrangeBuffer(key, '-', '+')).map(([id, fields]) => [id.toString(), fields.map(toText)]) }
  throw new Error(`There is a key of type ${type}, which is not kept yet`)
}

function inPairs(texts: readonly string[]): Array<[string, string]> {
  return Array.from({ length: texts.length / 2 }, (_, index) => [texts[2 * index]!, texts[2 * index + 1]!])
}

function toText(bytes: Buffer): string {
  return bytes.toString('base64')
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'base64')
}

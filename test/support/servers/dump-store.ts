import { Redis } from 'ioredis'
import pg from 'pg'

/** All keys and values of a database, as text. */
export async function dumpRedis(url: string): Promise<string> {
  const redis = new Redis(url)
  try {
    const found: string[] = []
    const read: Record<string, (key: string) => Promise<unknown>> = {
      string: key => redis.get(key),
      hash: key => redis.hgetall(key),
      list: key => redis.lrange(key, 0, -1),
      set: key => redis.smembers(key),
      zset: key => redis.zrange(key, '0', '-1'),
      stream: key => redis.xrange(key, '-', '+')
    }
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key)
      if (type !== 'none') found.push(key, toText(await read[type]!(key)))
    }
    return found.join('\n')
  } finally {
    redis.disconnect()
  }
}

/** All rows of a database, as text. */
export async function dumpPostgres(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    )
    const found: string[] = []
    for (const { name } of tables)
      found.push(...(await client.query<{ text: string }>(`SELECT row.*::text AS text FROM ${name} row`)).rows.map(row => row.text))
    return found.join('\n')
  } finally {
    await client.end()
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

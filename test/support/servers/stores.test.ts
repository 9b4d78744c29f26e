import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { newStore } from '../../contracts/store.ts'
import { embeddedUrl, newEmbeddedUrl, onEveryStore, postgresUrl, redisUrl, startPostgres, startRedis, testNamespace } from './stores.ts'

t.test('every Redis URL leads to a separate database', async t => {
  const [one, two] = [new Redis(await redisUrl(t)), new Redis(await redisUrl(t))]
  await one.set('key', '1')
  t.equal(await two.get('key'), null)
  t.equal(await one.get('key'), '1')
  one.disconnect()
  two.disconnect()
})

t.test('a new PostgreSQL URL leads to an empty database', async t => {
  const client = new pg.Client(await postgresUrl(t))
  await client.connect()
  const { rows } = await client.query('SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = \'public\'')
  t.same(rows, [{ tables: 0 }])
  await client.end()
})

t.test('every embedded URL leads to a separate, empty database', async t => {
  const stores = [await embeddedUrl(t), await embeddedUrl(t), await newEmbeddedUrl(t)].map(url => newStore(url) as SqlStore)
  for (const store of stores) {
    await store.start()
    t.teardown(() => store.stop())
    const { rows } = await store.query(
      "SELECT nspname AS name FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('information_schema', 'public')"
    )
    t.same(rows, [{ name: store.schema }])
  }
})

t.test('a separate Redis keeps its data across a crash and a freeze', async t => {
  const server = await startRedis(t)
  const redis = new Redis(server.url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  redis.on('error', () => {})
  await redis.set('key', 'kept')
  await server.kill()
  await server.start()
  t.equal(await redis.get('key'), 'kept')
  server.freeze()
  const answer = redis.get('key')
  t.equal(await Promise.race([answer, new Promise(resolve => setTimeout(resolve, 200, 'hangs'))]), 'hangs')
  server.thaw()
  t.equal(await answer, 'kept')
  redis.disconnect()
})

t.test('a separate PostgreSQL keeps its data across a stop and a crash', async t => {
  const server = await startPostgres(t)
  await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS value')
  await server.stop()
  await t.rejects(query(server.url, 'SELECT 1'))
  await server.start()
  await server.kill()
  await server.start()
  t.same(await query(server.url, 'SELECT value FROM kept'), [{ value: 1 }])
})

t.test('onEveryStore runs a test once on each store', async t => {
  const seen: string[] = []
  await onEveryStore(t, async (t, url, kind) => {
    seen.push(kind)
    t.match(url, new RegExp(`^${kind}:`))
  })
  t.same(seen, ['redis', 'postgres', 'embedded'])
  t.match(testNamespace(), /^[a-z0-9_]{1,40}$/)
})

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

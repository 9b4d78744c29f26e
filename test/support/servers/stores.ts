import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import tap, { type Test } from 'tap'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import type { Pack } from '../../../scripts/pack.ts'
import { oncePerRun } from '../once-per-run.ts'
import { isSoak } from '../soak.ts'
import type { TestServer } from './child-server.ts'
import { createPostgresServer, type PostgresServer, type PostgresServerOptions } from './postgres-server.ts'
import { createRedisServer, type RedisServer, type RedisServerOptions } from './redis-server.ts'

export type { TestServer } from './child-server.ts'

export type TestScope = Pick<Test, 'teardown' | 'test'>
type StoreKind = 'redis' | 'postgres' | 'embedded'

/** A random namespace: letters, digits and `_`. */
export function testNamespace(): string {
  return `t_${randomBytes(6).toString('hex')}`
}

/** A Redis database that no one else uses; flushed when the test ends. */
export async function redisUrl(t: TestScope): Promise<string> {
  const server = await sharedRedis()
  const database = await withRedis(server, redis => redis.incr('databases'))
  const url = `${server}/${database}`
  t.teardown(() => withRedis(url, redis => redis.flushdb()))
  return url
}

/** A new, empty PostgreSQL database; dropped when the test ends. */
export async function postgresUrl(t: TestScope): Promise<string> {
  const server = await sharedPostgres()
  const database = testNamespace()
  await runSql(server, `CREATE DATABASE ${database}`)
  t.teardown(() => runSql(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`))
  return withDatabase(server, database)
}

/** A new, empty embedded store in a folder of its own; removed when the test ends. */
export async function embeddedUrl(t: TestScope): Promise<string> {
  const url = await newEmbeddedUrl(t)
  copyFolder(await emptyStore(), url.slice('embedded:'.length))
  return url
}

/** Hundreds of small files: asynchronous calls take four times the processor time. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else copyFileSync(source, target)
  }
}

/** The same, but its folder does not exist yet: the first to open it creates the database, which takes a second of processor time. */
export async function newEmbeddedUrl(t: TestScope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-embedded-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return `embedded:${join(folder, 'store')}`
}

function emptyStore(): Promise<string> {
  return oncePerRun('embedded', async folder => {
    const store = createStore(`embedded:${folder}`, { namespace: 'empty', role: 'broker', onError() {} }) as SqlStore
    await store.start()
    await store.query('DROP SCHEMA empty CASCADE')
    await store.stop()
  })
}

const URLS = { redis: redisUrl, postgres: postgresUrl, embedded: embeddedUrl }
/** The files that ran a test on the embedded store; `npm test` runs several files in one process. */
const ranEmbedded = new WeakSet<object>()
const thisFile = (): object => (globalThis as { pack?: Pack }).pack?.t ?? tap

/**
 * Runs the same test on Redis, PostgreSQL and the embedded store, each fresh and empty. Opening an embedded store takes a second of CPU
 * time, and most of its code is shared with PostgreSQL, so by default only the first of these tests in each file runs on it. `npm run soak`
 * runs all of them.
 * @param onEmbedded false: a long test, which only the soak runs on the embedded store
 */
export async function onEveryStore(
  t: TestScope, test: (t: Test, url: string, kind: StoreKind) => Promise<void>, onEmbedded = !ranEmbedded.has(thisFile())
): Promise<void> {
  const kinds: readonly StoreKind[] = isSoak || onEmbedded ? ['redis', 'postgres', 'embedded'] : ['redis', 'postgres']
  if (onEmbedded) ranEmbedded.add(thisFile())
  for (const kind of kinds) await t.test(`on ${kind}`, async t => { await test(t, await URLS[kind](t), kind) })
}

/** Redis, or an embedded store in memory in the soak: for tests of behaviour that is the same on every store. */
export async function anyStoreUrl(t: TestScope): Promise<string> {
  return isSoak ? 'embedded:' : await redisUrl(t)
}

/** A separate Redis for a test that stops it; removed when the test ends. */
export async function startRedis(t: TestScope, options?: RedisServerOptions): Promise<RedisServer> {
  const server = await createRedisServer(options)
  t.teardown(server.remove)
  return server
}

/** A separate PostgreSQL for a test that stops it; removed when the test ends. */
export async function startPostgres(t: TestScope, options?: PostgresServerOptions): Promise<PostgresServer> {
  const server = await createPostgresServer(options)
  t.teardown(server.remove)
  return server
}

// `npm test` starts one of each for all files and passes their URLs; a file that runs alone starts its own, once.
const sharedRedis = once(async () => process.env.TASKS_TEST_REDIS_URL ?? untilExit(await createRedisServer({ persistent: false })))
const sharedPostgres = once(async () => process.env.TASKS_TEST_POSTGRES_URL ?? untilExit(await createPostgresServer()))

function untilExit(server: TestServer & { remove(): Promise<void> }): string {
  tap.teardown(server.remove)
  return server.url
}

function once<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => (created ??= create())
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { createStore } from '../../lib/stores/create-store.ts'
import { migrate } from '../../lib/stores/postgres/migrate.ts'
import type { SqlStore, Store } from '../../lib/stores/store.ts'
import { testNamespace } from '../support/servers/stores.ts'
import type { TestScope } from '../support/servers/stores.ts'
import { testAnswers } from './answers.ts'
import { testAudit } from './audit.ts'
import { testDocuments } from './documents.ts'
import type { TestServer } from '../support/servers/child-server.ts'
import { blockProcess } from '../support/block-process.ts'
import { inTime } from '../support/in-time.ts'
import { waitFor } from '../support/wait-for.ts'

/** The contract of every store. `openUrl` gives a fresh, empty one. */
export async function testStore(t: Test, openUrl: (t: TestScope) => Promise<string>): Promise<void> {
  const url = await openUrl(t)

  await t.test('start() and stop() may be called any number of times, and a started store answers a ping', async t => {
    const store = newStore(url)
    await Promise.all([store.start(), store.start()])
    t.ok(await store.ping() >= 0)
    await store.start()
    await Promise.all([store.stop(), store.stop()])
    await store.stop()
    await t.rejects(store.start(), { code: 'ALREADY_STOPPED' })
  })

  await t.test('stop() works on a store that was never started', async t => {
    await t.resolves(newStore(url).stop())
  })

  await t.test('calls before start() reject with NOT_STARTED', async t => {
    await t.rejects(async () => await newStore(url).ping(), { code: 'NOT_STARTED' })
    await t.rejects(async () => await newStore(url).now(), { code: 'NOT_STARTED' })
  })

  const store = newStore(url)
  await store.start()
  t.teardown(() => store.stop())
  await t.test("now() is the store's clock, in whole milliseconds", async t => {
    const before = Date.now()
    const first = await store.now()
    const second = await store.now()
    // Store and test share a machine. PostgreSQL and Redis truncate to milliseconds, as Date does.
    t.ok(Number.isInteger(first) && first >= before && second >= first && second <= Date.now(), `${before} ${first} ${second}`)
  })

  await t.test('stores documents', t => testDocuments(t, store.documents))
  await t.test('stores the audit log', t => testAudit(t, store.audit))
  await t.test('stores answers', t => testAnswers(t, store.answers))
  if (store.kind !== 'redis') await testSql(t, store)
}

export function newStore(url: string, namespace: string = testNamespace()): Store {
  return createStore(url, { namespace, role: 'broker', onError() {} })
}

async function testSql(t: Test, store: SqlStore): Promise<void> {
  await t.test('concurrent starts run each migration once', async t => {
    const steps = ['CREATE TABLE fruits (name text); INSERT INTO fruits VALUES (\'apple\')', 'INSERT INTO fruits VALUES (\'pear\')']
    await migrate(store, { name: 'fruits', steps: steps.slice(0, 1) })
    await Promise.all([
      migrate(store, { name: 'fruits', steps }), migrate(store, { name: 'fruits', steps }), migrate(store, { name: 'fruits', steps })
    ])
    const { rows } = await store.query(`SELECT name FROM ${store.schema}.fruits ORDER BY name`)
    t.same(rows, [{ name: 'apple' }, { name: 'pear' }])
  })

  await t.test('a failed migration leaves nothing behind', async t => {
    await t.rejects(migrate(store, { name: 'stones', steps: ['CREATE TABLE stones (name text); SELECT 1 / 0'] }))
    const { rows } = await store.query('SELECT to_regclass($1) AS stones', [`${store.schema}.stones`])
    t.same(rows, [{ stones: null }])
  })

  await t.test('values have the types that pg gives them', async t => {
    const { rows } = await store.query('SELECT $1::int8 AS big, $2::text[] AS list, $3::timestamptz AS at, $4::jsonb AS json, $5::bool ' +
      'AS yes, $6::float8 AS part, $7::bytea AS bytes, $8::text AS nothing, count(*) FROM generate_series(1, 3)',
    ['9007199254740993', ['a"b', 'c\\d', null, ''], new Date(0), { a: [1] }, true, 0.5, Buffer.from([0, 255]), null])
    t.same(
      rows,
      [
        {
          big: '9007199254740993', list: ['a"b', 'c\\d', null, ''], at: new Date(0), json: { a: [1] }, yes: true, part: 0.5,
          bytes: Buffer.from([0, 255]), nothing: null, count: '3'
        }
      ]
    )
  })

  await t.test('a transaction is rolled back when its work fails, and the next one succeeds', async t => {
    await store.query(`CREATE TABLE ${store.schema}.notes (text text)`)
    await t.rejects(store.transaction(async query => {
      await query(`INSERT INTO ${store.schema}.notes VALUES ('lost')`)
      throw new Error('no')
    }), { message: 'no' })
    await t.rejects(store.transaction(query => query('SELECT nonsense')))
    await store.transaction(query => query(`INSERT INTO ${store.schema}.notes VALUES ('kept')`))
    const { rows } = await store.query(`SELECT text FROM ${store.schema}.notes`)
    t.same(rows, [{ text: 'kept' }])
  })

  await t.test('an error of the database is short and has its code', async t => {
    const error = await store.query('SELECT * FROM nowhere').then(() => null, (error: Error & { code?: string }) => error)
    t.equal(error?.code, '42P01')
    t.ok(`${error?.stack}`.length < 5_000)
  })

  await t.test('every listening client receives a notification', async t => {
    const [one, other] = await Promise.all([store.pool.connect(), store.pool.connect()])
    const heard = Promise.all([one, other].map(client =>
      new Promise(resolve => client.on('notification', ({ payload }) => resolve(payload)))))
    await one.query('LISTEN bell')
    await other.query('LISTEN bell')
    await store.query('SELECT pg_notify($1, $2)', ['bell', 'ding'])
    t.same(await heard, ['ding', 'ding'])
    one.release(true)
    other.release(true)
  })
}

/**
 * Calls fail fast when the server is down or hangs.
 * @param goneWithinMs for a ping and a read, one after the other
 */
export async function testLostServer(t: Test, startServer: (t: Test) => Promise<TestServer>, goneWithinMs: number): Promise<void> {
  await t.test('calls fail fast while the server is down, and succeed again once it is back', async t => {
    const server = await startServer(t)
    const store = newStore(server.url)
    await store.start()
    t.teardown(() => store.stop())
    await server.kill()
    await inTime(t, 'a ping and a read fail', goneWithinMs, async () => {
      await t.rejects(store.ping())
      await t.rejects(store.documents.get('c', 'a'))
    })
    await server.start()
    t.ok(await waitFor('a ping', () => store.ping().catch(() => null)))
  })

  await t.test('calls fail within 1.5 s while the server hangs', async t => {
    const server = await startServer(t)
    const store = newStore(server.url)
    await store.start()
    t.teardown(() => store.stop())
    server.freeze()
    t.teardown(server.thaw)
    await inTime(t, 'both fail', 1_900, () => Promise.all([t.rejects(store.ping()), t.rejects(store.documents.get('c', 'a'))]))
  })
}

/** Calls on a store succeed although its process was blocked, at several moments, while the store was opened. */
export async function testBlockedStart(t: Test, openUrl: (t: TestScope) => Promise<string>): Promise<void> {
  for (const afterMs of [0, 3, 10]) {
    const store = newStore(await openUrl(t))
    t.teardown(() => store.stop())
    const starting = store.start()
    starting.catch(() => {})
    await sleep(afterMs)
    blockProcess(5_500)
    await t.resolves(starting, `blocked after ${afterMs} ms`)
    t.type(await store.ping(), 'number')
  }
}

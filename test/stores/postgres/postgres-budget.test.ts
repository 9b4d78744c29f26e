import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { asRead } from '../../../lib/stores/read-lane.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { startPostgres, testNamespace } from '../../support/servers/stores.ts'
import { resultOf } from '../../support/result-of.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Idle connections are found by the share of time they work, which is larger on a busy machine. */
const CLOSED_WITHIN_MS = 180_000
/** The connections of 20 that ordinary users get: three are reserved for administrators, and the test uses one. */
const FOR_ALL = 16

async function startSmallServer(t: Test) {
  const server = await startPostgres(t, { settings: { max_connections: '20' } })
  const admin = new pg.Client(server.url)
  await admin.connect()
  t.teardown(() => admin.end())
  await admin.query('CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app')
  const url = server.url.replace('tasks@', 'app@')
  const connections = async (): Promise<number> => {
    const { rows } = await admin.query<{ count: number }>(`SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = 'app'`)
    return rows[0]!.count
  }
  /** Takes all remaining connections except `butFor`. */
  const fill = async (butFor: number): Promise<pg.Client[]> => {
    const clients: pg.Client[] = []
    for (let left = FOR_ALL - await connections() - butFor; left > 0; left--) {
      const client = new pg.Client(url)
      client.on('error', () => {})
      t.teardown(() => client.end())
      await client.connect()
      clients.push(client)
    }
    return clients
  }
  return { url, connections, fill }
}

function createSqlStore(t: Test, url: string): SqlStore {
  const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} }) as SqlStore
  t.teardown(() => store.stop())
  return store
}

t.test('a PostgreSQL server with 20 connections', { timeout: 280_000 }, async t => {
  const { url, connections, fill } = await startSmallServer(t)

  await t.test('serves four workers of two tasks and a dashboard, each holding two connections when idle', async t => {
    const apps = Array.from({ length: 5 }, () =>
      QueueApp.fromUrls({ broker: url, tasks: { one: {}, two: {} }, stopGraceMs: 1_000, onError() {} }))
    for (const app of apps) t.teardown(() => app.stop())
    const [dashboard, ...workers] = apps
    for (const worker of workers) for (const name of ['one', 'two'] as const) worker.task(name, async (index: number) => index)
    await Promise.all(apps.map(app => app.start()))

    const ids = (await Promise.all((['one', 'two'] as const).map(name =>
      dashboard!.enqueueMany(name, Array.from({ length: 100 }, (_, index) => [index]))))).flat()
    for (const id of ids) t.match(await resultOf(dashboard!, id), { status: 'success' })
    await Promise.all(Array.from({ length: 10 }, () => dashboard!.monitoring.health()))
    let held = 0
    await waitFor(() => `connections to be closed: ${held}`, async () => (held = await connections()) <= 2 * apps.length, CLOSED_WITHIN_MS)
    await Promise.all(apps.map(app => app.stop()))
    await waitFor('all to be closed', async () => await connections() === 0)
  })

  await t.test('starts 20 apps at once, of which some wait for a free connection', async t => {
    const namespace = testNamespace()
    const stores = Array.from({ length: 20 }, () => createStore(url, { namespace, role: 'broker', onError() {} }))
    const started = await Promise.all(stores.map(async store => {
      await store.start()
      await store.stop()
    }))
    t.equal(started.length, 20)
    await waitFor('all to be closed', async () => await connections() === 0)
  })

  await t.test('refuses a start with advice when it is full, and admits one that waits', async t => {
    const others = await fill(0)
    const begun = performance.now()
    await t.rejects(createSqlStore(t, url).start(), {
      code: 'STORE_UNREACHABLE', message: /the server is full: .* Raise its max_connections/
    })
    const tookMs = performance.now() - begun
    // Within five seconds, if the machine is not too busy.
    t.ok(tookMs > 2_000 && tookMs < 8_000, `${tookMs} ms`)

    const store = createSqlStore(t, url)
    const starting = store.start()
    await others.pop()!.end()
    await starting
    t.equal(await connections(), FOR_ALL)

    // All of this shares the only connection.
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => [
      store.query<{ index: number }>('SELECT $1::int AS index', [index]),
      asRead(() => store.query<{ index: number }>('SELECT $1::int AS index', [index])),
      store.pool.query<{ index: number }>('SELECT $1::int AS index', [index])
    ]).flat())
    t.equal(answers.length, 60)
    t.equal(await connections(), FOR_ALL)
    await Promise.all(others.map(other => other.end()))
  })
})

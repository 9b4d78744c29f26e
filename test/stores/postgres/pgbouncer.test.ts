import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp, type QueueAppOptions } from '../../../lib/index.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import type { StoreSource } from '../../../lib/stores/source/parse-store-source.ts'
import { startPgbouncer } from '../../support/servers/pgbouncer.ts'
import { postgresUrl, testNamespace } from '../../support/servers/stores.ts'
import { resultOf } from '../../support/result-of.ts'
import { waitFor } from '../../support/wait-for.ts'

type Options = Partial<QueueAppOptions> & { errors?: Error[] }

/** A queue app of one process, which runs its tasks. */
function createApp(t: Test, broker: StoreSource, { errors = [], ...options }: Options = {}): QueueApp {
  const app = QueueApp.fromUrls({ broker, stopGraceMs: 1_000, onError(error) { errors.push(error) }, ...options })
  t.teardown(() => app.stop())
  return app
}

function createSqlStore(t: Test, where: StoreSource): SqlStore {
  const store = createStore(where, { namespace: testNamespace(), role: 'broker', onError() {} }) as SqlStore
  t.teardown(() => store.stop())
  return store
}

/** Connects to the server directly. */
async function connect(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

for (const poolMode of ['transaction', 'session'] as const)
  t.test(`behind PgBouncer in ${poolMode} mode one process runs what another enqueues and schedules`, async t => {
    const direct = await postgresUrl(t)
    // In session mode, each client connection occupies a server session while it is open.
    const { url } = await startPgbouncer(t, direct, { poolMode, settings: { default_pool_size: poolMode === 'session' ? '12' : '2' } })
    const attempts: number[] = []
    const ran: unknown[] = []
    const worker = createApp(t, url)
    worker.task('greet', async (name: string) => { ran.push(name); return `hello ${name}` })
    worker.task('flaky', async () => {
      attempts.push(Date.now())
      if (attempts.length === 1) throw new Error('not yet')
      return 'well'
    }, { retries: 1, retryDelay: 0.2 })
    let ticks = 0
    worker.task('tick', async () => { ticks++ })
    await worker.start()

    const web = createApp(t, url, { tasks: { greet: {}, flaky: {}, tick: {} } })
    await web.start()
    const scheduler = web.createScheduler()
    await scheduler.scheduleInterval('tick', 1_000, 'Every second')

    // The worker is idle and gets no notification, so it has to poll.
    const sentAt = Date.now()
    const greeted = await web.enqueue('greet', ['Ann'])
    await waitFor('the execution to be picked up', async () => ran.length === 1)
    t.comment(`picked up after ${Date.now() - sentAt} ms`)
    const flaky = await web.enqueue('flaky')
    const delayed = await web.enqueue('greet', ['Bob'])
    t.match(await resultOf(web, greeted), { result: 'hello Ann' })
    t.match(await resultOf(web, flaky), { result: 'well' })
    t.match(await resultOf(web, delayed), { result: 'hello Bob' })
    t.equal(attempts.length, 2)
    await waitFor('the schedule to run twice', async () => ticks >= 2)
    const many = await web.enqueueMany('greet', Array.from({ length: 100 }, (_, index) => [`user ${index}`]))
    await Promise.all(many.map(id => resultOf(web, id)))

    const server = await connect(t, direct)
    const { rows: listening } = await server.query(
    `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
    )
    t.same(listening, [], 'no one listens in a shared session')
    t.match((await web.monitoring.health()).components.broker, { healthy: true })
  })

for (const poolMode of ['transaction', 'session'] as const)
  t.test(`in ${poolMode} mode only an abandoned statement ends on the server`, async t => {
    const direct = await postgresUrl(t)
    const { url } = await startPgbouncer(t, direct, { poolMode })
    const [store, other] = [createSqlStore(t, url), createSqlStore(t, url)]
    await Promise.all([store.start(), other.start()])
    const server = await connect(t, direct)
    const running = async (seconds: number): Promise<number> => (await server.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query = ` +
      `'SELECT pg_sleep(${seconds})'`)).rows.length

    const untouched = Promise.all([3.5, 3.6].map(seconds => other.query(`SELECT pg_sleep(${seconds})`, [], { timeoutMs: 30_000 })))
    await waitFor('the others to run', async () => await running(3.5) + await running(3.6) === 2)
    const given = Array.from({ length: 3 }, () => t.rejects(store.query('SELECT pg_sleep(60)', [], { timeoutMs: 1_000 })))
    await waitFor('them to run', async () => await running(60) === 3)
    await Promise.all(given)
    await waitFor('them to end', async () => await running(60) === 0)
    await untouched

    await t.rejects(store.transaction(async query => {
      await query('SELECT pg_advisory_xact_lock(42)')
      await query('SELECT pg_sleep(60)')
    }, { timeoutMs: 500 }))
    t.same((await server.query('SELECT pg_try_advisory_lock(42) AS is_free')).rows, [{ is_free: true }], 'its locks are released')
  })

t.test('with directUrl workers are notified at once, and start() refuses a wrong directUrl', async t => {
  const [direct, another] = [await postgresUrl(t), await postgresUrl(t)]
  const { url } = await startPgbouncer(t, direct)
  await t.rejects(createSqlStore(t, { url, directUrl: another }).start(), {
    code: 'STORE_UNSUITABLE', message: /directUrl is another database/
  })
  await t.rejects(createSqlStore(t, { url, directUrl: url }).start(), {
    code: 'STORE_UNSUITABLE', message: /directUrl is a pooler too/
  })
  await t.rejects(createSqlStore(t, { url, directUrl: 'postgres://127.0.0.1:1/tasks' }).start(), {
    code: 'STORE_UNREACHABLE', message: /directUrl: connection refused/
  })

  const worker = createApp(t, { url, directUrl: direct })
  worker.task('greet', async (name: string) => `hello ${name}`)
  await worker.start()
  const server = await connect(t, direct)
  await waitFor('it to listen', async () => (await server.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query IN ('LISTEN bullmq_jobs', 'SELECT 1') AND client_port IS ` +
      'NOT NULL AND pid <> pg_backend_pid()')).rows.length > 0)
  t.match(await resultOf(worker, await worker.enqueue('greet', ['Ann'])), { result: 'hello Ann' })
})

t.test('statement mode, which has no transactions, is refused at start', async t => {
  const { url } = await startPgbouncer(t, await postgresUrl(t), { poolMode: 'statement' })
  await t.rejects(createSqlStore(t, url).start(), {
    code: 'STORE_UNSUITABLE', message: /statement mode.*set its pool_mode to transaction or session/
  })
})

t.test('a start is refused while PgBouncer accepts no more clients', async t => {
  const { url } = await startPgbouncer(t, await postgresUrl(t), { settings: { max_client_conn: '1' } })
  const first = createSqlStore(t, url)
  await first.start()
  await t.rejects(createSqlStore(t, url).start(), { code: 'STORE_UNREACHABLE', message: /the server is full/ })
  // The first app works with its single connection.
  await Promise.all(Array.from({ length: 20 }, () => first.query('SELECT 1')))
  const second = createSqlStore(t, url)
  const starting = second.start()
  await first.stop()
  await starting
})

t.test('executions survive a restart of PgBouncer, and its closing of idle connections', async t => {
  const pooler = await startPgbouncer(t, await postgresUrl(t), {
    settings: { default_pool_size: '1', client_idle_timeout: '2', server_lifetime: '1', server_idle_timeout: '1' }
  })
  const ran = new Set<number>()
  const errors: Error[] = []
  const worker = createApp(t, pooler.url, { errors })
  const count = worker.task('count', async (index: number) => { ran.add(index) }, { concurrency: 4 })
  await worker.start()
  let next = 0
  const send = async (): Promise<void> => {
    const index = next++
    await waitFor('it to be enqueued', async () =>
      worker.enqueue(count, [index], { deduplication: { key: String(index) } }).then(() => true, () => false))
  }
  for (let round = 0; round < 5; round++) {
    for (let each = 0; each < 10; each++) await send()
    // Gives PgBouncer time to close idle connections.
    await new Promise(resolve => { setTimeout(resolve, 1_000) })
  }
  await waitFor('all to run', async () => ran.size === next)
  t.same(errors.filter(error => /idle/.test(error.message)), [], 'closing idle connections is not an error')

  await pooler.kill()
  await pooler.start()
  for (let each = 0; each < 20; each++) await send()
  await waitFor('all to run', async () => ran.size === next)
})

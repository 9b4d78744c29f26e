import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp, type QueueAppOptions } from '../../lib/index.ts'
import type { StoreSource } from '../../lib/stores/store-source.ts'
import { startPgbouncer } from '../support/pgbouncer.ts'
import { postgresUrl } from '../support/stores.ts'
import { waitFor } from '../support/wait-for.ts'

type Options = Partial<QueueAppOptions> & { errors?: Error[] }

/** A process' worth of a queue app: its tasks run in it. */
function createApp(t: Test, broker: StoreSource, { errors = [], ...options }: Options = {}): QueueApp {
  const app = QueueApp.fromUrls({ broker, stopGraceMs: 1_000, onError(error) { errors.push(error) }, ...options })
  t.teardown(() => app.stop())
  return app
}

/** Asks the server itself. */
async function connect(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

for (const poolMode of ['transaction', 'session'] as const) t.test(`behind PgBouncer in ${poolMode} mode one process runs what another enqueues and schedules`, async t => {
  const direct = await postgresUrl(t)
  // In session mode each connection has a session to itself as long as it stands.
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

  // The worker is idle: nobody tells it, so that it has to look.
  const sentAt = Date.now()
  const greeted = await web.enqueue('greet', ['Ann'])
  await waitFor('the execution to be picked up', async () => ran.length === 1)
  t.comment(`picked up after ${Date.now() - sentAt} ms`)
  const flaky = await web.enqueue('flaky')
  const delayed = await web.enqueue('greet', ['Bob'])
  t.match(await web.result(greeted, { waitMs: 20_000 }), { result: 'hello Ann' })
  t.match(await web.result(flaky, { waitMs: 20_000 }), { result: 'well' })
  t.match(await web.result(delayed, { waitMs: 20_000 }), { result: 'hello Bob' })
  t.equal(attempts.length, 2)
  await waitFor('the schedule to run twice', async () => ticks >= 2)
  const many = await web.enqueueMany('greet', Array.from({ length: 100 }, (_, index) => [`user ${index}`]))
  await Promise.all(many.map(id => web.result(id, { waitMs: 30_000 })))

  const server = await connect(t, direct)
  const { rows: listening } = await server.query(`SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
  t.same(listening, [], 'a session that another may get does not listen')
  t.match((await web.monitoring.health()).components.broker, { healthy: true })
})

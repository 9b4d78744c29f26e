import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/queue-app/queue-app.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { EmbeddedPool } from '../../../lib/stores/embedded/embedded-pool.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { LOADER } from '../../support/loader.ts'
import { embeddedUrl } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'

const run = promisify(execFile)

async function open(t: Test, url: string): Promise<{ store: SqlStore; thread: Worker; errors: Error[] }> {
  const errors: Error[] = []
  const store = createStore(url, { namespace: 'thread', role: 'broker', onError: error => { errors.push(error) } }) as SqlStore
  const started = once(process, 'worker') as Promise<[Worker]>
  await store.start()
  t.teardown(() => store.stop())
  return { store, thread: (await started)[0], errors }
}

/** Takes most of a second, in which the database does nothing else. */
const LONG = 'SELECT count(*) FROM generate_series(1, 500000)'

/** Shared by all tests that leave their database unchanged, because opening one takes a second of processor time. */
const { store } = await open(t, 'embedded:')

t.test('a database in a folder is reopened when its thread dies, with everything it had acknowledged', async t => {
  const { store, thread, errors } = await open(t, await embeddedUrl(t))
  await store.query('CREATE TABLE public.kept (number int)')
  const listener = await store.pool.connect()
  const clientLost = new Promise<Error>(resolve => listener.on('error', resolve))
  await listener.query('LISTEN bell')
  const writer = await store.pool.connect()
  await writer.query('BEGIN')
  await writer.query('INSERT INTO public.kept VALUES (-1)')
  await writer.query('COMMIT')
  await writer.query('BEGIN')
  await writer.query('INSERT INTO public.kept VALUES (-2)')

  let acknowledged = 0
  const cut = store.pool.query('SELECT 1')
  await thread.terminate()
  await t.rejects(cut, { code: '08006' }, 'a pending statement rejects')
  t.match(await clientLost, { code: '08006' })
  await t.rejects(writer.query('COMMIT'), { code: '08006' }, 'a transaction does not continue in another session')
  writer.release()
  listener.release()
  t.match(errors, [{ code: 'EMBEDDED_STORE_LOST', message: /reopened/ }])

  for (; acknowledged < 20; acknowledged++) await store.query('INSERT INTO public.kept VALUES ($1)', [acknowledged])
  const { rows } = await store.query('SELECT number FROM public.kept ORDER BY number')
  t.same(rows.map(row => row.number), [-1, ...Array.from({ length: 20 }, (_, number) => number)])
  t.ok(await store.ping() >= 0)
})

t.test('every call on a lost in-memory database rejects with EMBEDDED_STORE_LOST', async t => {
  const { store, thread, errors } = await open(t, 'embedded:')
  const cut = store.query('SELECT 1')
  await thread.terminate()
  await t.rejects(cut, { code: '08006' })
  const calls: Array<() => Promise<unknown>> = [
    () => store.query('SELECT 1'), () => store.pool.query('SELECT 1'), () => store.ping(), () => store.transaction(async () => {})
  ]
  for (const call of calls) {
    await t.rejects(call(), { code: 'EMBEDDED_STORE_LOST', message: /in memory is gone/ })
  }
  t.match(errors, [{ code: 'EMBEDDED_STORE_LOST' }])
})

t.test('a store that cannot start a thread works without it, and reports why and what to do', async t => {
  const { createRequire, syncBuiltinESMExports } = await import('node:module')
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: unknown }
  const { Worker } = threads
  threads.Worker = class { constructor() {
    throw Object.assign(
      new Error('Access to this API has been restricted'), { code: 'ERR_ACCESS_DENIED' }
    )
  } }
  syncBuiltinESMExports()
  t.teardown(() => {
    threads.Worker = Worker
    syncBuiltinESMExports()
  })
  const errors: Error[] = []
  const store = createStore('embedded:', { namespace: 'here', role: 'broker', onError: error => { errors.push(error) } }) as SqlStore
  await store.start()
  t.match((await store.query('SELECT 7 AS seven')).rows, [{ seven: 7 }])
  await store.stop()
  t.match(errors, [{ code: 'EMBEDDED_WITHOUT_THREAD', message: /permission model.*--allow-worker/ }])
  t.equal(errors.length, 1)
})

t.test('an app whose in-memory database died is unhealthy, and every call says that the data is lost', async t => {
  const errors: Error[] = []
  const queueApp = QueueApp.fromUrls({ broker: 'embedded:', onError: error => { errors.push(error) } })
  const task = queueApp.task('echo', async (text: string) => text)
  const started = once(process, 'worker') as Promise<[Worker]>
  await queueApp.start()
  await (await started)[0].terminate()
  const message = 'its database ended, and its data in memory is gone: restart the process'
  t.match(await queueApp.monitoring.health(), {
    status: 'unhealthy', components: { broker: { healthy: false, message }, backend: { healthy: false, message } }
  })
  const { monitoring } = queueApp
  const lost = { code: 'EMBEDDED_STORE_LOST', message: /in memory is gone: restart the process/ }
  const calls: Record<string, () => Promise<unknown>> = {
    enqueue: () => queueApp.enqueue(task, ['x']),
    tasks: () => monitoring.tasks(),
    executions: () => monitoring.executions({ limit: 10 }),
    execution: () => monitoring.execution('01900000-0000-7000-8000-000000000000'),
    failures: () => monitoring.failureGroups({ limit: 10 }),
    schedules: () => monitoring.schedules({ limit: 10 }),
    statistics: () => monitoring.statistics()
  }
  for (const [name, call] of Object.entries(calls)) await t.rejects(call(), lost, name)
  await queueApp.stop()
})

t.test('a thread that runs out of memory affects neither the process nor acknowledged data', async t => {
  const url = await embeddedUrl(t)
  const { stdout } = await child('out-of-memory', url, ['--max-old-space-size=96'])
  t.match(stdout, /lost EMBEDDED_STORE_LOST .*ERR_WORKER_OUT_OF_MEMORY/)
  t.match(stdout, /kept 1\n/)
})

t.test('a long result arrives complete, and other statements run between its parts', async t => {
  const order: string[] = []
  const long = store.pool.query<{ number: number; text: string }>(
    'SELECT number, repeat(\'x\', 20000) AS text FROM generate_series(1, 500) AS number'
  ).then(
    result => { order.push('long'); return result }
  )
  const short = store.pool.query('SELECT 1').then(() => { order.push('short') })
  const { rows, rowCount } = await long
  await short
  t.same(order, ['short', 'long'])
  t.equal(rowCount, 500)
  t.same(rows.map(row => row.number), Array.from({ length: 500 }, (_, index) => index + 1))
  t.ok(rows.every(row => row.text.length === 20_000))
})

t.test('a value of 30 MB survives the round trip', async t => {
  const text = 'é'.repeat(15_000_000)
  const { rows } = await store.pool.query<{ text: string }>('SELECT $1::text AS text', [text])
  t.ok(rows[0]!.text === text)
})

t.test('the event loop runs during a statement, and a request behind it is delayed instead of failing', async t => {
  let isOver = false
  const holder = await store.pool.connect()
  await holder.query('BEGIN')
  const long = holder.query(LONG).then(() => { isOver = true })
  t.ok(await store.ping(20) > 10, 'an unanswered ping returns how long it has waited')
  t.notOk(isOver, 'a timer fired while the statement ran')
  const request = store.query('SELECT 7 AS seven', [], { timeoutMs: 1 })
  await long
  await holder.query('COMMIT')
  holder.release()
  t.match(await request, { rows: [{ seven: 7 }] })
})

t.test('a statement abandoned before it began does not run', async t => {
  await store.query('CREATE TABLE public.given_up (number int)')
  const holder = await store.pool.connect()
  await holder.query('BEGIN')
  await t.rejects((store.pool as EmbeddedPool).queryForRequest('INSERT INTO public.given_up VALUES (1)', [], 20), { name: 'DeadlineError' })
  await holder.query('COMMIT')
  holder.release()
  t.same((await store.query('SELECT * FROM public.given_up')).rows, [])
})

t.test('a client released within a transaction, or a stray BEGIN, blocks no one', async t => {
  await store.query('CREATE TABLE public.undone (number int)')
  const client = await store.pool.connect()
  await client.query('BEGIN')
  await client.query('INSERT INTO public.undone VALUES (1)')
  const failing = client.query('SELECT nonsense')
  client.release()
  await t.rejects(failing, { code: '42703' })
  await store.pool.query('BEGIN; INSERT INTO public.undone VALUES (2)')
  t.same((await store.query('SELECT * FROM public.undone')).rows, [])
})

t.test('errors have the details that the database gives', async t => {
  await store.query('CREATE TABLE public.one (number int PRIMARY KEY)')
  await store.query('INSERT INTO public.one VALUES ($1)', [1])
  const error = await store.query('INSERT INTO public.one VALUES ($1)', [1]).catch((error: Error) => error) as Error
  t.match(error, {
    name: 'DatabaseError', code: '23505', severity: 'ERROR', constraint: 'one_pkey', table: 'one',
    detail: 'Key (number)=(1) already exists.'
  })
  t.match(await store.query('SELECT 1 AS one').catch(() => null), { rows: [{ one: 1 }] }, 'the session continues')
})

t.test('a process with an open store ends by itself, but not before a statement is answered', async t => {
  for (const url of [...(isSoak ? ['embedded:'] : []), await embeddedUrl(t)]) {
    const { stdout } = await child('ends-by-itself', url)
    t.equal(stdout, 'started\nanswered\nthe end is near\n')
  }
})

t.test('process.exit() ends a process whose database is busy, and its folder opens again; stop() there waits for running statements and ' +
  'refuses new ones', async t => {
  const url = await embeddedUrl(t)
  await t.rejects(child('exits-at-work', url), { code: 7 })
  const { store, errors } = await open(t, url)
  t.match(await waitFor('the row', () => store.query('SELECT number FROM public.kept')), { rows: [{ number: 1 }] })
  const statements = Array.from({ length: 50 }, (_, number) => store.pool.query('SELECT $1::int AS number', [number]))
  const long = store.pool.query(LONG)
  const stopped = store.stop()
  t.same((await Promise.all(statements)).map(({ rows }) => rows[0]!.number), Array.from({ length: 50 }, (_, number) => number))
  t.match(await long, { rowCount: 1 })
  await stopped
  await t.rejects(store.pool.query('SELECT 1'))
  t.same(errors, [])
})

async function child(what: string, url: string, execArgv: string[] = []): Promise<{ stdout: string }> {
  return await run(
    process.execPath, [...LOADER, ...execArgv, fileURLToPath(new URL('./embedded-lives.ts', import.meta.url)), what, url],
    { env: { ...process.env, NODE_OPTIONS: '' } }
  )
}

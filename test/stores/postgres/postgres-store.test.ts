import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { SERVER_PATIENCE_MS } from '../../../lib/time/budgets.ts'
import { newStore, testBlockedStart, testLostServer, testStore } from '../../contracts/store.ts'
import { blockProcess } from '../../support/block-process.ts'
import { createCertificates } from '../../support/servers/certificates.ts'
import { postgresUrl, startPostgres } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('PostgreSQL keeps the contract of stores', async t => testStore(t, postgresUrl))

t.test('calls fail fast while PostgreSQL is down or hangs', async t => testLostServer(t, startPostgres, 3_100))

t.test('a process that is blocked while it starts is connected later', async t => testBlockedStart(t, postgresUrl))

t.test('a response that arrives while the process is blocked is not too late', async t => {
  const store = newStore(await postgresUrl(t)) as SqlStore
  t.teardown(() => store.stop())
  await store.start()
  const responses = [
    store.query('SELECT 1 AS one', [], { timeoutMs: SERVER_PATIENCE_MS }),
    store.transaction(query => query('SELECT 2 AS two'), { timeoutMs: SERVER_PATIENCE_MS })
  ]
  await setImmediate()
  blockProcess(SERVER_PATIENCE_MS + 500)
  t.match(await Promise.all(responses), [{ rows: [{ one: 1 }] }, { rows: [{ two: 2 }] }])
})

t.test('a transaction goes on after the process was blocked, and no statement comes after one that was given up', async t => {
  const store = newStore(await postgresUrl(t)) as SqlStore
  t.teardown(() => store.stop())
  await store.start()
  const slow = await store.transaction(async query => {
    const first = query('SELECT 1 AS one')
    await setImmediate()
    blockProcess(SERVER_PATIENCE_MS + 500)
    await first
    // Longer than a response that is already there.
    return await query('SELECT 2 AS two, pg_sleep(0.1)::text AS slept')
  }, { timeoutMs: SERVER_PATIENCE_MS })
  t.match(slow, { rows: [{ two: 2 }] })

  await store.query('CREATE TABLE public.written (id int)')
  let afterwards: unknown
  const givenUp = store.transaction(async query => {
    await query('SELECT pg_sleep(60)').catch(() => {})
    afterwards = await query('INSERT INTO public.written VALUES (1)').catch((error: unknown) => error)
  }, { timeoutMs: 200 })
  await t.rejects(givenUp, { message: 'the database did not answer within 200 ms' })
  await waitFor('the refusal', async () => afterwards !== undefined)
  t.match(afterwards, { name: 'DeadlineError' })
  t.strictSame((await store.query('SELECT * FROM public.written')).rows, [])
})

t.test('several processes can start at once on an empty database', async t => {
  const url = await postgresUrl(t)
  const stores = Array.from({ length: 4 }, () => newStore(url, 'shared'))
  await Promise.all(stores.map(store => store.start()))
  await Promise.all(stores.map(store => store.stop()))
})

for (const name of [null, "the host's own"])
  t.test('an abandoned statement ends on the server, and its transaction releases its locks' +
    `${name === null ? '' : ', where the URL names the application'}`, async t => {
    const url = new URL(await postgresUrl(t))
    if (name !== null) url.searchParams.set('application_name', name)
    const store = newStore(url.href) as SqlStore
    t.teardown(() => store.stop())
    await store.start()
    const running = async () => {
      const { rows } = await store.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid() " +
        "AND query LIKE '%pg_sleep%'"
      )
      return rows.length
    }
    const slow = t.rejects(store.query('SELECT pg_sleep($1)', [60], { timeoutMs: 1_000 }), {
      message: 'the database did not answer within 1000 ms'
    })
    await waitFor('the statement to run', async () => await running() === 1, 10_000)
    await slow
    await waitFor('the statement to end', async () => await running() === 0, 20_000)

    const transaction = store.transaction(async query => {
      await query('SELECT pg_advisory_xact_lock(42)')
      await query('SELECT pg_sleep(60)')
    }, { timeoutMs: 200 })
    await t.rejects(transaction)
    t.equal(await running(), 0)
    t.strictSame((await store.query('SELECT pg_try_advisory_lock(42) AS is_free')).rows, [{ is_free: true }])
  })

t.test('an abandoned statement ends on the server over TLS too', async t => {
  const server = await startPostgres(t, { certificates: await createCertificates(t) })
  const store = newStore(`${server.url}?sslmode=require`) as SqlStore
  t.teardown(() => store.stop())
  await store.start()
  const running = async () =>
    (await store.query("SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'")).rows.length
  const slow = t.rejects(store.query('SELECT pg_sleep(60)', [], { timeoutMs: 1_000 }))
  await waitFor('the statement to run', async () => await running() === 1)
  await slow
  await waitFor('the statement to end', async () => await running() === 0, 20_000)
})

t.test('abandoned statements of the engine do not keep their connections', async t => {
  const store = newStore(await postgresUrl(t)) as SqlStore
  t.teardown(() => store.stop())
  await store.start()
  const start = Date.now()
  // More than the pool has connections, so a kept connection would be missing.
  await Promise.all(Array.from({ length: 12 }, () => t.rejects(store.requestPool.query('SELECT pg_sleep($1)', [60]))))
  t.ok(Date.now() - start < 20_000, `${Date.now() - start} ms`)
  t.ok(await store.ping(10_000) < 10_000)
  t.strictSame((await store.requestPool.query('SELECT $1::int AS one', [1])).rows, [{ one: 1 }])
})

t.test('no connection stays open after stop() while PostgreSQL hangs', async t => {
  const server = await startPostgres(t)
  const sockets = () => process.getActiveResourcesInfo().filter(each => each.startsWith('TCPSocket')).length
  const before = sockets()
  const store = newStore(server.url) as SqlStore
  await store.start()
  const listener = await store.listen()
  t.ok(listener)
  await Promise.all(Array.from({ length: 4 }, () => store.query('SELECT pg_sleep(0.3)')))
  t.ok(sockets() - before > 2, 'some of its connections are idle, one listens')
  server.freeze()
  listener!.release()
  await store.stop()
  await waitFor('the connections to close', async () => sockets() <= before)
})

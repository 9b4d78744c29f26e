import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import t, { type Test } from 'tap'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { newStore } from '../../contracts/store.ts'
import { connectPostgres } from '../../support/servers/postgres-client.ts'
import { postgresUrl, startPostgres } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openRefused, testRefusal, testRefusedAttempt, type Refusal, type RefusedWorker } from './refusals.ts'

const CODES = [
  '08006', '25006', '40001', '40P01', '42501', '53100', '53200', '53300', '53400', '55P03', '57014', '57P01', '57P02', '57P03', '57P05',
  '58030'
]

// Both tests mostly wait, so they run at the same time.
t.jobs = 2

t.test('writes that PostgreSQL refuses for a while change no outcome', async t => {
  const { admin, worker, store } = await open(t, await postgresUrl(t))
  for (const code of CODES) {
    await t.test(`after ${code}, no success is recorded as a failure and nothing runs twice`, t =>
      testRefusal(t, worker, raising(admin, store, code)))
  }
  await t.test('a failed attempt whose report is refused counts once', t => testRefusedAttempt(t, worker, raising(admin, store, '40P01')))

  await t.test('the lock of a run is renewed while its report is refused', async t => {
    const refusal = raising(admin, store, '40001')
    const lock = async (executionId: string): Promise<number> => {
      const { rows } = await admin.query<{ until: string }>(
        `SELECT locked_until_ms AS until FROM ${store.schema}_queue.job WHERE id = $1`, [executionId]
      )
      return Number(rows[0]!.until)
    }
    const id = await worker.run(refusal, () => 'done', {
      async whileRefused(executionId) {
        const first = await lock(executionId)
        await waitFor('the lock to be renewed', async () => await lock(executionId) > first)
      }
    })
    t.match(await worker.finish(id), { status: 'success', result: 'done', attempt: 1 })
  })
})

t.test('a PostgreSQL that is read-only for a while changes no outcome', async t => {
  const server = await startPostgres(t)
  const { admin, worker } = await open(t, server.url)
  const set = async (value: 'on' | 'off'): Promise<void> => {
    await admin.query('SET default_transaction_read_only = off')
    await admin.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await admin.query('SELECT pg_reload_conf()')
    // Each session applies the new setting a moment later.
    await sleep(500)
  }
  // Equal errors are reported at most once in ten seconds.
  await testRefusal(t, worker, {
    count: async errors => errors.filter(error => 'code' in error && error.code === '25006').length, refuse: () => set('on'),
    accept: () => set('off')
  })
})

async function open(t: Test, url: string): Promise<{ admin: pg.Client, store: SqlStore, worker: RefusedWorker }> {
  const store = newStore(url) as SqlStore
  await store.start()
  t.teardown(() => store.stop())
  const worker = await openRefused(t, store)
  return { admin: await connectPostgres(t, url), store, worker }
}

/** The server itself raises the error when the end of a run is written. */
function raising(admin: pg.Client, { schema }: SqlStore, code: string): Refusal {
  const jobs = `${schema}_queue.job`
  return {
    async count() {
      const { rows } = await admin.query<{ count: string }>('SELECT last_value AS count FROM public.refusals')
      return Number(rows[0]!.count)
    },
    async refuse() {
      // A sequence is not rolled back, so it counts refused transactions.
      await admin.query(`
        CREATE SEQUENCE IF NOT EXISTS public.refusals;
        CREATE OR REPLACE FUNCTION ${schema}_queue.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM nextval('public.refusals');
          RAISE EXCEPTION 'refused' USING ERRCODE = '${code}';
        END $$;
        CREATE TRIGGER refuse BEFORE UPDATE OF state ON ${jobs} FOR EACH ROW WHEN (OLD.state = 'active') EXECUTE FUNCTION
          ${schema}_queue.refuse()`)
    },
    async accept() { await admin.query(`DROP TRIGGER refuse ON ${jobs}`) }
  }
}

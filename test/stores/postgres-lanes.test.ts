import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { asRead } from '../../lib/stores/read-lane.ts'
import { CONNECTIONS } from '../../lib/stores/postgres/postgres-store.ts'
import type { SqlStore } from '../../lib/stores/store.ts'
import { newStore } from '../contracts/store.ts'
import { postgresUrl } from '../support/stores.ts'
import { waitFor } from '../support/wait-for.ts'

t.test('reads that take all their time leave workers and writes their connections', async t => {
  const url = await postgresUrl(t)
  const store = newStore(url) as SqlStore
  await store.start()
  t.teardown(() => store.stop())
  const admin = new pg.Client(url)
  await admin.connect()
  t.teardown(() => admin.end())
  const count = async (text: string): Promise<number> => {
    const { rows } = await admin.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE $1', [text])
    return rows[0]!.count
  }

  let isReading = true
  const readers = Array.from({ length: 20 }, async () => {
    while (isReading) await asRead(() => store.query('SELECT pg_sleep(1)')).catch(() => {})
  })
  await waitFor('the reads to fill their connections', async () => await count('SELECT pg_sleep(1)') === CONNECTIONS.reads)
  for (let round = 0; round < 10; round++) {
    await Promise.all([store.pool.query('SELECT 1'), store.requestPool.query('SELECT 2'), store.query('SELECT 3'), store.transaction(query => query('SELECT 4'))])
    t.ok(await count('SELECT pg_sleep(1)') <= CONNECTIONS.reads)
    await sleep(50)
  }
  isReading = false
  await Promise.all(readers)
  t.ok(await count('%') <= CONNECTIONS.workers + CONNECTIONS.rest + CONNECTIONS.reads)
})

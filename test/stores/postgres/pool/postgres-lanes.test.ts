import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { asRead } from '../../../../lib/stores/read-lane.ts'
import { shareOut } from '../../../../lib/stores/postgres/pool/shares.ts'
import type { SqlStore } from '../../../../lib/stores/store.ts'
import { newStore } from '../../../contracts/store.ts'
import { postgresUrl } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

for (const max of [2, 4, 10]) t.test(`with ${max} connections, slow reads leave connections for workers and writes`, async t => {
  const url = await postgresUrl(t)
  const store = newStore(`${url}?max=${max}`) as SqlStore
  await store.start()
  t.teardown(() => store.stop())
  const { lanes } = shareOut(max >= 4 ? max - 1 : max)
  const admin = new pg.Client(url)
  await admin.connect()
  t.teardown(() => admin.end())
  const count = async (text: string): Promise<number> => {
    const { rows } = await admin.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> ' +
        'pg_backend_pid() AND query LIKE $1',
      [text])
    return rows[0]!.count
  }

  let isReading = true
  const readers = Array.from({ length: 20 }, async () => {
    while (isReading) await asRead(() => store.query('SELECT pg_sleep(1)')).catch(() => {})
  })
  await waitFor('the reads to fill their connections', async () => await count('SELECT pg_sleep(1)') === lanes.reads.limit)
  for (let round = 0; round < 10; round++) {
    await Promise.all([
      store.pool.query('SELECT 1'), store.requestPool.query('SELECT 2'), store.query('SELECT 3'),
      store.transaction(query => query('SELECT 4'))
    ])
    t.ok(await count('SELECT pg_sleep(1)') <= lanes.reads.limit)
    await sleep(50)
  }
  isReading = false
  await Promise.all(readers)
  t.ok(await count('%') <= max)
})

t.test('connections are divided so that with three or more each lane has at least one', async t => {
  for (let max = 1; max <= 40; max++) {
    const { lanes, shares } = shareOut(max)
    t.equal(shares.reduce((sum, { limit }) => sum + limit, 0), max)
    t.equal(shares.length, Math.min(max, 3))
    t.ok(lanes.workers.limit >= lanes.reads.limit)
  }
})

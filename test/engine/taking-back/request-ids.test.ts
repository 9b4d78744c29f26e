import { randomUUID } from 'node:crypto'
import t from 'tap'
import { inQueueSchema } from '../../../lib/engine/connection/qualify-names.ts'
import { readRequestIds, REQUEST_IDS } from '../../../lib/engine/taking-back/request-ids.ts'
import { takeBack, TAKE_BACK_IN_SQL } from '../../../lib/engine/taking-back/take-back.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { startEngine } from '../../contracts/engine-work.ts'
import { postgresUrl } from '../../support/servers/stores.ts'

const TASK = 'mail'

t.test('in a queue that has just grown, request ids are read and executions are taken back without scanning the queue', async t => {
  const { engine, store } = await startEngine(t, await postgresUrl(t))
  const sql = store as SqlStore
  const ids = Array.from({ length: 4_000 }, () => randomUUID())
  for (let at = 0; at < ids.length; at += 500) {
    await engine.enqueue(ids.slice(at, at + 500).map(executionId => ({
      executionId, taskName: TASK, args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null,
      retryOf: null, requestId: 'one'
    })))
  }
  const queue = engine.queueOf(TASK)
  const asked = [...ids.slice(0, 99), randomUUID()]
  const found = await readRequestIds(store, queue, asked)
  t.equal(found.size, 99)
  t.ok([...found.values()].every(requestId => requestId === 'one'))
  const { rows } = await sql.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, TIMING OFF) ${inQueueSchema(sql, REQUEST_IDS)}`, [queue, asked])
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  t.notMatch(plan, /Rows Removed|Seq Scan|Bitmap/, plan)

  const { rows: lines } = await sql.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, TIMING OFF) ${inQueueSchema(sql, TAKE_BACK_IN_SQL)}`, [queue, asked, 'another'])
  const deletion = lines.map(line => line['QUERY PLAN']).join('\n')
  t.match(deletion, /Tid Scan/)
  t.notMatch(deletion, /Seq Scan|Bitmap/, deletion)
  t.equal((await readRequestIds(store, queue, asked)).size, 99, 'they were added by another request')
  t.same(await takeBack(store, queue, asked, 'another'), new Set())
  t.same(await takeBack(store, queue, asked, 'one'), new Set(asked.slice(0, 99)))
  t.equal((await readRequestIds(store, queue, asked)).size, 0)
})

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { createBullmqEngine } from '../../../lib/engine/bullmq-engine.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { newStore } from '../../contracts/store.ts'
import { embeddedUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('only deduplication keys whose lifetime has ended are deleted', async t => {
  const store = newStore(await embeddedUrl(t)) as SqlStore
  await store.start()
  const engine = createBullmqEngine(store)
  await engine.start()
  t.teardown(async () => {
    await engine.stop({ graceMs: 0 })
    await store.stop()
  })
  const rest = { args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null, retryOf: null }
  const lifetimes = { brief: 1, long: 3_600_000, plain: null }
  await engine.enqueue(Object.entries(lifetimes).map(([key, ttlMs]) =>
    ({ ...rest, executionId: randomUUID(), taskName: 'with keys', deduplication: { key, ttlMs } })))
  const keys = async (): Promise<string[]> => {
    const { rows } = await store.query<{ dedup_id: string }>(`SELECT dedup_id FROM "${store.schema}_queue".dedup ORDER BY dedup_id`, [])
    return rows.map(row => row.dedup_id)
  }
  t.same(await keys(), ['brief', 'long', 'plain'])
  await waitFor('the brief one to be removed', async () => {
    await engine.indexQueues(['with keys'])
    return !(await keys()).includes('brief')
  })
  t.same(await keys(), ['long', 'plain'])
  t.same(await engine.rateLimitedUntil([{ taskName: 'with keys', max: 1 }]), new Map())
})

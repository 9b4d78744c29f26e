import fc from 'fast-check'
import t from 'tap'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import type { PruneBounds, PruneStep } from '../../../lib/backend/result-backend.ts'
import { createReconciler } from '../../../lib/backend/upkeep/reconciler.ts'
import { createRecorder } from '../../../lib/backend/upkeep/recorder.ts'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { createSweeper } from '../../../lib/backend/upkeep/sweeper.ts'
import { createRetention, type RetentionOptions } from '../../../lib/backend/upkeep/retention.ts'
import { toRetentionPolicy } from '../../../lib/backend/retention-policy.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { until } from '../../contracts/result-backend.ts'
import { redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { fakeBroker } from './fake-broker.ts'
import { makeExecution } from '../make-execution.ts'

const MINUTE_MS = 60_000
const policy = toRetentionPolicy({}, 'redis')

/** A backend with `over` executions too many. */
type Given = Partial<RetentionOptions> & { over?: number }

function open({ over = 0, ...options }: Given) {
  const steps: PruneBounds[] = []
  let holder: string | null = null
  const leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'> = {
    acquireLease: async (_name, asking) => (holder ??= asking) === asking,
    releaseLease: async (_name, leaving) => { if (holder === leaving) holder = null }
  }
  const prune = async (_policy: unknown, bounds: PruneBounds): Promise<PruneStep> => {
    steps.push(bounds)
    const removed = Math.min(over, bounds.limit)
    over -= removed
    return { removed, more: over > 0 }
  }
  const common = {
    policy, now: async () => Date.now(), brokerHasAfter: async () => 77, unwrittenSince: async () => null, leases, onError: t.fail,
    ...options
  }
  const create = (name: string, more: Partial<RetentionOptions> = {}) =>
    createRetention({ ...common, backend: { prune }, holder: name, ...more })
  return { create, steps, left: () => over }
}

t.test('one process at a time prunes, in steps', async t => {
  const { create, steps } = open({ over: 2_500 })
  const [one, other] = [create('a'), create('b')]
  t.equal(await one.runOnce(), 2_500)
  t.strictSame(steps.map(step => step.limit), [1_000, 1_000, 1_000])
  t.equal(await other.runOnce(), null)
  await one.stop()
  t.equal(await other.runOnce(), 0)
  await other.stop()
})

t.test("executions that a recorder may still have to write are kept, by the broker's clock", async t => {
  const now = 5_000_000
  const fresh = open({ now: async () => now })
  await fresh.create('a').runOnce()
  t.strictSame(fresh.steps, [{ nowMs: now, keepAfterMs: now - 5 * MINUTE_MS, brokerHasAfterMs: 77, limit: 1_000 }], 'at least five minutes')
  const behind = open({ now: async () => now, unwrittenSince: async () => now - 60 * MINUTE_MS })
  await behind.create('a').runOnce()
  t.equal(behind.steps[0]!.keepAfterMs, now - 60 * MINUTE_MS - 1, 'the oldest execution waiting to be written')
})

t.test('pruning repeats, and stop() ends it between two steps', async t => {
  const { create, left } = open({ over: 1_000_000 })
  const retention = create('a', { everyMs: 10, stepSize: 10 })
  retention.start()
  retention.start()
  await until(() => left() < 999_900)
  await retention.stop()
  await retention.stop()
  const rest = left()
  retention.start()
  await new Promise(resolve => setTimeout(resolve, 50))
  t.equal(left(), rest)
})

t.test('pruning ends when the store removes nothing, even if it says that there is more', async t => {
  const { create, steps } = open({})
  let asked = 0
  const retention = create('a', { backend: { prune: async () => { asked++; return { removed: 0, more: true } } } })
  t.equal(await retention.runOnce(), 0)
  t.equal(asked, 1)
  t.strictSame(steps, [])
})

t.test('a failure is reported once, and becomes a problem when it lasts', async t => {
  const errors: Error[] = []
  const { create } = open({ onError: error => errors.push(error) })
  let isAway = true
  const prune = async () => {
    if (isAway) throw new Error('away')
    return { removed: 0, more: false }
  }
  const retention = create('a', { backend: { prune } })
  await t.rejects(retention.runOnce(), { message: 'away' })
  await t.rejects(retention.runOnce())
  t.equal(errors.length, 1)
  t.equal(retention.problem(), null, 'not at once')
  const { now } = Date
  Date.now = () => now() + 11 * MINUTE_MS
  t.teardown(() => { Date.now = now })
  t.match(retention.problem(), /exceeds its retention/)
  isAway = false
  await retention.runOnce()
  t.equal(retention.problem(), null)
})

t.test('waiting for unrecorded executions becomes a problem when it lasts', async t => {
  let unwritten: number | null = Date.now() - 30 * MINUTE_MS
  const { create } = open({ unwrittenSince: async () => unwritten })
  const retention = create('a')
  await retention.runOnce()
  t.equal(retention.problem(), null, 'not at once')
  const { now } = Date
  Date.now = () => now() + 11 * MINUTE_MS
  t.teardown(() => { Date.now = now })
  await retention.runOnce()
  t.match(retention.problem(), /since 20.* waits for executions that are not recorded yet/)
  unwritten = null
  await retention.runOnce()
  t.equal(retention.problem(), null)
})

t.test('settings override the defaults for the kind of store', async t => {
  const DAY_MS = 24 * 60 * MINUTE_MS
  t.strictSame(toRetentionPolicy({ success: { days: 0.5 }, failed: { count: 10 } }, 'postgres'), {
    success: { maxAgeMs: DAY_MS / 2, maxCount: 10_000_000 },
    failed: { maxAgeMs: 90 * DAY_MS, maxCount: 10 }
  })
})

t.test('after an outage of any length, executions that a small retention removed are not counted again by any recorder', async t => {
  const url = await redisUrl(t)
  const step = fc.constantFrom('prune', 'reconcile', 'reconcile in part', 'write', 'sweep')
  const outage = fc.record({
    behindMs: fc.integer({ min: 0, max: 7_200_000 }),
    // Around the start of the outage, some exactly at its edge.
    finishes: fc.array(
      fc.oneof(fc.integer({ min: -120_000, max: 7_200_000 }), fc.constantFrom(-60_001, -60_000, -59_999, 0)),
      { minLength: 1, maxLength: 12 }
    ),
    maxCount: fc.integer({ min: 0, max: 2 }),
    // Whether retention does not know that the worker has unwritten executions: it was also cut off from the broker's store, or suspended.
    isUnheard: fc.boolean(),
    steps: fc.array(step, { minLength: 2, maxLength: 8 })
  })
  await fc.assert(fc.asyncProperty(outage, async ({ behindMs, finishes, maxCount, isUnheard, steps }) => {
    const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} })
    await store.start()
    const backend = createResultBackend(store)
    await backend.start()
    const now = Date.now()
    const watermark = now - behindMs
    const executions = finishes.map(after => makeExecution({ finishedAt: Math.min(now, watermark + after) }))
    await backend.record(executions.filter(each => each.finishedAt < watermark))
    await backend.saveWatermarks(new Map([['email:send', watermark]]))

    // The worker could reach the broker, but not the backend.
    let isAway = true
    const recorder = createRecorder({
      backend: { ...backend, record: async batch => isAway ? Promise.reject(new Error('away')) : backend.record(batch) }, flushEveryMs: 1,
      onError() {}
    })
    for (const each of executions) if (each.finishedAt >= watermark) recorder.record(each)
    let isBroken = false
    const broker = fakeBroker([...executions], { perQueue: 3, taskNames: ['email:send'] })
    async function * finishedSince(...asked: Parameters<typeof broker.finishedSince>): AsyncIterable<FinishedExecution[]> {
      for await (const batch of broker.finishedSince(...asked)) {
        yield batch
        if (isBroken) throw new Error('broken off')
      }
    }
    const shared = { backend, ...broker, now: store.now, leases: store.documents, holder: 'a' }
    const reconciler = createReconciler({ ...shared, finishedSince, onError() {} })
    const sweeper = createSweeper({ ...shared, keptMs: 3_600_000, stepSize: 3, onError() {} })
    const limits = { maxAgeMs: 86_400_000, maxCount }
    const retention = createRetention({
      ...shared, policy: { success: limits, failed: limits },
      unwrittenSince: async () => isUnheard ? null : recorder.status().oldestFinishedAt, onError: t.fail
    })
    for (const step of [...steps, 'write', 'reconcile', 'prune', 'sweep', 'reconcile']) {
      if (step === 'prune') await retention.runOnce()
      if (step === 'sweep') await sweeper.runOnce().catch(() => {})
      if (step === 'write') {
        isAway = false
        await recorder.flush(5_000)
      }
      isBroken = step === 'reconcile in part'
      if (step === 'reconcile' || isBroken) await reconciler.runOnce().catch(() => {})
    }
    const { success } = await backend.totals()
    await Promise.all([reconciler.stop(), retention.stop(), sweeper.stop()])
    await store.stop()
    if (success !== executions.length) throw new Error(`${executions.length} finished, ${success} counted`)
  }), { numRuns: isSoak ? 1_000 : 50, endOnFailure: true })
})

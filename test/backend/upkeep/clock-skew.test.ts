import fc from 'fast-check'
import t from 'tap'
import { createReconciler } from '../../../lib/backend/upkeep/reconciler.ts'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { createRetention } from '../../../lib/backend/upkeep/retention.ts'
import { createSweeper } from '../../../lib/backend/upkeep/sweeper.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { onEveryStore, testNamespace } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { fakeBroker } from './fake-broker.ts'
import { makeExecution } from '../make-execution.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

t.test('no execution is lost or counted twice if clocks of workers and processes are up to an hour wrong', async t => {
  const skew = fc.oneof(fc.constant(0), fc.integer({ min: -HOUR_MS, max: HOUR_MS }), fc.constantFrom(-HOUR_MS, HOUR_MS))
  const event = fc.oneof(
    { weight: 4, arbitrary: fc.record({
      type: fc.constant('finish' as const), worker: fc.nat({ max: 2 }), task: fc.constantFrom('a', 'b'),
      count: fc.integer({ min: 1, max: 6 }),
      // False if the worker process died before it recorded them.
      isRecorded: fc.boolean()
    }) },
    {
      weight: 6,
      arbitrary: fc.record({ type: fc.constantFrom('reconcile' as const, 'sweep' as const, 'prune' as const), process: fc.nat({ max: 1 }) })
    },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('wait' as const),
        ms: fc.oneof(fc.integer({ min: 1_000, max: 5 * MINUTE_MS }), fc.integer({ min: MINUTE_MS, max: 3 * HOUR_MS }))
      })
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('write again' as const) }) }
  )
  const world = fc.record({
    workers: fc.tuple(skew, skew, skew),
    processes: fc.tuple(skew, skew),
    limits: fc.record({ maxAgeMs: fc.constantFrom(5 * MINUTE_MS, 15 * MINUTE_MS, 24 * HOUR_MS), maxCount: fc.constantFrom(0, 3, 1_000) }),
    events: fc.array(event, { minLength: 5, maxLength: 25 })
  })
  await onEveryStore(t, async (t, url, kind) => {
    const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} })
    t.teardown(() => store.stop())
    await store.start()
    const { now: clock } = Date
    t.teardown(() => { Date.now = clock })
    await fc.assert(fc.asyncProperty(world, async ({ workers, processes, limits, events }) => {
      const backend = createResultBackend({
        ...store, ...(store.kind === 'redis' ? { keyPrefix: `{${testNamespace()}}` } : { schema: testNamespace() })
      })
      await backend.start()
      // The broker's clock, which is correct.
      let now = clock()
      const broker = fakeBroker([], { perQueue: 4, taskNames: ['a', 'b'] })
      const all: FinishedExecution[] = []
      let holder = -1
      const leases = { acquireLease: async (_: string, asking: string) => asking === String(holder), releaseLease: async () => {} }
      const made = processes.map((_, i) => {
        const shared = { backend, ...broker, now: async () => now, leases, holder: String(i), onError: t.fail }
        return {
          reconcile: createReconciler(shared),
          sweep: createSweeper({ ...shared, keptMs: HOUR_MS, stepSize: 4 }),
          prune: createRetention({ ...shared, policy: { success: limits, failed: limits }, unwrittenSince: async () => null })
        }
      })
      const run = async (type: 'reconcile' | 'sweep' | 'prune', process: number) => {
        holder = process
        Date.now = () => now + processes[process]!
        await made[process]![type].runOnce()
      }
      for (const event of events) {
        if (event.type === 'wait') now += event.ms
        else if (event.type === 'finish') {
          const finished = Array.from({ length: event.count }, (_, i) =>
            makeExecution({ taskName: event.task, finishedAt: now + workers[event.worker]! + i }))
          now += event.count
          all.push(...finished)
          broker.executions.push(...finished)
          if (event.isRecorded) await backend.record(finished)
        } else if (event.type === 'write again') await backend.record(broker.executions)
        else await run(event.type, event.process)
      }
      for (const process of [0, 1]) {
        await run('reconcile', process)
        now += 2 * HOUR_MS + MINUTE_MS
        await run('sweep', process)
        await run('prune', process)
      }
      const { success } = await backend.totals()
      if (success !== all.length) throw new Error(`${all.length} finished, ${success} counted`)
      if (broker.executions.length > 0) throw new Error(`${broker.executions.length} stay in the broker`)
    }), { numRuns: (kind === 'redis' ? 50 : 5) * (isSoak ? 10 : 1), endOnFailure: true })
  })
})

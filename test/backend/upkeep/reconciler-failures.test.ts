import t, { type Test } from 'tap'
import { type ReconcilerOptions, createReconciler } from '../../../lib/backend/upkeep/reconciler.ts'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { until } from '../../contracts/result-backend.ts'
import { onEveryStore, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { fakeBroker } from './fake-broker.ts'
import { makeExecution } from '../make-execution.ts'
import { openHistory } from './open-history.ts'

t.test('a pass fails while the backend is down, and the next ones lose nothing once it is back', async t => {
  const server = await startRedis(t)
  const { backend } = await openHistory(t, server.url)
  const { store: broker } = await openHistory(t, await redisUrl(t))
  const errors: Error[] = []
  const executions = [makeExecution()]
  const reconciler = createReconciler({
    backend, ...fakeBroker(executions), now: broker.now, leases: broker.documents, holder: 'a', everyMs: 50,
    onError: error => errors.push(error)
  })
  await server.kill()
  await t.rejects(reconciler.runOnce(), { code: 'BACKEND_UNAVAILABLE' })
  t.match(reconciler.problem(), /may lack executions/)
  reconciler.start()
  await server.start()
  await until(() => backend.totals().then(totals => totals.success === 1, () => false))
  await until(() => reconciler.problem() === null)
  t.equal(errors.length, 1)
  await reconciler.stop()
})

t.test('a pass fails while the broker is down, and stop() still ends', async t => {
  const { backend } = await openHistory(t, await redisUrl(t))
  const server = await startRedis(t)
  const { store: broker } = await openHistory(t, server.url)
  const reconciler = createReconciler({
    backend, ...fakeBroker([makeExecution()]), now: broker.now, leases: broker.documents, holder: 'a', onError() {}
  })
  await server.kill()
  await t.rejects(reconciler.runOnce())
  await reconciler.stop()
})

t.test('a task whose queue cannot be read does not block the others, and keeps its watermark', async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
  const names = ['a', 'b', 'broken', 'c', 'd']
  const broker = fakeBroker(names.map(taskName => makeExecution({ taskName })))
  const errors: Error[] = []
  const refuse = (asked: readonly string[]) => { if (asked.includes('broken')) throw new Error('a defect') }
  const reconciler = createReconciler({
    backend,
    ...broker,
    newestFinished: async queries => {
      refuse(queries.map(each => each.taskName))
      return await broker.newestFinished(queries)
    },
    finishedSince: (taskName, since, missing) => {
      refuse([taskName])
      return broker.finishedSince(taskName, since, missing)
    },
    now: store.now,
    leases: store.documents,
    holder: 'a',
    onError: error => errors.push(error)
  })
  await t.rejects(reconciler.runOnce(), { message: 'a defect' })
  t.equal((await backend.totals()).success, 4)
  t.strictSame([...(await backend.watermarks()).keys()].sort(), ['a', 'b', 'c', 'd'])
  t.equal(errors.length, 1)
  await reconciler.stop()
})

t.test('a refused record blocks neither its batch nor another task, and the watermark stays', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await openHistory(t, url)
    const executions = Array.from({ length: 40 }, (_, i) =>
      makeExecution({ taskName: i < 30 ? 'email:send' : 'report', finishedAt: Date.now() - i * 1_000 }))
    const poisoned = new Set([executions[3]!.executionId, executions[4]!.executionId])
    const refusing = {
      ...backend,
      record: (batch: readonly FinishedExecution[]) => batch.some(each => poisoned.has(each.executionId))
        ? Promise.reject(createTaskDashboardError('BACKEND_UNAVAILABLE')) : backend.record(batch)
    }
    const errors: Error[] = []
    const reconciler = createReconciler({
      backend: refusing, ...fakeBroker(executions), now: store.now, leases: store.documents, holder: 'a',
      onError: error => errors.push(error)
    })
    await t.rejects(reconciler.runOnce(), { code: 'BACKEND_UNAVAILABLE' })
    t.equal((await backend.totals()).success, 38)
    t.strictSame([...(await backend.watermarks()).keys()], ['report'])
    t.match(reconciler.status(), { recorded: 38, lastPassAt: null })
    t.match(reconciler.problem(), /may lack executions/)
    poisoned.clear()
    t.equal(await reconciler.runOnce(), 2)
    t.equal(reconciler.problem(), null)
    t.equal(errors.length, 1)
    await reconciler.stop()
  })
})

t.test('a backend that refuses everything is not tried for every single record', async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
  const executions = Array.from({ length: 7 * 40 }, () => makeExecution())
  let asked = 0
  const reconciler = createReconciler({
    backend: { ...backend, record: () => { asked++; return Promise.reject(new Error('disk full')) } },
    ...fakeBroker(executions), now: store.now, leases: store.documents, holder: 'a', onError() {}
  })
  await t.rejects(reconciler.runOnce(), { message: 'disk full' })
  t.ok(asked < 150, `${asked} writes`)
  await reconciler.stop()
})

t.test('a record that is refused slowly blocks no neighbour and no other task, ' +
  'and is retried after a while', async t => {
  const clock = letTimePass(t)
  const executions = Array.from({ length: 12 }, (_, i) =>
    makeExecution({ taskName: i < 9 ? 'a' : 'b', finishedAt: clock.startedAt - 1_000 - i }))
  const slow = new Set(executions.slice(0, 3))
  const { backend, stored } = fakeLedger(async batch => {
    if (!batch.some(each => slow.has(each))) return
    clock.pass(9_500)
    throw new Error('not answered')
  })
  const reconciler = createReconciler({
    backend, ...fakeBroker(executions), now: async () => clock.startedAt, leases: noLeases, holder: 'a', onError() {}
  })
  await t.rejects(reconciler.runOnce(), { message: 'not answered' })
  t.equal(stored.size, 9)
  const calls = stored.calls
  await t.rejects(reconciler.runOnce(), { message: 'not answered' }, 'the history still lacks them')
  t.equal(stored.calls, calls, 'not retried at once')
  slow.clear()
  clock.pass(5 * 60_000)
  t.equal(await reconciler.runOnce(), 3)
})

t.test('passes end even if the backend refuses every write slowly, and together they try every task', async t => {
  const clock = letTimePass(t)
  const names = Array.from({ length: 30 }, (_, i) => `task ${i}`)
  const executions = names.flatMap(taskName =>
    Array.from({ length: 7 }, (_, i) => makeExecution({ taskName, finishedAt: clock.startedAt - 1_000 - i })))
  const tried = new Set<string>()
  const { backend, stored } = fakeLedger(async batch => {
    for (const each of batch) tried.add(each.taskName)
    clock.pass(9_500)
    throw new Error('not answered')
  })
  const reconciler = createReconciler({
    backend, ...fakeBroker(executions), now: async () => clock.startedAt, leases: noLeases, holder: 'a', onError() {}
  })
  for (let pass = 1; tried.size < names.length; pass++) {
    stored.calls = 0
    await t.rejects(reconciler.runOnce(), { message: 'not answered' })
    if (stored.calls > 25 || pass > names.length) throw new Error(`pass ${pass} made ${stored.calls} writes`)
  }
  t.equal(stored.size, 0)
})

t.test('a problem warns when passes have failed for almost as long as the broker keeps finished executions', async t => {
  const { store } = await openHistory(t, await redisUrl(t))
  const reconciler = createReconciler({
    backend: {
      record: async () => 0, missing: async () => [], watermarks: () => Promise.reject(new Error('away')), saveWatermarks: async () => {},
      kept: () => Promise.reject(new Error('away'))
    },
    ...fakeBroker([makeExecution()]), now: store.now, leases: store.documents, holder: 'a', keptByBrokerMs: 200, everyMs: 20, onError() {}
  })
  reconciler.start()
  await until(() => /; the broker drops executions/.test(reconciler.problem() ?? ''))
  await reconciler.stop()
})

const noLeases = { acquireLease: async () => true, releaseLease: async () => {} }

/** The clocks of this process, moved forward by `pass`. */
function letTimePass(t: Test) {
  const { now } = performance
  const { now: dateNow } = Date
  const startedAt = dateNow()
  let passedMs = 0
  performance.now = () => now.call(performance) + passedMs
  Date.now = () => dateNow() + passedMs
  t.teardown(() => {
    performance.now = now
    Date.now = dateNow
  })
  return { startedAt, pass(ms: number) { passedMs += ms } }
}

/** A ledger that stores every batch for which `refuse` does not throw. */
function fakeLedger(refuse: (batch: readonly FinishedExecution[]) => Promise<void>) {
  const stored = Object.assign(new Set<string>(), { calls: 0 })
  const backend: ReconcilerOptions['backend'] = {
    async record(batch) {
      stored.calls++
      await refuse(batch)
      for (const { executionId } of batch) stored.add(executionId)
      return batch.length
    },
    missing: async ids => ids.filter(id => !stored.has(id)),
    watermarks: async () => new Map(),
    async saveWatermarks() {},
    kept: async () => ({ success: { count: 0, oldestFinishedAt: null }, failed: { count: 0, oldestFinishedAt: null }, prunedBefore: null })
  }
  return { backend, stored }
}

import t, { type Test } from 'tap'
import { createResultBackend } from '../../lib/backend/create-result-backend.ts'
import { createReconciler, type ReconcilerOptions } from '../../lib/backend/reconciler.ts'
import { createTaskDashboardError } from '../../lib/errors.ts'
import type { FinishedExecution } from '../../lib/execution.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import { until } from '../contracts/result-backend.ts'
import { onEveryStore, redisUrl, startRedis, testNamespace } from '../support/stores.ts'
import { makeExecution } from './make-execution.ts'

async function open(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  return { store, backend }
}

/** What a broker still has, a list a task, with the question it was asked. */
function brokerWith(executions: readonly FinishedExecution[], asked: Array<{ taskName: string; since: number }> = []): Pick<ReconcilerOptions, 'finishedSince' | 'taskNames'> {
  return {
    taskNames: async () => [...new Set(executions.map(each => each.taskName))],
    async * finishedSince(taskName, since, missing) {
      asked.push({ taskName, since })
      const own = executions.filter(each => each.taskName === taskName && each.finishedAt >= since)
      for (let i = 0; i < own.length; i += 7) {
        const batch = own.slice(i, i + 7)
        const wanted = new Set(await missing(batch.map(each => each.executionId)))
        yield batch.filter(each => wanted.has(each.executionId))
      }
    }
  }
}

t.test('what finished and was not recorded is brought, once', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await open(t, url)
    const executions = Array.from({ length: 60 }, (_, i) => makeExecution({ taskName: i % 2 ? '日報' : 'email:send', finishedAt: Date.now() - i * 1_000 }))
    const asked: Array<{ taskName: string; since: number }> = []
    await backend.record(executions.slice(10, 30))
    const reconciler = createReconciler({ backend, ...brokerWith(executions, asked), leases: store.documents, holder: 'a', onError: t.fail })
    const startedAt = Date.now()
    t.equal(await reconciler.runOnce(), 40)
    t.equal((await backend.totals()).success, 60)
    t.ok((await backend.watermark('日報'))! >= startedAt)
    t.equal(await reconciler.runOnce(), 0)
    t.strictSame(asked.slice(0, 2).map(each => each.since), [0, 0], 'the first pass reads all there is')
    t.ok(asked[2]!.since >= startedAt - 60_000 && asked[2]!.since <= Date.now() - 60_000, 'later ones from the watermark, with an overlap')
    t.match(reconciler.status(), { recorded: 40, lastError: null, failingSinceMs: null })
    t.ok(reconciler.status().lastPassAt! >= startedAt)
    await reconciler.stop()
  })
})

t.test('one process at a time does it, and another takes over when it stops', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const broker = brokerWith([makeExecution()])
  const [first, second] = ['a', 'b'].map(holder => createReconciler({ backend, ...broker, leases: store.documents, holder, onError: t.fail }))
  t.equal(await first!.runOnce(), 1)
  t.equal(await second!.runOnce(), null)
  await first!.stop()
  t.equal(await second!.runOnce(), 0)
  await second!.stop()
})

t.test('it starts at once, comes again, and stops', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const executions = [makeExecution()]
  const reconciler = createReconciler({ backend, ...brokerWith(executions), leases: store.documents, holder: 'a', everyMs: 20, onError: t.fail })
  reconciler.start()
  reconciler.start()
  await until(async () => (await backend.totals()).success === 1)
  executions.push(makeExecution())
  await until(async () => (await backend.totals()).success === 2)
  await reconciler.stop()
  await reconciler.stop()
  executions.push(makeExecution())
  const { lastPassAt } = reconciler.status()
  await new Promise(resolve => setTimeout(resolve, 100))
  t.equal(reconciler.status().lastPassAt, lastPassAt)
})

t.test('a backend that is away makes a pass fail, and nothing is lost when it is back', async t => {
  const server = await startRedis(t)
  const { backend } = await open(t, server.url)
  const { store: broker } = await open(t, await redisUrl(t))
  const errors: Error[] = []
  const executions = [makeExecution()]
  const reconciler = createReconciler({ backend, ...brokerWith(executions), leases: broker.documents, holder: 'a', everyMs: 50, onError: error => errors.push(error) })
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

t.test('a broker that is away makes a pass fail, and stop() ends all the same', async t => {
  const { backend } = await open(t, await redisUrl(t))
  const server = await startRedis(t)
  const { store: broker } = await open(t, server.url)
  const reconciler = createReconciler({ backend, ...brokerWith([makeExecution()]), leases: broker.documents, holder: 'a', onError() {} })
  await server.kill()
  await t.rejects(reconciler.runOnce())
  await reconciler.stop()
})

t.test('a task whose queue cannot be read does not keep the others from it, and its watermark stays', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const { finishedSince } = brokerWith([makeExecution()])
  const errors: Error[] = []
  const reconciler = createReconciler({
    backend,
    taskNames: async () => ['broken', 'email:send'],
    finishedSince: (taskName, since, missing) => {
      if (taskName === 'broken') throw new Error('a defect')
      return finishedSince(taskName, since, missing)
    },
    leases: store.documents,
    holder: 'a',
    onError: error => errors.push(error)
  })
  await t.rejects(reconciler.runOnce(), { message: 'a defect' })
  t.equal((await backend.totals()).success, 1)
  t.equal(await backend.watermark('broken'), null)
  t.not(await backend.watermark('email:send'), null)
  t.equal(errors.length, 1)
  await reconciler.stop()
})

t.test('what is refused keeps neither its batch nor another task from it, and its watermark stays', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await open(t, url)
    const executions = Array.from({ length: 40 }, (_, i) => makeExecution({ taskName: i < 30 ? 'email:send' : 'report', finishedAt: Date.now() - i * 1_000 }))
    const poisoned = new Set([executions[3]!.executionId, executions[4]!.executionId])
    const refusing = {
      ...backend,
      record: (batch: readonly FinishedExecution[]) => batch.some(each => poisoned.has(each.executionId))
        ? Promise.reject(createTaskDashboardError('BACKEND_UNAVAILABLE')) : backend.record(batch)
    }
    const errors: Error[] = []
    const reconciler = createReconciler({ backend: refusing, ...brokerWith(executions), leases: store.documents, holder: 'a', onError: error => errors.push(error) })
    await t.rejects(reconciler.runOnce(), { code: 'BACKEND_UNAVAILABLE' })
    t.equal((await backend.totals()).success, 38)
    t.equal(await backend.watermark('email:send'), null)
    t.not(await backend.watermark('report'), null)
    t.match(reconciler.status(), { recorded: 38, lastPassAt: null })
    t.match(reconciler.problem(), /may lack executions/)
    poisoned.clear()
    t.equal(await reconciler.runOnce(), 2)
    t.equal(reconciler.problem(), null)
    t.equal(errors.length, 1)
    await reconciler.stop()
  })
})

t.test('a backend that takes nothing at all is not asked record by record for ever', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const executions = Array.from({ length: 7 * 40 }, () => makeExecution())
  let asked = 0
  const reconciler = createReconciler({
    backend: { ...backend, record: () => { asked++; return Promise.reject(new Error('disk full')) } },
    ...brokerWith(executions), leases: store.documents, holder: 'a', onError() {}
  })
  await t.rejects(reconciler.runOnce(), { message: 'disk full' })
  t.ok(asked < 150, `${asked} writes`)
  await reconciler.stop()
})

t.test('what a worker finished whose clock is behind is brought, unless something of its time was removed', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await open(t, url)
    const now = Date.now()
    const [older, late] = [makeExecution({ finishedAt: now - 400_000 }), makeExecution({ finishedAt: now - 240_000 })]
    await backend.saveWatermark(late.taskName, now - 60_000)
    // As the engine does: of those before the time, what stands on the page that was read.
    async function * finishedSince(_: string, __: number, missing: (ids: string[]) => Promise<string[]>) {
      const wanted = new Set(await missing([older.executionId, late.executionId]))
      yield [older, late].filter(each => wanted.has(each.executionId))
    }
    const none = { count: 0, oldestFinishedAt: null }
    const shared = { finishedSince, taskNames: async () => [late.taskName], leases: store.documents, holder: 'a', onError: t.fail }
    const pruned = createReconciler({ backend: { ...backend, kept: async () => ({ success: none, failed: none, prunedBefore: now - 400_000 }) }, ...shared })
    t.equal(await pruned.runOnce(), 1)
    t.strictSame(await backend.missing([older.executionId, late.executionId]), [older.executionId])
    const reconciler = createReconciler({ backend, ...shared })
    t.equal(await reconciler.runOnce(), 1, 'nothing was removed here')
    await reconciler.stop()
  })
})

t.test('a long comparison ends when it is stopped, or when another process has the lease, and no watermark is saved', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  let pages = 0
  let isLost = false
  const leases = { ...store.documents, acquireLease: async () => !isLost }
  const create = (onPage: () => void) => createReconciler({
    backend,
    // Nothing is missing on any page, so nothing is yielded.
    async * finishedSince(_, __, missing) {
      for (let i = 0; i < 1_000; i++) {
        pages++
        await missing([])
        onPage()
      }
    },
    taskNames: async () => ['email:send'], leases, holder: 'a', onError: t.fail
  })
  const stopped = create(() => { void stopped.stop() })
  t.equal(await stopped.runOnce(), 0)
  const lost = create(() => { isLost = true })
  t.equal(await lost.runOnce(), 0)
  t.equal(pages, 4, 'each met it at the next page')
  t.equal(await backend.watermark('email:send'), null)
})

t.test('what retention removed does not come back with a task that was not known for a while', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const now = Date.now()
  const [before, after] = [makeExecution({ finishedAt: now - 600_000 }), makeExecution({ finishedAt: now - 500_000 })]
  await backend.saveWatermark(before.taskName, now - 599_000)
  const none = { count: 0, oldestFinishedAt: null }
  const reconciler = createReconciler({
    backend: { ...backend, kept: async () => ({ success: none, failed: none, prunedBefore: now - 300_000 }) },
    ...brokerWith([before, after]), leases: store.documents, holder: 'a', onError: t.fail
  })
  t.equal(await reconciler.runOnce(), 1)
  t.strictSame(await backend.missing([before.executionId, after.executionId]), [before.executionId], 'what finished since was never recorded')
  await reconciler.stop()
})

t.test('a pass that fails for nearly as long as the broker keeps what finished says so', async t => {
  const { store } = await open(t, await redisUrl(t))
  const reconciler = createReconciler({
    backend: { record: async () => 0, missing: async () => [], watermark: () => Promise.reject(new Error('away')), saveWatermark: async () => {}, kept: () => Promise.reject(new Error('away')) },
    ...brokerWith([makeExecution()]), leases: store.documents, holder: 'a', keptByBrokerMs: 200, everyMs: 20, onError() {}
  })
  reconciler.start()
  await until(() => /; the broker forgets executions/.test(reconciler.problem() ?? ''))
  await reconciler.stop()
})

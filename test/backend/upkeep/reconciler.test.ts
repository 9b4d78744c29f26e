import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { type ReconcilerOptions, createReconciler } from '../../../lib/backend/upkeep/reconciler.ts'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { until } from '../../contracts/result-backend.ts'
import { onEveryStore, redisUrl, startRedis, testNamespace } from '../../support/stores.ts'
import { fakeBroker } from './fake-broker.ts'
import { makeExecution } from '../make-execution.ts'

async function open(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  return { store, backend }
}

t.test('what finished and was not recorded is brought, once', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await open(t, url)
    const now = await store.now()
    const executions = Array.from({ length: 60 }, (_, i) =>
      makeExecution({ taskName: i % 2 ? '日報' : 'email:send', finishedAt: now - i * 1_000 }))
    const broker = fakeBroker(executions)
    await backend.record(executions.slice(10, 30))
    const reconciler = createReconciler({ backend, ...broker, now: store.now, leases: store.documents, holder: 'a', onError: t.fail })
    const startedAt = Date.now()
    t.equal(await reconciler.runOnce(), 40)
    t.equal((await backend.totals()).success, 60)
    t.strictSame(broker.asked.map(each => each.since), [0, 0], 'the first pass reads all there is')
    t.strictSame(
      await backend.watermarks(), new Map([['email:send', now], ['日報', now - 1_000]]),
      'the newest finish that was seen, and not the time of the pass'
    )
    t.equal(await reconciler.runOnce(), 0)
    t.strictSame(broker.asked.slice(2).map(each => each.since), [now - 60_000, now - 61_000], 'from the watermark, with an overlap')
    t.match(reconciler.status(), { recorded: 40, lastError: null, failingSinceMs: null })
    t.ok(reconciler.status().lastPassAt! >= startedAt)
    await reconciler.stop()
  })
})

t.test('the overlap is read until it is over, then what is newer alone', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const last = makeExecution({ finishedAt: Date.now() })
  const broker = fakeBroker([last])
  let now = last.finishedAt
  const reconciler = createReconciler({ backend, ...broker, now: async () => now, leases: store.documents, holder: 'a', onError: t.fail })
  t.equal(await reconciler.runOnce(), 1)
  // It became visible after its own time.
  broker.executions.push(makeExecution({ finishedAt: last.finishedAt - 5_000 }))
  t.equal(await reconciler.runOnce(), 1)
  now += 61_000
  t.equal(await reconciler.runOnce(), 0)
  const asked: number[] = []
  const { newestFinished } = broker
  const watched = createReconciler({
    backend, ...broker,
    newestFinished: async queries => { asked.push(...queries.map(each => each.sinceMs)); return await newestFinished(queries) },
    now: async () => now, leases: store.documents, holder: 'a', onError: t.fail
  })
  await watched.runOnce()
  await watched.runOnce()
  t.strictSame(asked, [last.finishedAt - 60_000, last.finishedAt + 1], 'by each process once')
  t.equal((await backend.watermarks()).get(last.taskName), last.finishedAt)
  await reconciler.stop()
})

t.test('the clock of the broker decides, and the watermark is a finish that was seen', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const now = await store.now()
  const ahead = makeExecution({ finishedAt: now + 3_000_000 })
  const broker = fakeBroker([ahead], { taskNames: [ahead.taskName, 'nothing yet'] })
  const { now: clock } = Date
  // This process is ten minutes ahead too.
  Date.now = () => clock() + 600_000
  t.teardown(() => { Date.now = clock })
  const reconciler = createReconciler({ backend, ...broker, now: async () => now, leases: store.documents, holder: 'a', onError: t.fail })
  t.equal(await reconciler.runOnce(), 1)
  t.strictSame(
    await backend.watermarks(), new Map([[ahead.taskName, now]]), 'not beyond the broker either, and none where nothing was seen'
  )
  broker.executions.push(makeExecution({ finishedAt: now - 30_000 }))
  t.equal(await reconciler.runOnce(), 1)
  await reconciler.stop()
})

t.test('a pass over idle tasks takes the same few calls, however many there are', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const countOf = async (tasks: number) => {
    const finishedAt = Date.now() - 600_000
    const executions = Array.from({ length: tasks }, (_, i) => makeExecution({ taskName: `task ${i}`, finishedAt }))
    for (let i = 0; i < tasks; i += 500) await backend.record(executions.slice(i, i + 500))
    await backend.saveWatermarks(new Map(executions.map(each => [each.taskName, finishedAt])))
    const broker = fakeBroker(executions)
    const asked: string[] = []
    const counted = (name: 'missing' | 'watermarks' | 'saveWatermarks' | 'kept' | 'record') => (...parameters: never[]) => {
      asked.push(name)
      return (backend[name] as (...parameters: never[]) => never)(...parameters)
    }
    const reconciler = createReconciler({
      backend: {
        missing: counted('missing'), watermarks: counted('watermarks'), saveWatermarks: counted('saveWatermarks'), kept: counted('kept'),
        record: counted('record')
      },
      ...broker, now: store.now, holder: 'a', onError: t.fail,
      leases: {
        ...store.documents, acquireLease: (...parameters) => { asked.push('lease'); return store.documents.acquireLease(...parameters) }
      }
    })
    await reconciler.runOnce()
    asked.length = broker.calls.length = 0
    t.equal(await reconciler.runOnce(), 0)
    await reconciler.stop()
    return [...asked, ...broker.calls]
  }
  t.strictSame((await countOf(1)).sort(), ['lease', 'newestFinished', 'watermarks'])
  t.strictSame(
    (await countOf(2_000)).sort(), ['lease', 'newestFinished', 'newestFinished', 'newestFinished', 'newestFinished', 'watermarks']
  )
})

t.test('the watermark of a task that nobody registers any more is forgotten after a week', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await open(t, url)
    const now = await store.now()
    const DAY_MS = 86_400_000
    await backend.saveWatermarks(new Map([['known', now - 8 * DAY_MS], ['away', now - 6 * DAY_MS], ['forgotten', now - 8 * DAY_MS]]))
    const reconciler = createReconciler({
      backend, ...fakeBroker([], { taskNames: ['known'] }), now: store.now, leases: store.documents, holder: 'a', onError: t.fail
    })
    t.equal(await reconciler.runOnce(), 0)
    t.strictSame([...(await backend.watermarks()).keys()].sort(), ['away', 'known'])
    await reconciler.stop()
  })
})

t.test('one process at a time does it, and another takes over when it stops', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const broker = { ...fakeBroker([makeExecution()]), now: store.now }
  const [first, second] = ['a', 'b'].map(
    holder => createReconciler({ backend, ...broker, leases: store.documents, holder, onError: t.fail }
    ))
  t.equal(await first!.runOnce(), 1)
  t.equal(await second!.runOnce(), null)
  await first!.stop()
  t.equal(await second!.runOnce(), 0)
  await second!.stop()
})

t.test('it starts at once, comes again, and stops', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  const executions = [makeExecution()]
  const reconciler = createReconciler({
    backend, ...fakeBroker(executions), now: store.now, leases: store.documents, holder: 'a', everyMs: 20, onError: t.fail
  })
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

t.test('a broker that is away makes a pass fail, and stop() ends all the same', async t => {
  const { backend } = await open(t, await redisUrl(t))
  const server = await startRedis(t)
  const { store: broker } = await open(t, server.url)
  const reconciler = createReconciler({
    backend, ...fakeBroker([makeExecution()]), now: broker.now, leases: broker.documents, holder: 'a', onError() {}
  })
  await server.kill()
  await t.rejects(reconciler.runOnce())
  await reconciler.stop()
})

t.test('a task whose queue cannot be read does not keep the others from it, and its watermark stays', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
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

t.test('what is refused keeps neither its batch nor another task from it, and its watermark stays', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await open(t, url)
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

t.test('a backend that takes nothing at all is not asked record by record for ever', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
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

t.test('a record that is refused slowly keeps no neighbour and no other task from the history, and ' +
  'is tried again after a while', async t => {
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
  t.equal(stored.calls, calls, 'not asked again at once')
  slow.clear()
  clock.pass(5 * 60_000)
  t.equal(await reconciler.runOnce(), 3)
})

t.test('passes end when a backend that reads takes its time to refuse every write, and come to each task in turn', async t => {
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

t.test('a long comparison ends when it is stopped, or when another process has the lease, and no watermark is saved', async t => {
  const { store, backend } = await open(t, await redisUrl(t))
  let pages = 0
  let isLost = false
  const leases = { ...store.documents, acquireLease: async () => !isLost }
  const create = (onPage: () => void) => createReconciler({
    backend,
    ...fakeBroker(Array.from({ length: 30 }, () => makeExecution())),
    // Nothing is missing on any page, so nothing is yielded.
    async * finishedSince(_, __, missing) {
      for (let i = 0; i < 1_000; i++) {
        pages++
        await missing([])
        onPage()
      }
    },
    now: store.now, leases, holder: 'a', onError: t.fail
  })
  const stopped = create(() => { void stopped.stop() })
  t.equal(await stopped.runOnce(), 0)
  const lost = create(() => { isLost = true })
  t.equal(await lost.runOnce(), 0)
  t.equal(pages, 4, 'each met it at the next page')
  t.strictSame(await backend.watermarks(), new Map())
})

t.test('what retention removed long ago does not come back with a task that nobody knew for a while', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await open(t, url)
    const now = await store.now()
    const [before, after] = [makeExecution({ finishedAt: now - 9_000_000 }), makeExecution({ finishedAt: now - 8_000_000 })]
    const removed = makeExecution({ finishedAt: now - 8_500_000 })
    await backend.record([before, removed])
    const nothing = { maxAgeMs: 0, maxCount: 0 }
    // The sweeper had got further: their ids are not remembered.
    await backend.prune({ success: nothing, failed: nothing }, {
      nowMs: now, keepAfterMs: now, brokerHasAfterMs: now - 7_200_000, limit: 10
    })
    const broker = fakeBroker([before, after])
    const reconciler = createReconciler({
      backend, ...broker, brokerHasAfter: async () => now - 7_200_000, now: store.now, leases: store.documents, holder: 'a', onError: t.fail
    })
    t.equal(await reconciler.runOnce(), 1)
    t.ok(await backend.find(after.executionId), 'what finished since was never recorded')
    t.equal(await backend.find(before.executionId), null)
    await reconciler.stop()
  })
})

t.test('a pass that fails for nearly as long as the broker keeps what finished says so', async t => {
  const { store } = await open(t, await redisUrl(t))
  const reconciler = createReconciler({
    backend: {
      record: async () => 0, missing: async () => [], watermarks: () => Promise.reject(new Error('away')), saveWatermarks: async () => {},
      kept: () => Promise.reject(new Error('away'))
    },
    ...fakeBroker([makeExecution()]), now: store.now, leases: store.documents, holder: 'a', keptByBrokerMs: 200, everyMs: 20, onError() {}
  })
  reconciler.start()
  await until(() => /; the broker forgets executions/.test(reconciler.problem() ?? ''))
  await reconciler.stop()
})

const noLeases = { acquireLease: async () => true, releaseLease: async () => {} }

/** The clocks of this process, which go on as they are told. */
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

/** Stores what `refuse` does not throw for. */
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

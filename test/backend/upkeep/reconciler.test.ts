import t from 'tap'
import { createReconciler } from '../../../lib/backend/upkeep/reconciler.ts'
import { until } from '../../contracts/result-backend.ts'
import { onEveryStore, redisUrl } from '../../support/servers/stores.ts'
import { fakeBroker } from './fake-broker.ts'
import { makeExecution } from '../make-execution.ts'
import { openHistory } from './open-history.ts'

t.test('executions that finished without being recorded are recorded once', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await openHistory(t, url)
    const now = await store.now()
    const executions = Array.from({ length: 60 }, (_, i) =>
      makeExecution({ taskName: i % 2 ? '日報' : 'email:send', finishedAt: now - i * 1_000 }))
    const broker = fakeBroker(executions)
    await backend.record(executions.slice(10, 30))
    const reconciler = createReconciler({ backend, ...broker, now: store.now, leases: store.documents, holder: 'a', onError: t.fail })
    const startedAt = Date.now()
    t.equal(await reconciler.runOnce(), 40)
    t.equal((await backend.totals()).success, 60)
    t.strictSame(broker.asked.map(each => each.since), [0, 0], 'the first pass reads everything')
    t.strictSame(
      await backend.watermarks(), new Map([['email:send', now], ['日報', now - 1_000]]),
      'the latest finish it read, not the time of the pass'
    )
    t.equal(await reconciler.runOnce(), 0)
    t.strictSame(broker.asked.slice(2).map(each => each.since), [now - 60_000, now - 61_000], 'one minute before the watermark')
    t.match(reconciler.status(), { recorded: 40, lastError: null, failingSinceMs: null })
    t.ok(reconciler.status().lastPassAt! >= startedAt)
    await reconciler.stop()
  })
})

t.test('the minute before the watermark is compared again until a minute has passed, then only newer executions', async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
  const last = makeExecution({ finishedAt: Date.now() })
  const broker = fakeBroker([last])
  let now = last.finishedAt
  const reconciler = createReconciler({ backend, ...broker, now: async () => now, leases: store.documents, holder: 'a', onError: t.fail })
  t.equal(await reconciler.runOnce(), 1)
  // It became visible later than its own finish time.
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
  t.strictSame(asked, [last.finishedAt - 60_000, last.finishedAt + 1], 'once per process')
  t.equal((await backend.watermarks()).get(last.taskName), last.finishedAt)
  await reconciler.stop()
})

t.test("the reconciler uses the broker's clock, and the watermark never exceeds it", async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
  const now = await store.now()
  const ahead = makeExecution({ finishedAt: now + 3_000_000 })
  const broker = fakeBroker([ahead], { taskNames: [ahead.taskName, 'nothing yet'] })
  const { now: clock } = Date
  // The clock of this process is ten minutes fast too.
  Date.now = () => clock() + 600_000
  t.teardown(() => { Date.now = clock })
  const reconciler = createReconciler({ backend, ...broker, now: async () => now, leases: store.documents, holder: 'a', onError: t.fail })
  t.equal(await reconciler.runOnce(), 1)
  t.strictSame(
    await backend.watermarks(), new Map([[ahead.taskName, now]]), 'never later than the broker, and none without executions'
  )
  broker.executions.push(makeExecution({ finishedAt: now - 30_000 }))
  t.equal(await reconciler.runOnce(), 1)
  await reconciler.stop()
})

t.test('a pass over idle tasks makes one call per 500 tasks', async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
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

t.test('the watermark of a task that is no longer registered is forgotten after a week', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await openHistory(t, url)
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

t.test('one process reconciles at a time, and another takes over when it stops', async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
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

t.test('start() runs the first pass at once and more later, and stop() ends them', async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
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

t.test('stop() or losing the lease ends a long comparison, and no watermark is saved', async t => {
  const { store, backend } = await openHistory(t, await redisUrl(t))
  let pages = 0
  let isLost = false
  const leases = { ...store.documents, acquireLease: async () => !isLost }
  const create = (onPage: () => void) => createReconciler({
    backend,
    ...fakeBroker(Array.from({ length: 30 }, () => makeExecution())),
    // No page misses anything, so nothing is yielded.
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
  t.equal(pages, 4, 'each ended at the next page')
  t.strictSame(await backend.watermarks(), new Map())
})

t.test('executions that retention removed do not return when their task is known again', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend } = await openHistory(t, url)
    const now = await store.now()
    const [before, after] = [makeExecution({ finishedAt: now - 9_000_000 }), makeExecution({ finishedAt: now - 8_000_000 })]
    const removed = makeExecution({ finishedAt: now - 8_500_000 })
    await backend.record([before, removed])
    const nothing = { maxAgeMs: 0, maxCount: 0 }
    // The sweeper is already past them, so their ids are not remembered.
    await backend.prune({ success: nothing, failed: nothing }, {
      nowMs: now, keepAfterMs: now, brokerHasAfterMs: now - 7_200_000, limit: 10
    })
    const broker = fakeBroker([before, after])
    const reconciler = createReconciler({
      backend, ...broker, brokerHasAfter: async () => now - 7_200_000, now: store.now, leases: store.documents, holder: 'a', onError: t.fail
    })
    t.equal(await reconciler.runOnce(), 1)
    t.ok(await backend.find(after.executionId), 'what finished since then was never recorded')
    t.equal(await backend.find(before.executionId), null)
    await reconciler.stop()
  })
})

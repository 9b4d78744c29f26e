import t, { type Test } from 'tap'
import { createBrokerMark } from '../../../lib/backend/upkeep/broker-mark.ts'
import { createReconciler } from '../../../lib/backend/upkeep/reconciler.ts'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { createSweeper, type SweeperOptions } from '../../../lib/backend/upkeep/sweeper.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { onEveryStore, redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { fakeBroker } from './fake-broker.ts'
import { makeExecution } from '../make-execution.ts'

const HOUR_MS = 3_600_000

async function open(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const mark = createBrokerMark(store.documents)
  const create = (broker: ReturnType<typeof fakeBroker>, more: Partial<SweeperOptions> = {}) => {
    const sweeper = createSweeper({
      backend, ...broker, mark, now: store.now, leases: store.documents, holder: 'a', keptMs: HOUR_MS, onError: t.fail, ...more
    })
    t.teardown(() => sweeper.stop())
    return sweeper
  }
  return { store, backend, mark, create, now: await store.now() }
}

t.test('what finished over an hour ago leaves the broker, and what was never recorded is recorded first', async t => {
  await onEveryStore(t, async (t, url) => {
    const { backend, mark, create, now } = await open(t, url)
    const old = Array.from({ length: 30 }, (_, i) => makeExecution({ taskName: `task ${i % 7}`, finishedAt: now - HOUR_MS - 1_000 - i }))
    const fresh = makeExecution({ finishedAt: now - HOUR_MS + 60_000 })
    const broker = fakeBroker([...old, fresh], { taskNames: [...old.map(each => each.taskName), fresh.taskName, 'idle'] })
    await backend.record(old.slice(0, 20))
    const nothing = { maxAgeMs: 0, maxCount: 0 }
    await backend.prune({ success: nothing, failed: nothing }, {
      nowMs: now, keepAfterMs: now, brokerHasAfterMs: await mark.brokerHasAfter(), limit: 10
    })
    t.equal(await create(broker, { stepSize: 4 }).runOnce(), 30)
    t.strictSame(broker.executions, [fresh])
    t.equal((await backend.totals()).success, 30, 'each counted once')
    t.ok(Math.abs(await mark.brokerHasAfter() - (now - 2 * HOUR_MS)) < 60_000)
  })
})

t.test('the broker keeps unrecorded executions for one more hour, then they are removed and reported', async t => {
  const { backend, mark, create, now } = await open(t, await redisUrl(t))
  const executions = [
    makeExecution({ taskName: 'a', finishedAt: now - HOUR_MS - 1_000 }),
    makeExecution({ taskName: 'b', finishedAt: now - 2 * HOUR_MS - 1_000 })
  ]
  const broker = fakeBroker([...executions])
  const errors: string[] = []
  let isAway = true
  const away = { ...backend, missing: (ids: readonly string[]) => isAway ? Promise.reject(new Error('away')) : backend.missing(ids) }
  const sweeper = create(broker, { backend: away, onError: error => errors.push(error.message) })
  await t.rejects(sweeper.runOnce(), { message: 'away' })
  t.strictSame(broker.executions, executions.slice(0, 1))
  t.strictSame(
    errors, ['1 executions left the broker without being compared with the history for 120 minutes: they may be missing from it', 'away']
  )
  t.equal(await mark.brokerHasAfter(), -Infinity, 'the broker still holds one')
  t.equal(sweeper.problem(), null, 'not at once')
  const { now: clock } = Date
  Date.now = () => clock() + 660_000
  t.teardown(() => { Date.now = clock })
  t.match(sweeper.problem(), /keeps finished executions for longer than 60 minutes: removing them has failed since/)
  isAway = false
  t.equal(await sweeper.runOnce(), 1)
  t.equal(sweeper.problem(), null)
  t.strictSame((await backend.missing(executions.map(each => each.executionId))), [executions[1]!.executionId])
})

t.test('an execution that the history refuses does not keep others in the broker', async t => {
  const { backend, create, now } = await open(t, await redisUrl(t))
  const executions = Array.from({ length: 20 }, (_, i) =>
    makeExecution({ taskName: i < 10 ? 'a' : 'b', finishedAt: now - HOUR_MS - 1_000 - i }))
  const poisoned = executions[4]!
  const broker = fakeBroker([...executions])
  const refusing: SweeperOptions['backend'] = {
    ...backend,
    record: batch =>
      batch.some(each => each.executionId === poisoned.executionId) ? Promise.reject(new Error('refused')) : backend.record(batch)
  }
  await t.rejects(create(broker, { backend: refusing, onError() {} }).runOnce(), { message: 'refused' })
  t.strictSame(broker.executions, [poisoned])
  t.equal((await backend.totals()).success, 19)
})

t.test('a queue that cannot be read does not keep others in the broker', async t => {
  const { backend, create, now } = await open(t, await redisUrl(t))
  const executions = ['a', 'b', 'broken', 'c'].map(taskName => makeExecution({ taskName, finishedAt: now - HOUR_MS - 1_000 }))
  await backend.record(executions)
  const broker = fakeBroker([...executions])
  const finishedBefore: SweeperOptions['finishedBefore'] = async (names, ...rest) => {
    if (names.includes('broken')) throw new Error('a defect')
    return await broker.finishedBefore(names, ...rest)
  }
  await t.rejects(create(broker, { finishedBefore, onError() {} }).runOnce(), { message: 'a defect' })
  t.strictSame(broker.executions.map(each => each.taskName), ['broken'])
})

t.test('one process at a time sweeps, and stop() ends it between two steps', async t => {
  const { backend, create, now } = await open(t, await redisUrl(t))
  const executions = Array.from({ length: 50 }, (_, i) => makeExecution({ finishedAt: now - HOUR_MS - 1_000 - i }))
  await backend.record(executions)
  const broker = fakeBroker([...executions])
  const removeFinished: SweeperOptions['removeFinished'] = async (references, beforeMs) => {
    void first.stop()
    return await broker.removeFinished(references, beforeMs)
  }
  const first = create(broker, { stepSize: 5, everyMs: 1, removeFinished })
  const second = create(broker, { holder: 'b' })
  const running = first.runOnce()
  t.equal(await running, 5)
  await first.stop()
  t.equal(broker.executions.length, 45)
  t.equal(await second.runOnce(), 45)
  const third = create(broker, { holder: 'c' })
  t.equal(await third.runOnce(), null)
  await second.stop()
  t.equal(await third.runOnce(), 0)
})

t.test('a pass over idle tasks makes one call per 500 tasks', async t => {
  const { create } = await open(t, await redisUrl(t))
  const countOf = async (tasks: number) => {
    const broker = fakeBroker([], { taskNames: Array.from({ length: tasks }, (_, i) => `task ${i}`) })
    const asked = {
      missing: () => t.fail('asked'), record: () => t.fail('recorded'), kept: () => t.fail('asked')
    } as unknown as SweeperOptions['backend']
    t.equal(await create(broker, { backend: asked }).runOnce(), 0)
    return broker.calls
  }
  t.strictSame(await countOf(1), ['finishedBefore'])
  t.strictSame(await countOf(2_000), ['finishedBefore', 'finishedBefore', 'finishedBefore', 'finishedBefore'])
})

t.test('executions that stop() left unrecorded stay in the broker, however old they are', async t => {
  const { backend, create, now } = await open(t, await redisUrl(t))
  const executions = Array.from({ length: 10 }, (_, i) => makeExecution({ taskName: 'a', finishedAt: now - 3 * HOUR_MS - i }))
  const broker = fakeBroker([...executions])
  const first = create(broker, {
    async * readFinished() {
      yield executions.slice(0, 4)
      void first.stop()
      yield executions.slice(4)
    }
  })
  t.equal(await first.runOnce(), 4)
  t.strictSame(broker.executions, executions.slice(4))
  await first.stop()
  t.equal(await create(broker, { holder: 'b' }).runOnce(), 6)
  t.equal((await backend.totals()).success, 10)
})

t.test('executions removed unrecorded are reported once, although their removal is retried and the lease is lost', async t => {
  const { store, backend, create, now } = await open(t, await redisUrl(t))
  const broker = fakeBroker(['a', 'b', 'b'].map(taskName => makeExecution({ taskName, finishedAt: now - 3 * HOUR_MS })))
  const errors: string[] = []
  let removals = 0
  const sweeper = create(broker, {
    backend: { ...backend, record: () => Promise.reject(new Error('refused')) },
    async removeFinished(references, beforeMs) {
      if (removals++ === 0) throw new Error('no answer')
      return await broker.removeFinished(references, beforeMs)
    },
    leases: {
      ...store.documents,
      acquireLease: (name, holder, ttlMs) =>
        broker.executions.length === 0 ? Promise.resolve(false) : store.documents.acquireLease(name, holder, ttlMs)
    },
    onError: error => errors.push(error.message)
  })
  t.equal(await sweeper.runOnce(), 3)
  t.strictSame(errors, [
    '3 executions left the broker without being compared with the history for 120 minutes: they may be missing from it'
  ])
})

t.test('a sweeper that was frozen does not count again what another process recorded and retention removed since', async t => {
  const { store, backend, mark, create, now } = await open(t, await redisUrl(t))
  const execution = makeExecution({ taskName: 'a', finishedAt: now - 4 * HOUR_MS })
  const broker = fakeBroker([execution])
  let thaw = (): void => {}
  const frozen = new Promise<void>(resolve => { thaw = resolve })
  let isRead = (): void => {}
  const read = new Promise<void>(resolve => { isRead = resolve })
  const first = create({ ...broker, async * readFinished(references) {
    for await (const executions of broker.readFinished(references)) {
      isRead()
      await frozen
      yield executions
    }
  } }, { holder: 'first' })
  const firstPass = first.runOnce()
  await read
  await store.documents.releaseLease('result-backend:sweeper', 'first')
  const second = create(broker, { holder: 'second' })
  t.equal(await second.runOnce(), 1)
  const nothing = { maxAgeMs: 0, maxCount: 0 }
  await backend.prune({ success: nothing, failed: nothing }, {
    nowMs: now, keepAfterMs: now, brokerHasAfterMs: await mark.brokerHasAfter(), limit: 10
  })
  await second.stop()
  thaw()
  await firstPass
  t.equal((await backend.totals()).success, 1)
})

t.test('a sweeper that was frozen while another took over does not move the mark back, ' +
  'and what was pruned is not counted again', async t => {
  await onEveryStore(t, async (t, url) => {
    const { store, backend, mark, create, now } = await open(t, url)
    const pruned = makeExecution({ taskName: 'a', finishedAt: now - 4 * HOUR_MS })
    await backend.record([pruned])
    const nothing = { maxAgeMs: 0, maxCount: 0 }
    await backend.prune({ success: nothing, failed: nothing }, { nowMs: now, keepAfterMs: now, brokerHasAfterMs: -Infinity, limit: 10 })

    const broker = fakeBroker([])
    let thaw = (): void => {}
    const frozen = new Promise<void>(resolve => { thaw = resolve })
    let begin = (): void => {}
    const begun = new Promise<void>(resolve => { begin = resolve })
    // Its clock shows the time when it began, four hours ago.
    let clock = now - 4 * HOUR_MS
    const first = create(broker, {
      holder: 'first', now: async () => clock, taskNames: async () => { begin(); await frozen; return ['a'] }
    })
    const firstPass = first.runOnce()
    await begun
    await store.documents.releaseLease('result-backend:sweeper', 'first')
    await create(broker, { holder: 'second' }).runOnce()
    const before = await mark.brokerHasAfter()
    t.ok(Math.abs(before - (now - 2 * HOUR_MS)) < 60_000)
    // This forgets the ids that the broker no longer holds.
    await backend.prune({ success: nothing, failed: nothing }, { nowMs: now, keepAfterMs: now, brokerHasAfterMs: before, limit: 10 })
    t.strictSame(await backend.missing([pruned.executionId]), [pruned.executionId])
    await create(broker, { holder: 'second' }).stop()
    clock = await store.now()
    thaw()
    await firstPass
    t.equal(await mark.brokerHasAfter(), before)
    await mark.save(now + 24 * HOUR_MS, now + 24 * HOUR_MS)
    await mark.save(before + HOUR_MS, now)
    t.equal(await mark.brokerHasAfter(), before, 'moves back only from a time in the future, saved by a wrong clock')

    // A forgotten queue returns with an execution that was pruned long ago.
    const old = fakeBroker([pruned])
    const reconciler = createReconciler({
      backend, ...old, brokerHasAfter: mark.brokerHasAfter, now: store.now, leases: store.documents, holder: 'first', onError: t.fail
    })
    t.equal(await reconciler.runOnce(), 0)
    t.equal((await backend.totals()).success, 1)
    await reconciler.stop()
  })
})

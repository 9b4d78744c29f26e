import { Redis } from 'ioredis'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { TaskDashboardError } from '../../lib/errors.ts'
import type { ScheduleControl, ScheduleControlOptions } from '../../lib/scheduler/schedule-control.ts'
import type { MissRecord, ScheduleInput } from '../../lib/scheduler/schedules.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import type { DocumentStore } from '../../lib/stores/documents/documents.ts'
import { createStoreClock, ownClock } from '../../lib/stores/store-clock.ts'
import { onEveryStore, redisUrl, startRedis, testNamespace } from '../support/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { openSchedules } from './open-schedules.ts'

const MINUTE = 60_000
const MINUTELY: ScheduleInput = { taskName: 'report', timing: { intervalMs: MINUTE, timezone: 'UTC' } }
const FAST = { watchEveryMs: 200, convergeEveryMs: 500 }

const codeOf = (work: Promise<unknown>) => work.then(() => 'done', (error: TaskDashboardError) => error.code)
const briefly = ({ kind, reason, count }: MissRecord) => [kind, reason, count]

t.test('what is off does not start: a run that a slow process let in before is left out', async t => onEveryStore(t, async (t, url) => {
  const { start, store } = await openSchedules(t, url)
  const operator = await start()
  // What is written between the definition and the start of a run is written when the test says so.
  let asked = () => {}
  let gate = Promise.resolve()
  const { documents } = store
  const slow = await start({
    documents: {
      ...documents,
      async put(collection, ...rest) {
        if (collection === 'schedule-ledgers') {
          asked()
          await gate
        }
        return documents.put(collection, ...rest)
      }
    }
  })
  for (const off of [
    (scheduleId: string) => operator.setEnabled(scheduleId, false),
    (scheduleId: string) => operator.update(scheduleId, { enabled: false }),
    (scheduleId: string) => operator.delete(scheduleId)
  ]) {
    const { scheduleId } = await operator.create({ ...MINUTELY, overlap: 'skip' })
    let open = () => {}
    gate = new Promise(resolve => { open = resolve })
    const isLetIn = new Promise<void>(resolve => { asked = resolve })
    const decision = slow.beforeRun({ scheduleId, executionId: 'a', dueAt: Date.now() })
    await isLetIn
    await off(scheduleId)
    open()
    t.equal(await decision, 'disabled')
  }
}))

t.test('a run that was let in has started when a disable is answered', async t => {
  const { start } = await openSchedules(t, await redisUrl(t))
  const [operator, worker] = [await start(), await start()]
  const { scheduleId } = await operator.create(MINUTELY)
  let isOff = false
  const starts: string[] = []
  const runs = (async () => {
    for (let run = 0; starts.length < 3 || !isOff; run++) {
      const decision = await worker.beforeRun({ scheduleId, executionId: String(run), dueAt: Date.now() })
      starts.push(`${decision} ${isOff ? 'after' : 'before'}`)
    }
  })()
  await waitFor('a run', async () => starts.length > 0)
  await operator.setEnabled(scheduleId, false)
  isOff = true
  await runs
  t.ok(starts.includes('run before'))
  t.notOk(starts.includes('run after'))
})

t.test('a process far from the store asks twice before a run, and starts none after a disable was answered', async t => {
  const { start, store } = await openSchedules(t, await redisUrl(t))
  const operator = await start()
  const far = startFar(store.documents, 300)
  const worker = await start({ documents: far.documents })
  const { scheduleId } = await operator.create(MINUTELY)
  const run = (name: string) => worker.beforeRun({ scheduleId, executionId: name, dueAt: Date.now() })
  // The first has to tell the others how far away it is.
  await run('first')
  await worker.converge()
  far.flights = 0
  t.equal(await run('second'), 'run')
  t.equal(far.flights, 2, 'what stands of the schedule, then the books together with a second look')

  let answered = 0
  const early: boolean[] = []
  for (let round = 1; round <= 3; round++) {
    await operator.setEnabled(scheduleId, true)
    const runs = Array.from({ length: 8 }, async (_, index) => {
      await sleep(index * 100)
      const decision = await run(`${round} ${index}`)
      if (decision === 'run') early.push(answered < round)
    })
    await sleep(500)
    await operator.setEnabled(scheduleId, false)
    answered = round
    await Promise.all(runs)
  }
  t.ok(early.length > 0, 'some were let in')
  t.notOk(early.includes(false))
})

t.test('a process whose clock is an hour ahead of the broker counts none as missed that the engine never planned', async t => {
  const { start, engine } = await openSchedules(t, await redisUrl(t))
  const control = await start({ clock: createStoreClock(async () => Date.now() - 60 * MINUTE) })
  const { scheduleId } = await control.create(MINUTELY)
  await control.setEnabled(scheduleId, false)
  await control.setEnabled(scheduleId, true)
  const [planned] = await engine.listSchedulers(['report'])
  t.equal(await control.beforeRun({ scheduleId, executionId: 'a', dueAt: planned!.nextRunAt }), 'run')
  t.strictSame(await control.misses(scheduleId), [])
  t.match(control.status(), { healthy: false, message: /^The clock of this process is 3600 s ahead of the broker's: set it right/ })
})

/** Documents at a distance: `flights` counts calls after each other. */
function startFar(documents: DocumentStore, roundTripMs: number) {
  let inFlight = 0
  const far = {
    flights: 0,
    documents: new Proxy(documents, {
      get: (target, name: keyof DocumentStore) => async (...args: unknown[]) => {
        if (inFlight++ === 0) far.flights++
        await sleep(roundTripMs / 2)
        try {
          return await (target[name] as (...args: unknown[]) => Promise<unknown>)(...args)
        } finally {
          await sleep(roundTripMs / 2)
          inFlight--
        }
      }
    })
  }
  return far
}

t.test('two processes that edit at once: both edits stay, or the second is ' +
  'told that it read something old', async t => onEveryStore(t, async (
  t, url
) => {
  const { start, engine } = await openSchedules(t, url)
  const [one, other] = [await start(), await start()]
  const { scheduleId, version } = await one.create(MINUTELY)
  await Promise.all([
    one.update(scheduleId, { priority: 7 }), other.update(scheduleId, { description: 'Both' }),
    one.update(scheduleId, { intervalMs: 90_000 }), other.setEnabled(scheduleId, true)
  ])
  // The effect of the earlier edit may come last; who wrote it sees that it is not the latest, and settles it.
  await waitFor('the effect of both', async () => (await engine.listSchedulers(['report']))[0]!.nextRunAt > Date.now() + 70_000)
  const both = (await other.get(scheduleId))!
  t.match(both, { priority: 7, description: 'Both', intervalMs: 90_000, enabled: true })
  t.equal((await engine.listSchedulers(['report']))[0]?.nextRunAt, both.nextRunAt, 'and the engine has both')

  const edit = (control: ScheduleControl, priority: number) => codeOf(control.update(scheduleId, { priority }, { ifVersion: both.version }))
  const answers = await Promise.all([edit(one, 1), edit(other, 2)])
  t.strictSame(answers.sort(), ['CONFLICT', 'done'])
  t.equal(await codeOf(one.update(scheduleId, { priority: 3 }, { ifVersion: version })), 'CONFLICT')
  const [deleted, edited] = await Promise.all([codeOf(one.delete(scheduleId)), codeOf(other.update(scheduleId, { priority: 5 }))])
  t.equal(deleted, 'done')
  t.ok(['done', 'SCHEDULE_NOT_FOUND'].includes(edited))
  await one.converge()
  t.strictSame(await engine.listSchedulers(['report']), [], 'an edit does not bring back what is deleted')
}))

t.test('what changes while many are converged is settled', async t => onEveryStore(t, async (t, url) => {
  const { start, engine, standing } = await openSchedules(t, url)
  const control = await start()
  // One by one: so many at once is more than the embedded store answers in time on a busy machine.
  const first = await control.create(MINUTELY)
  for (let i = 1; i < 120; i++) await control.create(MINUTELY)
  let isOff = false
  const effects: ScheduleControlOptions['effects'] = {
    ...engine,
    // As if what stands had to be written.
    async standingAsDefined() { return new Set() },
    async upsertScheduler(definition) {
      if (definition.scheduleId === first.scheduleId && !isOff) {
        isOff = true
        await control.setEnabled(definition.scheduleId, false)
      }
      await engine.upsertScheduler(definition)
    }
  }
  await (await start({ effects })).converge()
  t.ok(isOff, 'it was disabled between the reading of its definition and its writing')
  t.equal((await standing()).length, 119)
  t.notOk((await standing()).includes(first.scheduleId))
}))

t.test('a schedule from code that an operator deleted is declared again by the next deployment, ' +
  'and by no other process before', async t => onEveryStore(t, async (
  t, url
) => {
  const { start } = await openSchedules(t, url)
  const declare = (cron: string) => (control: ScheduleControl) => control.scheduler.scheduleCron('report', cron, null, { id: 'daily' })
  const running = await start(FAST, declare('0 9 * * *'))
  const { scheduleId } = (await running.list())[0]!
  await running.update(scheduleId, { priority: 5 }, { by: 'ana' })
  await running.setEnabled(scheduleId, false, 'ana')
  await running.delete(scheduleId)
  await running.converge()
  // Twice more, by itself.
  await sleep(1_200)
  t.strictSame(await running.list(), [], 'a process that declared it before leaves it deleted')
  await start({}, declare('0 8 * * *'))
  t.match(
    await running.list(), [{ scheduleId, cron: '0 8 * * *', priority: 0, enabled: true, drift: [], missed: 0 }],
    'a new one, as the code says'
  )
}))

t.test('what was due while the broker was away is missed for that reason, or caught up once', async t => {
  const server = await startRedis(t, { persistent: true })
  const clock = { now: Date.now() }
  const { start } = await openSchedules(t, server.url)
  // No watch in between: the first to find the broker back is the worker that takes the overdue run.
  let failures = 0
  const options = { clock: ownClock(() => clock.now), onError() { failures++ }, convergeEveryMs: 60_000 }
  const control = await start({ ...options, watchEveryMs: 100 })
  const none = await control.create(MINUTELY)
  const one = await control.create({ ...MINUTELY, catchUp: 'one' })
  await sleep(200)
  await server.stop()
  await waitFor('callers to see it', async () => (await codeOf(control.list())) === 'BROKER_UNAVAILABLE')
  await waitFor('the control itself to see it', async () => failures > 0)
  const due = none.createdAt + MINUTE
  clock.now += 10.2 * MINUTE
  await server.start()
  await waitFor('the broker', () => control.list().then(() => true, () => false))
  t.equal(await control.beforeRun({ scheduleId: none.scheduleId, executionId: 'a', dueAt: due }), 'outage')
  t.equal(await control.beforeRun({ scheduleId: one.scheduleId, executionId: 'b', dueAt: one.createdAt + MINUTE }), 'run')
  for (const { scheduleId, createdAt } of [none, one]) {
    clock.now = createdAt + 11 * MINUTE
    t.equal(await control.beforeRun({ scheduleId, executionId: 'c', dueAt: createdAt + 11 * MINUTE }), 'run')
  }
  t.strictSame((await control.misses(none.scheduleId)).map(briefly), [['missed', 'broker_away', 10]])
  t.strictSame((await control.misses(one.scheduleId)).map(briefly), [['missed', 'broker_away', 9], ['late', 'broker_away', 1]])
  t.match(await control.get(none.scheduleId), { missed: 10, late: 0 })
})

t.test('a process that slept catches nothing up in silence; a datastore whose clock was put back counts nothing twice', async t => {
  const { start } = await openSchedules(t, await redisUrl(t))
  const clock = { now: Date.now() }
  const control = await start({ clock: ownClock(() => clock.now), watchEveryMs: 200, convergeEveryMs: MINUTE })
  const none = await control.create(MINUTELY)
  const one = await control.create({ ...MINUTELY, catchUp: 'one' })
  const run = ({ scheduleId, createdAt }: { scheduleId: string; createdAt: number }, minute: number) =>
    control.beforeRun({ scheduleId, executionId: `run ${minute}`, dueAt: createdAt + minute * MINUTE })
  // It saw the broker before it slept.
  await control.converge()
  clock.now += 10.5 * MINUTE
  t.strictSame([await run(none, 1), await run(one, 1)], ['outage', 'run'])
  clock.now = none.createdAt + 11 * MINUTE
  t.strictSame([await run(none, 11), await run(one, 11)], ['run', 'run'])
  t.strictSame((await control.misses(none.scheduleId)).map(briefly), [['missed', 'process_down', 10]])
  t.strictSame((await control.misses(one.scheduleId)).map(briefly), [['missed', 'process_down', 9], ['late', 'process_down', 1]])

  clock.now = none.createdAt + 5 * MINUTE
  await control.converge()
  clock.now = none.createdAt + 12 * MINUTE
  t.equal(await run(none, 12), 'run')
  t.match(await control.get(none.scheduleId), { missed: 10, late: 0 })
})

t.test('runs that are left out because the one before goes on are missed for that reason', async t => onEveryStore(t, async (t, url) => {
  const { start } = await openSchedules(t, url)
  const [one, other] = [await start(), await start()]
  const { scheduleId, createdAt } = await one.create({ taskName: 'report', timing: { intervalMs: 1000, timezone: 'UTC' }, overlap: 'skip' })
  const due = (second: number) => ({ scheduleId, executionId: String(second), dueAt: createdAt + second * 1000 })
  t.equal(await one.beforeRun(due(1)), 'run')
  t.equal(await other.beforeRun(due(2)), 'overlap')
  t.equal(await one.beforeRun(due(3)), 'overlap')
  await one.afterRun(due(1))
  t.equal(await other.beforeRun(due(4)), 'run')
  await other.afterRun(due(4))
  t.match(
    await one.misses(scheduleId),
    [
      {
        kind: 'missed', reason: 'overlap', count: 2, firstDueAt: createdAt + 2000, lastDueAt: createdAt + 3000, lateMs: null,
        executionId: null
      }
    ]
  )
  t.equal((await one.get(scheduleId))?.missed, 2)
}))

t.test('when the data of a running broker is deleted, all is back within a minute and what was due meanwhile is missed', async t => {
  const [url, otherUrl] = [await redisUrl(t), await redisUrl(t)]
  const copies = createStore(otherUrl, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => copies.stop())
  await copies.start()
  const { start, standing } = await openSchedules(t, url)
  const clock = { ahead: 0 }
  const options = {
    onError() {}, watchEveryMs: 100, convergeEveryMs: 10 * MINUTE, clock: ownClock(() => Date.now() + clock.ahead), copies: copies.documents
  }
  const declare = (control: ScheduleControl) => control.scheduler.scheduleInterval('report', MINUTE, 'From code')
  const controls = [await start(options, declare), await start(options, declare)]
  const [control] = controls as [ScheduleControl]
  const api = await control.create({ ...MINUTELY, description: 'From the API' })
  const off = await control.create({ ...MINUTELY, enabled: false })
  // A convergence that began before a schedule was made knows nothing of it: the next one copies it.
  await waitFor('the copies', async () => {
    await Promise.all(controls.map(each => each.converge()))
    return (await copies.documents.list('schedule-copies')).length === 3
  })
  const flushed = Date.now()
  await flush(t, url)
  clock.ahead = 5.5 * MINUTE
  await waitFor('all three', async () => (await control.list()).length === 3)
  await waitFor('their effects', async () => (await standing()).length === 2)
  t.ok(Date.now() - flushed < 30_000, 'found by the watch, long before the next convergence')
  t.match(await control.get(off.scheduleId), { enabled: false, nextRunAt: null })
  for (const { scheduleId } of (await control.list()).filter(({ enabled }) => enabled)) {
    const [entry] =
      await waitFor('the entry', async () => { const found = await control.misses(scheduleId); return found.length > 0 && found })
    t.match(entry, { kind: 'missed', reason: 'broker_away', count: 5 })
    t.equal((await control.get(scheduleId))?.missed, 5, 'by two processes, once')
  }
  // The engine plans by the true time: seen from a clock that is ahead its runs are overdue.
  clock.ahead = 0
  const status = await waitFor('a watch by that time that found the loss', async () =>
    control.status().healthy && control.status().message.includes('lost its data') && control.status())
  t.match(status, { healthy: true, message: /lost its data at/ })
  t.equal((await control.get(api.scheduleId))?.description, 'From the API')

  const fromCode = (await control.list()).find(({ source }) => source === 'code')!
  await control.setEnabled(fromCode.scheduleId, false, 'ana')
  await Promise.all(controls.map(each => each.converge()))
  await waitFor('its copy', async () =>
    !(await copies.documents.get<{ enabled: boolean }>('schedule-copies', fromCode.scheduleId))?.value.enabled)
  for (const isRunning of [true, false]) {
    if (!isRunning) for (const each of controls) await each.stop()
    await flush(t, url)
    const witness = isRunning ? control : await start(options, declare)
    const back = await waitFor('it', async () => await witness.get(fromCode.scheduleId) ?? false)
    await waitFor('the rest', async () => (await witness.list()).length === 3)
    t.match(
      await witness.get(fromCode.scheduleId), { enabled: false, createdAt: fromCode.createdAt, drift: [{ field: 'enabled', by: 'ana' }] },
      'what an operator chose for a schedule from code is back, too'
    )
    if (!isRunning) t.equal(back.enabled, false, 'from the first moment')
  }
})

async function flush(t: Test, url: string): Promise<void> {
  const redis = new Redis(url)
  t.teardown(() => { redis.disconnect() })
  await redis.flushdb()
}

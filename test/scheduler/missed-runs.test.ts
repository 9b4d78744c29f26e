import { Redis } from 'ioredis'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { ScheduleControl } from '../../lib/scheduler/schedule-control.ts'
import type { MissRecord } from '../../lib/scheduler/schedules.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import { createStoreClock, ownClock } from '../../lib/stores/store-clock.ts'
import { onEveryStore, redisUrl, startRedis, testNamespace } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { openSchedules } from './open-schedules.ts'
import { codeOf, MINUTE, MINUTELY } from './minutely.ts'

const briefly = ({ kind, reason, count }: MissRecord) => [kind, reason, count]

t.test('a process whose clock is an hour ahead of the broker counts no unplanned run as missed', async t => {
  const { start, engine } = await openSchedules(t, await redisUrl(t))
  const control = await start({ clock: createStoreClock(async () => Date.now() - 60 * MINUTE) })
  const { scheduleId } = await control.create(MINUTELY)
  await control.setEnabled(scheduleId, false)
  await control.setEnabled(scheduleId, true)
  const [planned] = await engine.listSchedulers(['report'])
  t.equal(await control.beforeRun({ scheduleId, executionId: 'a', dueAt: planned!.nextRunAt }), 'run')
  t.strictSame(await control.misses(scheduleId), [])
  t.match(control.status(), { healthy: false, message: /^The clock of this process is 3600 s ahead of the broker's: correct it/ })
})

t.test('runs due while the broker was down are missed for that reason, or caught up once', async t => {
  const server = await startRedis(t, { persistent: true })
  const clock = { now: Date.now() }
  const { start } = await openSchedules(t, server.url)
  // The watch does not run in between, so the worker that takes the overdue run is the first to find the broker back.
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
  await waitFor('the broker to be back', () => control.list().then(() => true, () => false))
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

t.test("runs missed while a process slept are recorded, and setting the datastore's clock back counts none twice", async t => {
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

t.test('runs skipped because the previous one is still running are missed for that reason', async t => onEveryStore(t, async (t, url) => {
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

t.test('after the data of a running broker is deleted, schedules are back within a minute and runs due are missed', async t => {
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
  // A convergence that began before a schedule was created does not know the schedule. The next one copies it.
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
    t.equal((await control.get(scheduleId))?.missed, 5, 'counted once by two processes')
  }
  // The engine plans by the true time, so its runs look overdue to a fast clock.
  clock.ahead = 0
  const status = await waitFor('a watch with the true time to find the loss', async () =>
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
    const back = await waitFor('the schedule', async () => await witness.get(fromCode.scheduleId) ?? false)
    await waitFor('the other schedules', async () => (await witness.list()).length === 3)
    t.match(
      await witness.get(fromCode.scheduleId), { enabled: false, createdAt: fromCode.createdAt, drift: [{ field: 'enabled', by: 'ana' }] },
      "an operator's choice for a schedule from code is restored too"
    )
    if (!isRunning) t.equal(back.enabled, false, 'from the first moment')
  }
})

async function flush(t: Test, url: string): Promise<void> {
  const redis = new Redis(url)
  t.teardown(() => { redis.disconnect() })
  await redis.flushdb()
}

t.test('misses that could not be recorded before a run are recorded when the run is resumed, even after a disable', async t => {
  const { start, store } = await openSchedules(t, await redisUrl(t))
  const clock = { now: Date.now() }
  let refuses = false
  const documents = Object.assign(Object.create(store.documents) as typeof store.documents, {
    put: async (...call: Parameters<typeof store.documents.put>) => {
      if (refuses && call[0] === 'schedule-ledgers') throw new Error('the write was refused')
      return await store.documents.put(...call)
    }
  })
  const control = await start({
    documents, clock: ownClock(() => clock.now), watchEveryMs: 60 * MINUTE, convergeEveryMs: 60 * MINUTE, onError() {}
  })
  const { scheduleId, createdAt } = await control.create(MINUTELY)
  const take = async (minute: number, wasTaken = false) => {
    clock.now = createdAt + minute * MINUTE
    return await control.beforeRun({ scheduleId, executionId: `run ${minute}`, dueAt: clock.now, wasTaken })
  }
  t.equal(await take(1), 'run')
  refuses = true
  t.equal(await take(4), 'run')
  refuses = false
  clock.now += 1_000
  await control.setEnabled(scheduleId, false)
  t.match(await control.get(scheduleId), { missed: 0 })
  t.equal(await take(4, true), 'run', 'its process was killed')
  t.match(await control.get(scheduleId), { missed: 2 })
  t.strictSame((await control.misses(scheduleId)).map(({ kind, count }) => [kind, count]), [['missed', 2]])
  clock.now = createdAt + 20 * MINUTE
  await control.setEnabled(scheduleId, true)
  t.equal(await take(21), 'run')
  t.match(await control.get(scheduleId), { missed: 2 }, 'what was due while it was off is not missed')
})

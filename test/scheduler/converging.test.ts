import t from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { ScheduleRecord } from '../../lib/scheduler/schedules.ts'
import { onEveryStore, redisUrl, startRedis, testNamespace } from '../support/servers/stores.ts'
import { inTime } from '../support/in-time.ts'
import { waitFor } from '../support/wait-for.ts'
import { addProcess, DAILY, INTERVAL, openEngine, openStore, rejectsWith, standing } from './add-process.ts'

t.test('any number of processes converge to one engine schedule per enabled schedule', async t => onEveryStore(t, async (t, url, kind) => {
  const namespace = testNamespace()
  const store = await openStore(t, url, namespace)
  const effects = await openEngine(t, store)
  const processes = [addProcess(t, store, effects, { convergeEveryMs: 500 })]
  for (let more = 0; more < 2; more++) {
    const own = kind === 'embedded' ? store : await openStore(t, url, namespace)
    processes.push(addProcess(t, own, kind === 'embedded' ? effects : await openEngine(t, own), { convergeEveryMs: 500 }))
  }
  for (const { scheduler } of processes) await scheduler.scheduleCron('日報', '0 0 * * *')
  await Promise.all(processes.map(control => control.start()))
  const inputs = [INTERVAL, DAILY, { ...DAILY, enabled: false }]
  // One process at a time, and each schedule from two at once: a request has 1.5 s for its answer, and a busy machine could not serve all.
  const created: ScheduleRecord[] = []
  for (const control of processes) created.push(...await Promise.all(inputs.map(input => control.create(input))))
  for (const [index, { scheduleId }] of created.entries()) {
    await Promise.all([0, 1].map(offset => processes[(index + offset) % 3]!.setEnabled(scheduleId, index % 2 === 0)))
  }
  await processes[1]!.delete(created[0]!.scheduleId)
  await Promise.all(processes.map(({ scheduler }) => scheduler.scheduleInterval('report', 3_600_000, 'All at once', { id: 'same' })))
  await processes[0]!.delete((await processes[0]!.list()).find(({ description }) => description === 'All at once')!.scheduleId)
  await Promise.all(processes.map(control => control.converge()))
  const schedules = await processes[0]!.list()
  t.equal(schedules.length, 9, 'eight from the API, one from code')
  t.same(await standing(effects), schedules.filter(({ enabled }) => enabled).map(({ scheduleId }) => scheduleId).sort())
  for (const control of processes) t.match(control.status(), { healthy: true })
}))

t.test('converging repairs our schedules in the broker and leaves others alone', async t => onEveryStore(t, async (t, url) => {
  const store = await openStore(t, url)
  const effects = await openEngine(t, store)
  const control = addProcess(t, store, effects)
  await control.start()
  const { scheduleId } = await control.create(INTERVAL)
  const stray = {
    taskName: 'report', timing: { cron: '0 0 * * *', timezone: 'UTC' }, args: [], priority: 0, maxAttempts: 1, backoff: fixedDelay(0)
  }
  await effects.upsertScheduler({ ...stray, scheduleId: 'sch_stray' })
  await effects.upsertScheduler({ ...stray, scheduleId: 'foreign' })
  await effects.removeScheduler('report', scheduleId)
  await control.converge()
  t.same(await standing(effects), ['foreign', scheduleId].sort())
  const [planned] = (await effects.listSchedulers(['report'])).filter(state => state.scheduleId === scheduleId)
  await control.converge()
  await addProcess(t, store, effects).converge()
  t.same(
    (await effects.listSchedulers(['report'])).filter(state => state.scheduleId === scheduleId), [planned], 'its next run stays the same'
  )
}))

t.test('during an outage of the broker, calls fail in time and runs continue, and lost data is noticed', async t => {
  const server = await startRedis(t, { persistent: false })
  const store = await openStore(t, server.url)
  const effects = await openEngine(t, store)
  const errors: Error[] = []
  const control = addProcess(t, store, effects, { onError: error => { errors.push(error) }, convergeEveryMs: 100 })
  const code = await control.scheduler.scheduleCron('report', '0 0 * * *')
  await control.start()
  const { scheduleId } = await control.create(INTERVAL)

  await server.stop()
  const calls = [
    () => control.list(), () => control.get(scheduleId), () => control.create(INTERVAL),
    () => control.setEnabled(scheduleId, false), () => control.delete(scheduleId)
  ]
  for (const call of calls) {
    await inTime(t, 'the refusal', 2000, () => rejectsWith(t, call(), 'BROKER_UNAVAILABLE'))
  }
  t.equal(await control.beforeRun({ scheduleId, executionId: 'one', dueAt: Date.now() }), 'run')
  await waitFor('the status to report it', async () => !control.status().healthy)
  t.ok(errors.length > 0)

  await server.start()
  await waitFor('the code\'s schedule to be back', async () =>
    (await control.list().catch(() => [])).some(schedule => schedule.scheduleId === code))
  await waitFor('the status to be healthy again', async () => control.status().healthy)
  t.match(control.status().message, /lost its data at .*, schedules declared in code were written again$/)
  t.equal(await control.get(scheduleId), null)
})

t.test('a copy in another store restores every schedule after a loss, even an unseen one, except deleted ones', async t => {
  const server = await startRedis(t, { persistent: false })
  const [store, other] = [await openStore(t, server.url), await openStore(t, await redisUrl(t))]
  const effects = await openEngine(t, store)
  const options = { onError() {}, convergeEveryMs: 100, copies: other.documents }
  const control = addProcess(t, store, effects, options)
  await control.start()
  const kept = await control.create({ ...DAILY, description: 'Kept' })
  const off = await control.create({ ...INTERVAL, enabled: false })
  const gone = await control.create(INTERVAL)
  await waitFor('the copies', async () => (await other.documents.list('schedule-copies')).length === 3)
  await control.delete(gone.scheduleId)
  await waitFor('the copy of the deleted one to go', async () => (await other.documents.list('schedule-copies')).length === 2)

  for (const isWatched of [true, false]) {
    if (!isWatched) await control.stop()
    await server.stop()
    await server.start()
    const returned = Date.now()
    const later = isWatched ? control : addProcess(t, store, effects, options)
    await waitFor('the connection', () => store.ping().then(() => true, () => false))
    if (!isWatched) await later.start()
    await waitFor('both to be back', async () => (await later.list().catch(() => [])).length === 2)
    await waitFor('the schedule in the engine to exist', async () => (await standing(effects)).includes(kept.scheduleId))
    t.ok(Date.now() - returned < 60_000)
    t.match(await later.get(kept.scheduleId), { description: 'Kept', args: DAILY.args, enabled: true, createdAt: kept.createdAt })
    t.match(await later.get(off.scheduleId), { enabled: false })
    await waitFor('the status to report it', async () =>
      /in code and those with a copy in the result backend were written again$/.test(later.status().message))
  }
})

t.test('data lost while the copies cannot be read is reported until they can', async t => {
  const server = await startRedis(t, { persistent: false })
  const [store, other] = [await openStore(t, server.url), await openStore(t, await redisUrl(t))]
  let isAway = false
  const get: typeof other.documents.get = (...parameters) => isAway ? Promise.reject(new Error('away')) : other.documents.get(...parameters)
  const control = addProcess(t, store, await openEngine(t, store), {
    onError() {}, convergeEveryMs: 100, copies: { ...other.documents, get }
  })
  await control.start()
  const { scheduleId } = await control.create(DAILY)
  await waitFor('the copy', async () => (await other.documents.list('schedule-copies')).length === 1)
  isAway = true
  await server.stop()
  await server.start()
  await waitFor('the status to report it', async () => /written again/.test(control.status().message))
  t.match(control.status().message, /in code \(not yet those with a copy in the result backend, which cannot be read\) were written again$/)
  isAway = false
  await waitFor('it to be back', async () => (await control.get(scheduleId).catch(() => null)) !== null)
  await waitFor('the status to report it', async () =>
    /in code and those with a copy in the result backend were written again$/.test(control.status().message))
})

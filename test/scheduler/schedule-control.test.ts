import t from 'tap'
import { LEFT_OUT } from '../../lib/engine/engine.ts'
import type { ScheduleControl } from '../../lib/scheduler/schedule-control.ts'
import type { ScheduleInput } from '../../lib/scheduler/schedules.ts'
import { onEveryStore, testNamespace } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { addProcess, DAILY, INTERVAL, openEngine, openStore, rejectsWith, standing } from './add-process.ts'

t.test('schedules are created, read, enabled, disabled and deleted', async t => onEveryStore(t, async (t, url) => {
  const store = await openStore(t, url)
  const effects = await openEngine(t, store)
  const control = addProcess(t, store, effects)
  await control.start()

  const daily = await control.create(DAILY)
  t.match(daily, {
    scheduleId: /^sch_[\da-f-]{36}$/, scheduleType: 'cron', taskName: 'email:send', cron: '0 9 * * 1-5', intervalMs: null,
    timezone: 'Europe/Berlin',
    description: 'Morning mail', human: 'At 09:00, Monday through Friday', args: ['ana', { n: 1 }], enabled: true, priority: 5,
    overlap: 'skip', source: 'api',
    overdue: false, missed: 0
  })
  t.ok(daily.nextRunAt! > Date.now())
  t.same(await standing(effects), [daily.scheduleId], 'the engine has it when the promise resolves')
  const sleeping = await control.create({ ...INTERVAL, enabled: false })
  t.match(sleeping, {
    scheduleType: 'interval', cron: null, intervalMs: 3_600_000, human: 'every hour', enabled: false, nextRunAt: null, args: [],
    overlap: 'allow', priority: 0, description: null
  })
  t.same(await standing(effects), [daily.scheduleId])
  t.same(
    (await control.list()).map(({ scheduleId }) => scheduleId), [daily.scheduleId, sleeping.scheduleId], 'in order of creation'
  )

  const woken = await control.setEnabled(sleeping.scheduleId, true)
  t.equal(woken.enabled, true)
  t.equal(woken.nextRunAt! > Date.now() && woken.nextRunAt! <= Date.now() + 3_600_000, true)
  t.same(await control.get(sleeping.scheduleId), woken)
  t.same(await control.setEnabled(sleeping.scheduleId, true), woken, 'twice is once')
  t.same(await standing(effects), [daily.scheduleId, sleeping.scheduleId].sort())

  t.match(await control.setEnabled(daily.scheduleId, false), { enabled: false, nextRunAt: null })
  t.same(await standing(effects), [sleeping.scheduleId])
  await control.delete(sleeping.scheduleId)
  t.same(await standing(effects), [])
  t.equal(await control.get(sleeping.scheduleId), null)
  t.same((await control.list()).map(({ scheduleId }) => scheduleId), [daily.scheduleId])

  for (const id of [sleeping.scheduleId, 'sch_none', '', '\0', '\ud800', 'x'.repeat(100)]) {
    await rejectsWith(t, control.delete(id), 'SCHEDULE_NOT_FOUND')
    await rejectsWith(t, control.setEnabled(id, true), 'SCHEDULE_NOT_FOUND')
    t.equal(await control.get(id), null)
  }
  const odd = { ...INTERVAL, description: 'NUL \0, half \ud800, </script> 😀', args: ['\0\ud800😀', null, 1.5, { '\0': [] }] }
  const kept = await control.get((await control.create(odd)).scheduleId)
  t.same([kept?.description, kept?.args], [odd.description, odd.args], 'any text is kept unchanged')
  t.match(control.status(), { healthy: true })
}))

t.test('one error lists every fault of the input', async t => onEveryStore(t, async (t, url, kind) => {
  if (kind !== 'redis') return
  const store = await openStore(t, url)
  const control = addProcess(t, store, await openEngine(t, store), { maxSchedules: 2 })
  await control.start()
  const bad = (input: object) => control.create({ ...INTERVAL, ...input })

  await rejectsWith(t, bad({ timing: { cron: '0 9 * *', timezone: 'UTC' } }), 'INVALID_CRON', '/cron')
  await rejectsWith(t, bad({ timing: { cron: '0 9 * * *', timezone: 'Mars' } }), 'INVALID_SCHEDULE', '/timezone')
  for (const intervalMs of [0, 999, 1000.5, 31_536_000_001, NaN, '1000']) {
    await rejectsWith(t, bad({ timing: { intervalMs, timezone: 'UTC' } }), 'INVALID_SCHEDULE', '/interval_ms')
  }
  await rejectsWith(t, bad({ taskName: 'unknown' }), 'TASK_NOT_REGISTERED', '/task_name')
  await rejectsWith(t, bad({ description: 'x'.repeat(1001) }), 'INVALID_SCHEDULE', '/description')
  await rejectsWith(t, bad({ args: Array(101).fill(0) }), 'INVALID_SCHEDULE', '/args')
  await rejectsWith(t, bad({ args: ['x'.repeat(65_536)] }), 'INVALID_SCHEDULE', '/args')
  await rejectsWith(t, bad({ args: [1n] }), 'INVALID_SCHEDULE', '/args')
  await t.rejects(bad({ args: [{ at: new Date() }] }), {
    message: /args must be plain JSON: args\[0\]\.at is a Date, which JSON turns into a string/
  })
  for (const priority of [-1, 1.5, 2_097_152]) await rejectsWith(t, bad({ priority, overlap: 'maybe' }), 'INVALID_SCHEDULE', '/overlap')
  t.same(await control.list(), [], 'nothing was written')

  await bad({ args: ['x'.repeat(65_000)], description: 'x'.repeat(1000), priority: 2_097_151 })
  await bad({})
  const error = await bad({}).catch((error: Error) => error) as Error
  t.match(error.message, /there are 2 schedules already/)
  for (const timing of [{ cron: '* * *', timezone: 'UTC' }, { intervalMs: 1, timezone: 'UTC' }]) t.throws(() => control.preview(timing))
  for (const from of [NaN, -1, Date.parse('9999-12-31T00:00Z')])
    t.throws(() => control.preview(INTERVAL.timing, { from }), { code: 'INVALID_SCHEDULE' })
  for (const count of [0, 1.5, 1e9]) t.throws(() => control.preview(INTERVAL.timing, { count }), { code: 'INVALID_SCHEDULE' })
  for (const taskName of ['', 'x'.repeat(101), 'a\nb', '\ud800'])
    await rejectsWith(t, control.scheduler.scheduleInterval(taskName, 1000), 'INVALID_SCHEDULE', '/taskName')
  t.match(control.preview({ cron: '0 9 * * *', timezone: 'UTC' }, { from: 0, count: 1 }), {
    description: 'At 09:00', timezone: 'UTC', runs: [{ at: 32_400_000, local: '1970-01-01T09:00:00', offset: '+00:00', note: null }]
  })
}))

t.test('schedules declared in code are the same in every process and after every start', async t => onEveryStore(t, async (t, url) => {
  const store = await openStore(t, url)
  const effects = await openEngine(t, store)
  const first = addProcess(t, store, effects)
  const mail = await first.scheduler.scheduleCron('email:send', '0 9 * * *', 'Morning mail', { args: ['ana'], timezone: 'Europe/Berlin' })
  const report = await first.scheduler.scheduleInterval('report', 60_000)
  const second = await first.scheduler.scheduleInterval('report', 60_000, null, { id: 'nightly', enabled: false })
  t.equal(new Set([mail, report, second]).size, 3)
  await rejectsWith(t, first.scheduler.scheduleCron('report', '* * * * * *'), 'INVALID_CRON', '/cron')
  await rejectsWith(t, first.scheduler.scheduleInterval('report', 60_001, null, { id: 'nightly' }), 'INVALID_SCHEDULE', '/id')
  t.equal(
    await first.scheduler.scheduleInterval('report', 60_000, null, { id: 'nightly', enabled: false }), second, 'repeating is allowed'
  )
  await first.start()
  const byId = async () => new Map((await first.list()).map(schedule => [schedule.scheduleId, schedule]))
  const before = await byId()
  t.equal(before.size, 3)
  t.match(before.get(mail), {
    source: 'code', taskName: 'email:send', cron: '0 9 * * *', timezone: 'Europe/Berlin', args: ['ana'], enabled: true
  })
  t.same(await standing(effects), [mail, report].sort())

  await first.setEnabled(mail, false)
  await first.setEnabled(second, true)
  const again = addProcess(t, store, effects)
  t.equal(await again.scheduler.scheduleCron('email:send', '0 9 * * *', 'Morning mail', { args: ['ana'], timezone: 'Europe/Berlin' }), mail)
  t.equal(await again.scheduler.scheduleInterval('report', 60_000, null, { id: 'nightly', enabled: false }), second)
  await again.start()
  t.match((await byId()).get(mail), { enabled: false }, "an operator's choice is kept")
  t.match((await byId()).get(second), { enabled: true })

  const changed = addProcess(t, store, effects)
  await changed.start()
  const moved = await changed.scheduler.scheduleCron('email:send', '30 8 * * *', null, { args: ['ben'] })
  t.equal(moved, mail, 'after the start it is written at once')
  t.equal(await changed.scheduler.scheduleInterval('report', 120_000), report)
  const after = await byId()
  t.match(after.get(mail), {
    cron: '30 8 * * *', description: null, args: ['ben'], timezone: 'UTC', enabled: false, createdAt: before.get(mail)!.createdAt
  })
  t.match(after.get(report), { intervalMs: 120_000, enabled: true })
  t.same(await standing(effects), [report, second].sort())
}))

t.test('each due run starts once, whichever process takes it, and a disabled schedule does not run', async t => onEveryStore(t, async (
  t, url, kind
) => {
  const namespace = testNamespace()
  const store = await openStore(t, url, namespace)
  const engine = await openEngine(t, store)
  const runs: Array<{ scheduleId: string, dueAt: number }> = []
  const processes: ScheduleControl[] = []
  for (let index = 0; index < 3; index++) {
    const isShared = index === 0 || kind === 'embedded'
    const ownStore = isShared ? store : await openStore(t, url, namespace)
    const ownEngine = isShared ? engine : await openEngine(t, ownStore)
    const control = addProcess(t, ownStore, ownEngine, { convergeEveryMs: 500 })
    processes.push(control)
    const worker = ownEngine.work({
      taskName: 'report',
      concurrency: 2,
      maxLosses: 1, workerId: `worker ${index}`,
      timeoutMs: null,
      processor: {
        type: 'io',
        async run({ scheduleId, executionId, dueAt }) {
          const run = { scheduleId: scheduleId!, executionId, dueAt }
          if (await control.beforeRun(run) !== 'run') return LEFT_OUT
          runs.push(run)
          return control.afterRun(run)
        }
      },
      onFinished() {},
      onAttemptFailed() {},
      onError: error => { t.fail(error.message) }
    })
    t.teardown(() => worker.stop())
  }
  const everySecond: ScheduleInput = { taskName: 'report', timing: { intervalMs: 1000, timezone: 'UTC' } }
  for (const { scheduler } of processes) await scheduler.scheduleInterval('report', 1000)
  await Promise.all(processes.map(control => control.start()))
  const stays = (await processes[0]!.list())[0]!
  const goes = await processes[1]!.create(everySecond)
  const of = (scheduleId: string) => runs.filter(run => run.scheduleId === scheduleId).map(({ dueAt }) => dueAt)

  await waitFor('three runs of each', async () => [stays, goes].every(({ scheduleId }) => of(scheduleId).length >= 3))
  await processes[2]!.setEnabled(goes.scheduleId, false)
  const ran = of(goes.scheduleId).length
  const other = of(stays.scheduleId).length
  await waitFor('two more runs of the other', async () => of(stays.scheduleId).length >= other + 2)
  t.equal(of(goes.scheduleId).length, ran, 'none since it was disabled')
  for (const { scheduleId, createdAt } of [stays, goes]) {
    const due = of(scheduleId)
    t.equal(new Set(due).size, due.length, 'no run started twice')
    t.same(due.filter(dueAt => (dueAt - createdAt) % 1000 !== 0), [], 'all counted from its creation')
  }
}))

t.test('a run starts unless its schedule is disabled or the previous run is still going', async t => onEveryStore(t, async (t, url) => {
  const store = await openStore(t, url)
  const effects = await openEngine(t, store)
  const control = addProcess(t, store, effects)
  const other = addProcess(t, store, effects)
  await control.start()
  const { scheduleId } = await control.create({ ...INTERVAL, overlap: 'skip' })
  const run = (executionId: string, late = 0) => ({ scheduleId, executionId, dueAt: Date.now() - late })

  t.equal(await control.beforeRun(run('one')), 'run')
  t.equal(await other.beforeRun(run('two')), 'overlap')
  t.equal(await other.beforeRun({ ...run('three'), wasTaken: true }), 'run', 'a resumed run continues')
  t.equal((await control.get(scheduleId))?.missed, 1)
  await control.afterRun(run('one'))
  t.equal(await other.beforeRun(run('four')), 'run')
  await other.afterRun(run('four'))

  const stopping = addProcess(t, store, effects)
  t.equal(await stopping.beforeRun(run('last')), 'run')
  await stopping.stop()
  t.equal(await other.beforeRun(run('too early')), 'overlap', 'it continues after the stop')
  await stopping.afterRun(run('last'))
  t.equal(await other.beforeRun(run('in time')), 'run')
  await other.afterRun(run('in time'))

  await control.setEnabled(scheduleId, false)
  t.equal(await other.beforeRun(run('five')), 'disabled')
  await control.delete(scheduleId)
  t.equal(await other.beforeRun(run('six')), 'disabled')
  t.equal(await other.beforeRun({ ...run('seven'), scheduleId: 'sch_none' }), 'disabled')
  const free = await control.create(INTERVAL)
  for (const executionId of ['a', 'b']) t.equal(await control.beforeRun({ ...run(executionId), scheduleId: free.scheduleId }), 'run')
}))

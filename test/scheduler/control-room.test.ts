import t from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { createTaskDashboardError, type TaskDashboardError } from '../../lib/errors.ts'
import type { ScheduleControl } from '../../lib/scheduler/schedule-control.ts'
import type { ScheduleInput } from '../../lib/scheduler/schedules.ts'
import { ownClock } from '../../lib/stores/store-clock.ts'
import { onEveryStore, redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { openSchedules as open } from './open-schedules.ts'

const HOURLY: ScheduleInput = { taskName: 'report', timing: { intervalMs: 3_600_000, timezone: 'UTC' } }
const DAILY: ScheduleInput = { taskName: 'report', timing: { cron: '0 9 * * *', timezone: 'UTC' } }

const refusal = async (work: Promise<unknown>) => {
  const { code, errors } = await work.then(() => ({}), (error: TaskDashboardError) => error) as Partial<TaskDashboardError>
  return [code, errors?.[0]?.pointer]
}

t.test('a successful write is reported as successful, even if something fails afterwards', async t => {
  const { start, store } = await open(t, await redisUrl(t))
  let isLost = false
  const { documents } = store
  const control = await start({
    documents: {
      ...documents,
      async put(...request) {
        const version = await documents.put(...request)
        if (request[0] === 'schedules') isLost = true
        return version
      }
    },
    onError() {},
    async retryPolicyOf() {
      if (isLost) throw createTaskDashboardError('BROKER_UNAVAILABLE')
      return { maxAttempts: 1, backoff: fixedDelay(0) }
    }
  })
  const { scheduleId } = await control.create(HOURLY)
  for (const change of [{ description: 'Edited' }, { priority: 3 }, { intervalMs: 60_000 }]) {
    isLost = false
    t.match(await control.update(scheduleId, change), change)
  }
  t.match(await control.get(scheduleId), { description: 'Edited', priority: 3, intervalMs: 60_000 })
})

t.test('a schedule in a time zone unknown to this process does not prevent others from ' +
  'being listed, planned or watched', async t => onEveryStore(t, async (
  t, url, kind
) => {
  if (kind === 'embedded') return
  const { start, store, standing } = await open(t, url)
  const errors: Error[] = []
  const control = await start({ onError: error => { errors.push(error) }, watchEveryMs: 100 })
  const foreign = await control.create(DAILY)
  const bounded = await control.create({ ...DAILY, endAt: Date.now() + 86_400_000 * 30 })
  for (const { scheduleId } of [foreign, bounded]) {
    const stored = (await store.documents.get<{ timing: object }>('schedules', scheduleId))!
    await store.documents.put('schedules', scheduleId, { ...stored.value, timing: { ...stored.value.timing, timezone: 'Mars/Olympus' } })
    await store.documents.increment('schedule-revisions', 'schedules', 1)
  }
  const own = await control.create(HOURLY)
  const other = await start({ onError: error => { errors.push(error) } })
  await other.converge()
  t.match(
    await other.list(),
    [
      { timezone: 'Mars/Olympus', nextRunAt: foreign.nextRunAt }, { timezone: 'Mars/Olympus' },
      { scheduleId: own.scheduleId, nextRunAt: own.nextRunAt }
    ]
  )
  t.match(await other.agenda(Date.now() - Date.now() % 3_600_000, Date.now() + 7_200_000), { schedules: [{ scheduleId: own.scheduleId }] })
  t.strictSame(
    (await standing()).sort(), [foreign.scheduleId, bounded.scheduleId, own.scheduleId].sort(),
    'its plan stays as the other process made it'
  )
  t.match(other.status(), { healthy: false, message: /^2 schedules cannot be planned by this process: .*Mars\/Olympus/ })
  t.ok(errors.length > 0 && errors.every(error => 'code' in error && error.code === 'INVALID_SCHEDULE'))
  t.match(await other.setEnabled(bounded.scheduleId, false), { enabled: false, nextRunAt: null })
  await other.delete(foreign.scheduleId)
  t.strictSame(await standing(), [own.scheduleId])
}))

t.test('every editable field can be changed, and a stale version is refused', async t => onEveryStore(t, async (t, url) => {
  const { start, engine } = await open(t, url)
  const control = await start()
  const cron = await control.create(DAILY)
  const interval = await control.create(HOURLY)

  const edited = await control.update(cron.scheduleId, {
    cron: '30 7 * * 1', timezone: 'Europe/Berlin', description: 'Mondays', args: [1, { a: null }], priority: 3, overlap: 'skip',
    catchUp: 'one',
    jitterMs: 60_000, startAt: Date.UTC(2040, 0), endAt: Date.UTC(2041, 0)
  }, { by: 'ana', ifVersion: cron.version })
  t.match(edited, {
    cron: '30 7 * * 1', timezone: 'Europe/Berlin', human: 'At 07:30, only on Monday', description: 'Mondays', args: [1, { a: null }],
    priority: 3, overlap: 'skip', catchUp: 'one',
    jitterMs: 60_000, startAt: Date.UTC(2040, 0), endAt: Date.UTC(2041, 0), enabled: true, source: 'api', drift: [], wins: null,
    taskRegistered: true
  })
  const first = Date.UTC(2040, 0, 2, 6, 30)
  t.ok(edited.nextRunAt! >= first && edited.nextRunAt! <= first + 60_000, 'the first Monday of 2040, plus jitter')
  t.equal(
    (await engine.listSchedulers(['report'])).find(({ scheduleId }) => scheduleId === cron.scheduleId)?.nextRunAt, edited.nextRunAt,
    'the engine has it'
  )
  t.not(edited.version, cron.version)
  t.strictSame(await refusal(control.update(cron.scheduleId, { priority: 4 }, { ifVersion: cron.version })), ['CONFLICT', undefined])
  t.equal(
    (await control.update(cron.scheduleId, { priority: 3 }, { ifVersion: edited.version })).version, edited.version,
    'the same values are not a change'
  )
  t.match(
    await control.update(cron.scheduleId, { startAt: null, endAt: null, description: null, enabled: false }, { ifVersion: '*' }),
    { startAt: null, endAt: null, description: null, enabled: false, nextRunAt: null }
  )
  t.match(await control.update(interval.scheduleId, { intervalMs: 60_000, args: [] }), { intervalMs: 60_000, cron: null })
  const soon = await control.create({ ...HOURLY, timing: { intervalMs: 1_800_000, timezone: 'UTC' } })
  t.strictSame(
    (await control.list({ order: 'nextRun' })).map(({ scheduleId }) => scheduleId),
    [interval, soon, cron].map(({ scheduleId }) => scheduleId), 'the earliest first, disabled ones last'
  )
  t.strictSame(
    (await control.list({ order: 'nextRun', limit: 1, search: 'report' })).map(({ scheduleId }) => scheduleId), [interval.scheduleId]
  )
  await control.delete(soon.scheduleId)
  t.match(await control.update(interval.scheduleId, { endAt: Date.now() - 1 }), { enabled: true, nextRunAt: null, overdue: false })
  t.strictSame(await engine.listSchedulers(['report']), [], 'the engine plans neither an ended nor a disabled schedule')

  for (const [id, changes, code, pointer] of [
    [cron.scheduleId, { intervalMs: 1000 }, 'INVALID_SCHEDULE', '/interval_ms'],
    [interval.scheduleId, { cron: '* * * * *' }, 'INVALID_SCHEDULE', '/cron'],
    [cron.scheduleId, { cron: '61 * * * *' }, 'INVALID_CRON', '/cron'],
    [cron.scheduleId, { timezone: 'Mars' }, 'INVALID_SCHEDULE', '/timezone'],
    [interval.scheduleId, { intervalMs: 999 }, 'INVALID_SCHEDULE', '/interval_ms'],
    [cron.scheduleId, { jitterMs: 3_600_001 }, 'INVALID_SCHEDULE', '/jitter_ms'],
    [cron.scheduleId, { jitterMs: -1 }, 'INVALID_SCHEDULE', '/jitter_ms'],
    [cron.scheduleId, { startAt: 2000, endAt: 2000 }, 'INVALID_SCHEDULE', '/end_at'],
    [cron.scheduleId, { catchUp: 'all' as 'one' }, 'INVALID_SCHEDULE', '/catch_up'],
    [cron.scheduleId, { startAt: NaN }, 'INVALID_SCHEDULE', '/start_at'],
    [cron.scheduleId, { wins: 'code' }, 'INVALID_SCHEDULE', '/wins'], ['sch_none', { priority: 1 }, 'SCHEDULE_NOT_FOUND', undefined]
  ] as const) t.strictSame(await refusal(control.update(id, changes)), [code, pointer], JSON.stringify(changes))
}))

t.test('deployments keep edits unless code wins, and show the drift', async t => onEveryStore(t, async (t, url) => {
  const { start, standing } = await open(t, url)
  const declare = (cron: string, description = 'From code') => async ({ scheduler }: ScheduleControl) => {
    id = await scheduler.scheduleCron('report', cron, description, { id: 'daily', args: [1] })
  }
  let id = ''
  const old = await start({}, async control => {
    await declare('0 9 * * *')(control)
    await control.scheduler.scheduleInterval('report', 60_000, 'Removed later', { id: 'removed' })
  })
  const before = (await old.get(id))!
  t.strictSame([before.drift, before.wins, before.source], [[], 'live', 'code'])

  await old.update(id, { cron: '0 11 * * *', args: [2] }, { by: 'ana' })
  const drifting = await (await start({}, declare('0 9 * * *'))).get(id)
  t.match(drifting, { cron: '0 11 * * *', args: [2] }, 'the same code keeps the edit')
  t.match(
    drifting?.drift,
    [{ field: 'cron', code: '0 9 * * *', live: '0 11 * * *', since: Number, by: 'ana' }, { field: 'args', code: [1], live: [2], by: 'ana' }]
  )

  const changed = await (await start({}, declare('0 8 * * *', 'New words'))).get(id)
  t.match(changed, { cron: '0 11 * * *', description: 'New words' }, 'changed code changes what no one edited')
  t.match(changed?.drift[0], { field: 'cron', code: '0 8 * * *', live: '0 11 * * *', by: 'ana' })

  const disabled = await old.setEnabled(id, false, 'ben')
  t.match(disabled.drift.find(({ field }) => field === 'enabled'), { code: true, live: false, by: 'ben' })
  t.match(await (await start({}, declare('0 7 * * *'))).get(id), { enabled: false, nextRunAt: null }, 'disabling survives changed code')

  const taken = await old.update(id, { wins: 'code' }, { by: 'ana' })
  t.match(taken, { cron: '0 7 * * *', args: [1], enabled: false, wins: 'code' }, 'edits are undone, disabling is not')
  t.strictSame(taken.drift.map(({ field }) => field), ['enabled'])
  await old.update(id, { priority: 9 }, { by: 'ana' })
  t.match(await old.get(id), { priority: 9 }, 'until the next deployment')
  t.match(await (await start({}, declare('0 7 * * *'))).get(id), { priority: 0, enabled: false, wins: 'code' })
  await old.update(id, { wins: 'live', cron: '0 11 * * *' })
  const agreed = await (await start({}, declare('0 11 * * *'))).get(id)
  t.strictSame(agreed?.drift.map(({ field }) => field), ['enabled'], 'equal values are not drift')
  t.match(await (await start({}, declare('0 12 * * *'))).get(id), { cron: '0 12 * * *' }, 'and follow the code again')

  const removed = (await old.list()).find(({ description }) => description === 'Removed later')!
  t.match(removed, { enabled: true, source: 'code' }, 'removed from the code, it continues until deleted')
  const dashboard = await start({ registeredTasks: async () => new Set() })
  t.equal((await dashboard.get(removed.scheduleId))?.taskRegistered, false, 'shown when no process registers its task')
  t.strictSame(await standing(), [removed.scheduleId])
}))

t.test('a manual run is enqueued and does not change the plan', async t => onEveryStore(t, async (t, url) => {
  const { start, engine } = await open(t, url)
  const control = await start()
  const { scheduleId, nextRunAt } = await control.create({ ...HOURLY, args: ['now'], priority: 7, enabled: true })
  const executionId = await control.runNow(scheduleId)
  t.match(await engine.find(['report'], executionId), {
    executionId, scheduleId, taskName: 'report', args: ['now'], priority: 7, maxAttempts: 2
  })
  t.equal((await control.get(scheduleId))?.nextRunAt, nextRunAt)
  await control.setEnabled(scheduleId, false)
  t.equal(
    await control.beforeRun({ scheduleId, executionId, dueAt: 0, isPlanned: false }), 'run',
    'it runs even if the schedule is disabled'
  )
  t.match(await control.misses(scheduleId), [], 'and is not late')
  t.strictSame(await refusal(control.runNow('sch_none')), ['SCHEDULE_NOT_FOUND', undefined])
  t.strictSame(await refusal((await start({ isTaskKnown: async () => false })).runNow(scheduleId)), ['CONFLICT', undefined])
}))

t.test('each missed or late run is recorded once, with its reason', async t => {
  const { start, engine } = await open(t, await redisUrl(t))
  const began = Date.now()
  const clock = { now: began }
  const common = { clock: ownClock(() => clock.now), convergeEveryMs: 600_000 }
  // The watch rarely runs while the test sets the time, so a worker counts as present however long a step takes on a busy machine.
  const control = await start({ ...common, servedTasks: async () => new Set(['report']), watchEveryMs: 300_000 })
  const minutely: ScheduleInput = { taskName: 'report', timing: { intervalMs: 60_000, timezone: 'UTC' } }
  /** In steps short enough for a process to see that it kept running. */
  const passTo = async (minute: number) => {
    for (const end = began + minute * 60_000; clock.now < end;) {
      clock.now = Math.min(clock.now + 15_000, end)
      await control.converge()
    }
  }
  const run = (scheduleId: string, minute: number) => ({ scheduleId, executionId: `run ${minute}`, dueAt: began + minute * 60_000 })
  const booksOf = async (scheduleId: string) => (await control.misses(scheduleId)).map(({ kind, reason, firstDueAt, lastDueAt, count }) =>
    [kind, reason, (firstDueAt - began) / 60_000, (lastDueAt - began) / 60_000, count])

  await t.test('runs in a row are not recorded, runs between two were missed, and a late start corrects that', async t => {
    const { scheduleId } = await control.create(minutely)
    for (const minute of [1, 2, 5]) {
      await passTo(minute)
      t.equal(await control.beforeRun(run(scheduleId, minute)), 'run')
    }
    t.strictSame(await booksOf(scheduleId), [['missed', 'busy', 3, 4, 2]])
    t.equal(await control.beforeRun({ ...run(scheduleId, 4) }), 'run')
    t.strictSame(
      (await booksOf(scheduleId)).map(([kind, , , , count]) => [kind, count]), [['late', 1], ['missed', 1]],
      'a run that starts out of order is late, not missed'
    )
    t.match(await control.get(scheduleId), { missed: 1, late: 1 })
    await control.delete(scheduleId)
    t.strictSame(await refusal(control.misses(scheduleId)), ['SCHEDULE_NOT_FOUND', undefined])
  })

  await t.test('after an outage nothing is caught up, or one run for all of them', async t => {
    const hour = 60
    clock.now = began + hour * 60_000
    await control.converge()
    const none = await control.create(minutely)
    const one = await control.create({ ...minutely, catchUp: 'one' })
    clock.now = began + (hour + 10.2) * 60_000
    t.equal(await control.beforeRun(run(none.scheduleId, hour + 1)), 'outage')
    t.equal(await control.beforeRun(run(one.scheduleId, hour + 1)), 'run')
    clock.now = began + (hour + 11) * 60_000
    for (const { scheduleId } of [none, one]) t.equal(await control.beforeRun(run(scheduleId, hour + 11)), 'run')
    t.strictSame(await booksOf(none.scheduleId), [['missed', 'process_down', hour + 1, hour + 10, 10]])
    t.strictSame(
      await booksOf(one.scheduleId), [['missed', 'process_down', hour + 2, hour + 10, 9], ['late', 'process_down', hour + 1, hour + 1, 1]]
    )
    t.match(await control.get(none.scheduleId), { missed: 10, late: 0 })
    for (const { scheduleId } of [none, one]) await control.delete(scheduleId)
  })

  await t.test('a run that no worker takes is overdue within a minute, missed if there is no worker, and ' +
    'counted once by several processes', async t => {
    const options = { ...common, servedTasks: async () => new Set<string>(), watchEveryMs: 200 }
    clock.now = Date.now()
    const processes = [await start(options), await start(options), await start(options)]
    const none = await control.create({ taskName: 'report', timing: { intervalMs: 1000, timezone: 'UTC' } })
    const [planned] = await engine.listSchedulers(['report'])
    for (const passedMs of [14_000, 28_000, 42_000]) {
      clock.now = planned!.nextRunAt + passedMs
      await Promise.all(processes.map(each => each.converge()))
    }
    await waitFor('each to look for it', async () => processes.every(each => !each.status().healthy))
    for (const each of processes) t.match(each.status(), { healthy: false, message: /1 schedule is overdue/ })
    t.match(await control.get(none.scheduleId), { overdue: true })
    const [entry, ...more] = await control.misses(none.scheduleId)
    t.match(entry, { kind: 'missed', reason: 'no_worker' })
    t.equal(more.length, 0)
    t.equal((await control.get(none.scheduleId))?.missed, entry!.count)
    t.equal(entry!.count, Math.floor((entry!.lastDueAt - entry!.firstDueAt) / 1000) + 1)
    t.ok(clock.now - entry!.lastDueAt < 33_000, 'until at most half a minute ago')
    const worker = await start({ ...options, localTasks: () => ['report'], servedTasks: async () => new Set(['report']) })
    t.equal(
      await worker.beforeRun({ scheduleId: none.scheduleId, executionId: 'x', dueAt: planned!.nextRunAt }), 'outage',
      'a new worker skips it'
    )
    t.equal((await control.get(none.scheduleId))?.missed, entry!.count, 'not counted again')
    for (const each of [...processes, worker]) await each.stop()
  })
})

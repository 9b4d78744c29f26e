import t from 'tap'
import type { TaskDashboardError } from '../../../lib/errors.ts'
import { toCodeScheduleId, toOrdinalId } from '../../../lib/scheduler/definitions/code-schedule-id.ts'
import { planMoves } from '../../../lib/scheduler/definitions/plan-moves.ts'
import type { ScheduleControl } from '../../../lib/scheduler/schedule-control.ts'
import { toCodeDocument, toSwitchedDocument } from '../../../lib/scheduler/definitions/schedule-document.ts'
import { toScheduleDefinition, type ScheduleDefinition } from '../../../lib/scheduler/definitions/schedule-input.ts'
import { createScheduleStore, type ScheduleDocument } from '../../../lib/scheduler/definitions/schedule-store.ts'
import { Scheduler } from '../../../lib/scheduler/scheduler.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { openSchedules } from '../open-schedules.ts'

const definitionOf = (cron: string, description: string): ScheduleDefinition =>
  toScheduleDefinition({ taskName: 'report', timing: { cron, timezone: 'UTC' }, description, args: [description] })
const INVOICE = definitionOf('0 8 * * *', 'Invoice')
const PURGE = definitionOf('0 3 * * *', 'Purge')
const ROTATE = definitionOf('0 0 * * *', 'Rotate')

const declareAll = (
  ...declared: ReadonlyArray<readonly [definition: ScheduleDefinition, id?: string]>
) => async ({ scheduler }: Pick<ScheduleControl, 'scheduler'>) => {
  for (const [{ taskName, timing, description, args }, id] of declared) {
    if ('cron' in timing)
      await scheduler.scheduleCron(taskName, timing.cron, description, { args: [...args], ...(id !== undefined && { id }) })
  }
}

t.test('a second schedule of a task needs an id, and repeating a declaration gives the same schedule', async t => {
  const scheduler = new Scheduler(async () => {})
  const first = await scheduler.scheduleCron('report', '0 8 * * *')
  t.equal(await scheduler.scheduleCron('report', '0 8 * * *'), first)
  const error = await scheduler.scheduleCron('report', '0 3 * * *').catch((thrown: TaskDashboardError) => thrown) as TaskDashboardError
  t.match(error, { code: 'INVALID_SCHEDULE', message: /"report" already has a schedule without an id/, errors: [{ pointer: '/id' }] })
  t.not(await scheduler.scheduleCron('report', '0 3 * * *', null, { id: 'purge' }), first)
  t.not(await scheduler.scheduleCron('other', '0 3 * * *'), first, 'each task has its own')
  t.equal(scheduler.declared().length, 3)
})

t.test('unknown options, and times that are not a Date, are refused', async t => {
  const scheduler = new Scheduler(async () => {})
  const declare = (options: object) => scheduler.scheduleCron('report', '0 8 * * *', null, options)
  await t.rejects(declare({ timeZone: 'Europe/Berlin' }), {
    code: 'INVALID_SCHEDULE', errors: [{ pointer: '/timeZone', message: /the options are id, args, timezone/ }]
  })
  await t.rejects(declare({ startAt: '2030-01-01', endAt: 1_900_000_000_000 }), {
    code: 'INVALID_SCHEDULE', errors: [{ pointer: '/startAt' }, { pointer: '/endAt' }]
  })
  await t.rejects(declare({ endAt: new Date('no date') }), { code: 'INVALID_SCHEDULE', errors: [{ pointer: '/endAt' }] })
  t.same(scheduler.declared(), [])
  await declare({ startAt: null, endAt: undefined })
  t.equal(scheduler.declared().length, 1)
})

t.test('all problems of a declaration are in one error, named like the options', async t => {
  const scheduler = new Scheduler(async () => {})
  const options = { tz: 'Europe/Berlin', id: '', args: 'Ana', jitterMs: -1, catchUp: 'all', timezone: 'Mars/Base' } as object
  const pointers = ['/timezone', '/args', '/catchUp', '/jitterMs', '/tz', '/id']
  const interval = await scheduler.scheduleInterval('report', 60_000, null, options).catch((error: unknown) => error) as TaskDashboardError
  t.match(interval, {
    code: 'INVALID_SCHEDULE', statusCode: 500,
    message: /timezone .*; args must be .*; catchUp must be .*; jitterMs must be .*; tz is not an option; .*; id must be 1 to/
  })
  t.same(interval.errors?.map(({ pointer }) => pointer), pointers)
  const cron =
    await scheduler.scheduleCron('', '61 * * * *', 7 as never, { jitterMs: -1 }).catch((error: unknown) => error) as TaskDashboardError
  t.match(cron, {
    code: 'INVALID_CRON',
    message: /^Invalid cron expression "61 \* \* \* \*": .*; taskName must be .*; description must be .*; jitterMs must be/
  })
  t.same(cron.errors?.map(({ pointer }) => pointer), ['/cron', '/taskName', '/description', '/jitterMs'])
  for (const wrong of [null, 'daily', []])
    await t.rejects(scheduler.scheduleCron(
      'report', '0 8 * * *', null, wrong as never
    ), { code: 'INVALID_SCHEDULE', message: /options must be an object/ })
  await t.rejects(scheduler.scheduleCron(
    undefined as unknown as string, '0 8 * * *'
  ), { code: 'INVALID_SCHEDULE', errors: [{ pointer: '/taskName' }] })
  t.same(scheduler.declared(), [])
})

t.test('the order of declarations does not matter', async t => onEveryStore(t, async (t, url) => {
  const { start } = await openSchedules(t, url)
  const before = await start({}, declareAll([INVOICE], [PURGE, 'purge']))
  const byDescription = async (control: ScheduleControl) =>
    new Map((await control.list()).map(({ description, scheduleId, enabled }) => [description, { scheduleId, enabled }]))
  const ids = await byDescription(before)
  await before.setEnabled(ids.get('Purge')!.scheduleId, false)
  const after = await byDescription(await start({}, declareAll([ROTATE, 'rotate'], [PURGE, 'purge'], [INVOICE])))
  t.strictSame([after.get('Invoice'), after.get('Purge')], [ids.get('Invoice'), { ...ids.get('Purge'), enabled: false }])
  t.match(after.get('Rotate'), { enabled: true })
  t.equal(after.size, 3)
}))

t.test("schedules that were identified by position keep an operator's choices when they get an id", async t => onEveryStore(t, async (
  t, url
) => {
  const { start, store, standing } = await openSchedules(t, url)
  const schedules = createScheduleStore(store.documents)
  const [first, second] = [toOrdinalId('report', 1), toOrdinalId('report', 2)]
  await schedules.change(first, () => toCodeDocument(INVOICE, null, 1000))
  await schedules.change(second, () => toSwitchedDocument(toCodeDocument(PURGE, null, 1000)!, false, { at: 2000, by: 'ana' }))
  await schedules.addMissed(second, 4)
  const declare = declareAll([ROTATE], [INVOICE, 'invoice'], [PURGE, 'purge'])
  const moves: string[] = []
  const onMoved = async (from: string, to: string) => { moves.push(`${from} > ${to}`) }
  const other = start({ onMoved }, declare)
  const control = await start({ onMoved }, declare)
  await other
  t.strictSame(
    [...new Set(moves)].sort(),
    [`${first} > ${toCodeScheduleId('report', 'invoice')}`, `${second} > ${toCodeScheduleId('report', 'purge')}`].sort(),
    'both reported; what follows from a report may be repeated'
  )
  t.strictSame(
    [...await control.standing([first, second, toCodeScheduleId('report', 'purge'), 'never'])].sort(),
    [first, toCodeScheduleId('report', 'purge')].sort()
  )
  await control.converge()
  t.match(await control.get(toCodeScheduleId('report', 'invoice')), { description: 'Invoice', enabled: true, createdAt: 1000, drift: [] })
  t.match(await control.get(toCodeScheduleId('report', 'purge')), {
    description: 'Purge', enabled: false, createdAt: 1000, missed: 4, drift: [{ field: 'enabled', by: 'ana' }]
  })
  t.match(await control.get(first), { description: 'Rotate', enabled: true, missed: 0, drift: [] }, 'the new schedule starts fresh')
  t.equal((await control.list()).length, 3)
  t.strictSame((await standing()).sort(), [first, toCodeScheduleId('report', 'invoice')].sort())
}))

t.test('a schedule moves to its new id only if its definition shows that it is the same', async t => {
  const kept = (id: string, definition: ScheduleDefinition, changes: Partial<ScheduleDocument> = {}) =>
    ({ id, version: 1, value: { ...toCodeDocument(definition, null, 0)!, ...changes } })
  const [one, two] = [toOrdinalId('report', 1), toOrdinalId('report', 2)]
  const [a, b] = [toCodeScheduleId('report', 'a'), toCodeScheduleId('report', 'b')]
  const LATER = { ...INVOICE, timing: { cron: '0 9 * * *', timezone: 'UTC' } }
  for (const [title, declared, stored, moves] of [
    ['nothing changed', [[one, INVOICE], [a, PURGE]], [kept(one, INVOICE), kept(a, PURGE)], []],
    ['the only one was changed', [[one, LATER]], [kept(one, INVOICE)], []],
    ['the only one got a name', [[a, INVOICE]], [kept(one, INVOICE)], [[one, a]]],
    ['it got a name and was changed', [[a, LATER]], [kept(one, INVOICE)], []],
    ['two got names, in another order', [[b, PURGE], [a, INVOICE]], [kept(one, INVOICE), kept(two, PURGE)], [[one, a], [two, b]]],
    ['two that are the same got names', [[a, INVOICE], [b, INVOICE]], [kept(one, INVOICE), kept(two, INVOICE)], [[one, a], [two, b]]],
    ['the second goes without one', [[one, PURGE], [a, INVOICE]], [kept(one, INVOICE), kept(two, PURGE)], [[one, a], [two, one]]],
    ['the unnamed one became what a named one is', [[one, PURGE], [a, PURGE]], [kept(one, INVOICE), kept(a, PURGE)], []],
    ['older code wrote one again', [[a, INVOICE]], [kept(two, INVOICE), kept(a, INVOICE)], [[two, a]]],
    ['one without a name is not in the code any more', [[a, INVOICE]], [kept(one, INVOICE), kept(a, INVOICE)], []],
    ['one that came over the API', [[a, INVOICE]], [kept(one, INVOICE, { code: null, source: 'api' })], []]
  ] as const) {
    t.strictSame(planMoves(declared, stored).map(({ from, to }) => [from.id, to]), moves, title)
  }
})

import fc from 'fast-check'
import t from 'tap'
import { isTaskDashboardError, type TaskDashboardError } from '../../../lib/errors.ts'
import { nextCronRuns, parseCron } from '../../../lib/scheduler/timing/cron.ts'
import { describeCron, describeInterval, describeTiming } from '../../../lib/scheduler/timing/describe-timing.ts'
import { HOSTILE_CRONS } from './hostile-crons.ts'
import { expressions, isImpossible } from './cron-arbitraries.ts'

function refusalOf(expression: string, timezone = 'UTC'): TaskDashboardError {
  try {
    parseCron(expression, timezone)
  } catch (error) {
    if (isTaskDashboardError(error)) return error
    throw error
  }
  throw new Error(`${expression} was accepted`)
}

t.test('a cron expression is parsed field by field', async t => {
  for (const [expression, plain] of [
    ['* * * * *', '* * * * *'],
    ['  0\t9  * * 1-5 ', '0 9 * * 1-5'],
    ['*/15 0-6/2 1,15 JAN,mar Mon-FRI', '0,15,30,45 0,2,4,6 1,15 1,3 1-5'],
    ['5/20 * * * *', '5,25,45 * * * *'],
    ['1-5,3,3 * * * *', '1-5 * * * *'],
    ['59-59 007 * * *', '59 7 * * *'],
    ['0 0 * * 7', '0 0 * * 0'],
    ['0 0 * * 0,7', '0 0 * * 0'],
    ['0 0 * * 5-7', '0 0 * * 0,5,6'],
    ['0 0 * * fri-sun', '0 0 * * 0,5,6'],
    ['0 0 * * 0-7', '0 0 * * 0-6'],
    ['0 0 1-31 * 1', '0 0 1-31 * 1']
  ] as const) t.equal(parseCron(expression, 'UTC').plain, plain, expression)
})

t.test('anything but standard cron is refused with the reason', async t => {
  for (const [expression, reason] of [
    ['', /has 0 fields/],
    ['* * * *', /has 4 fields; it takes exactly five/],
    ['0 * * * * *', /has 6 fields/],
    ['@daily', /aliases such as @daily/],
    ['60 * * * *', /60 is out of range for the minute: 0 to 59/],
    ['* 24 * * *', /out of range for the hour: 0 to 23/],
    ['* * 0 * *', /out of range for the day of month: 1 to 31/],
    ['* * 32 * *', /out of range for the day of month/],
    ['* * * 13 *', /out of range for the month: 1 to 12/],
    ['* * * * 8', /out of range for the day of week: 0 to 7/],
    ['* * * mon *', /"mon" is not a month/],
    ['* * * * feb', /"feb" is not a day of week/],
    ['jan * * * *', /"jan" is not a minute/],
    ['*/0 * * * *', /step of the minute must be 1 to 60/],
    ['*/61 * * * *', /step of the minute must be 1 to 60/],
    ['5-1 * * * *', /runs backwards/],
    ['* * * * 6-2', /runs backwards/],
    ['1,,2 * * * *', /empty item/],
    ['1- * * * *', /"1-" is not a minute/],
    ['-1 * * * *', /"-1" is not a minute/],
    ['1.5 * * * *', /not a minute/],
    ['*-5 * * * *', /not a minute/],
    ['1/2/3 * * * *', /not a minute/],
    ['0 0 L * *', /extension of some schedulers/],
    ['0 0 15W * *', /extension/],
    ['0 0 ? * 1', /extension/],
    ['0 0 * * 5#3', /extension/],
    ['0 0 * * 5L', /extension/],
    ['H * * * *', /extension/],
    ['H(0-10)/5 * * * *', /extension/],
    ['0 0 30 2 *', /never matches/],
    ['0 0 31 4,6,9,11 *', /never matches/],
    ['0 0 30-31 FEB *', /never matches/],
    ['\0 * * * *', /not a minute/],
    ['\ud800 * * * *', /not a minute/],
    ['１ * * * *', /not a minute/],
    ['0 0 * * *\n', /not a day of week/],
    [`${'0,'.repeat(127)}0 * * * *`, /longer than 256/]
  ] as const) {
    const error = refusalOf(expression)
    t.equal(error.code, 'INVALID_CRON', JSON.stringify(expression))
    t.match(error.errors, [{ pointer: '/cron', message: reason }], JSON.stringify(expression))
  }
})

t.test('a day that exists only in some months or years is accepted', async t => {
  for (const expression of ['0 0 29 2 *', '0 0 30 2 1', '0 0 31 1-6 *', '0 0 30,31 2,3 *']) t.ok(parseCron(expression, 'UTC'), expression)
})

t.test('a hostile expression is refused before it is expanded, or expanded within limits', async t => {
  const sizes = { minute: 60, hour: 24, dayOfMonth: 31, month: 12, dayOfWeek: 7 } as const
  for (const expression of HOSTILE_CRONS) {
    const shown = `${expression.slice(0, 30)}, ${expression.length} characters`
    try {
      const cron = parseCron(expression, 'UTC')
      for (const [field, size] of Object.entries(sizes) as Array<[keyof typeof sizes, number]>)
        t.ok(cron[field].values.length <= size, `${shown}: ${field}`)
      t.ok(cron.plain.length <= 256, shown)
      t.equal(nextCronRuns(cron, 0, 1).length, 1, shown)
    } catch (error) {
      t.ok(isTaskDashboardError(error), shown)
      t.ok((error as Error).message.length < 1000, `${shown}: a short message`)
    }
  }
})

t.test('any text is accepted, or refused with an error of this package', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(fc.constantFrom(...'0123456789*,-/LW#?H@() janMON'), { maxLength: 40 }).map(chars => chars.join(''))
  )
  fc.assert(fc.property(text, text, (expression, timezone) => {
    for (const zone of ['UTC', timezone]) {
      try {
        parseCron(expression, zone)
      } catch (error) {
        if (!isTaskDashboardError(error)) throw error
      }
    }
  }), { numRuns: 2000 })
})

t.test('a time zone is an IANA name', async t => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    t.equal(parseCron('* * * * *', zone).timezone, zone)
  for (const zone of ['', 'local', 'system', '+02:00', 'UTC+2', 'Mars/Phobos', 'Europe/Berlin ', '../etc', 'x'.repeat(1000), '\0']) {
    const error = refusalOf('* * * * *', zone)
    t.equal(error.code, 'INVALID_SCHEDULE', JSON.stringify(zone.slice(0, 20)))
    t.match(error.errors, [{ pointer: '/timezone' }])
  }
})

t.test('a schedule is described correctly in words, or shown as written', async t => {
  for (const [expression, words] of [
    ['* * * * *', 'Every minute'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['0 9 * * MON-fri', 'At 09:00, Monday through Friday'],
    ['30 17 * * 7', 'At 17:30, only on Sunday'],
    ['*/45 * * * *', 'At 0 and 45 minutes past the hour'],
    ['0 */5 * * *', 'At 00:00, 05:00, 10:00, 15:00 and 20:00'],
    ['0 */2 * * *', 'On the hour, every 2 hours'],
    ['0 0 1 * 1', 'At 00:00, on day 1 of the month, or on Monday'],
    ['0 0 1 3 1-5', 'At 00:00, on day 1 of the month, or Monday through Friday, only in March'],
    ['*/7 * * * *', '*/7 * * * *'],
    ['0 0 */2 * *', '0 0 */2 * *'],
    ['0 0 1-31 * 1', '0 0 1-31 * 1']
  ] as const) t.equal(describeCron(expression), words, expression)
  for (const [intervalMs, words] of [
    [1000, 'every second'], [1500, 'every 1.5 seconds'], [60_000, 'every minute'], [90_000, 'every 90 seconds'],
    [300_000, 'every 5 minutes'],
    [3_600_000, 'every hour'], [5_400_000, 'every 90 minutes'], [86_400_000, 'every day'], [31_536_000_000, 'every 365 days'],
    [1001, 'every 1.001 seconds']
  ] as const) t.equal(describeInterval(intervalMs), words)
  t.equal(describeTiming({ intervalMs: 60_000 }), 'every minute')
  t.equal(describeTiming({ cron: '* * * * *' }), 'Every minute')
  fc.assert(fc.property(expressions, fields => {
    try {
      return describeCron(fields.map(({ text }) => text).join(' ')).length > 0
    } catch (error) {
      return isImpossible(error)
    }
  }))
})

import { CronExpressionParser } from 'cron-parser'
import fc from 'fast-check'
import t from 'tap'
import { nextRunAt } from '../../../lib/engine/schedulers/schedulers.ts'
import { cronRunsBetween, nextCronRuns, parseCron } from '../../../lib/scheduler/timing/cron.ts'
import { nextRuns } from '../../../lib/scheduler/timing/next-runs.ts'
import { offsetAt } from '../../../lib/time/zone-offset.ts'
import { expressions, isImpossible } from './cron-arbitraries.ts'

const at = (iso: string): number => Date.parse(iso)

// [cron, zone, from, runs as `UTC local offset note`], worked out by hand from the rules of the zones.
const TABLE: ReadonlyArray<[string, string, string, string[]]> = [
  [
    '30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z',
    ['2026-03-28T01:30 02:30 +01:00 -', '2026-03-29T01:30 03:30 +02:00 dst_gap', '2026-03-30T00:30 02:30 +02:00 -']
  ],
  [
    '30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z',
    ['2026-10-24T00:30 02:30 +02:00 -', '2026-10-25T00:30 02:30 +02:00 dst_overlap', '2026-10-26T01:30 02:30 +01:00 -']
  ],
  [
    '0 * * * *', 'Europe/Berlin', '2026-10-24T23:00Z',
    ['2026-10-25T00:00 02:00 +02:00 dst_overlap', '2026-10-25T01:00 02:00 +01:00 dst_overlap', '2026-10-25T02:00 03:00 +01:00 -']
  ],
  [
    '0 * * * *', 'Europe/Berlin', '2026-03-28T23:30Z',
    ['2026-03-29T00:00 01:00 +01:00 -', '2026-03-29T01:00 03:00 +02:00 -', '2026-03-29T02:00 04:00 +02:00 -']
  ],
  ['0 9 * * 1-5', 'Europe/Berlin', '2026-03-27T00:00Z', ['2026-03-27T08:00 09:00 +01:00 -', '2026-03-30T07:00 09:00 +02:00 -']],
  [
    '30 2 * * *', 'America/New_York', '2026-03-07T00:00Z',
    ['2026-03-07T07:30 02:30 -05:00 -', '2026-03-08T07:30 03:30 -04:00 dst_gap', '2026-03-09T06:30 02:30 -04:00 -']
  ],
  [
    '30 1 * * *', 'America/New_York', '2026-10-31T00:00Z',
    ['2026-10-31T05:30 01:30 -04:00 -', '2026-11-01T05:30 01:30 -04:00 dst_overlap', '2026-11-02T06:30 01:30 -05:00 -']
  ],
  // Lord Howe's clocks change by half an hour: forward from 02:00 to 02:30 at 15:30Z on 3 October, back from 02:00 to 01:30 at 15:00Z on 4
  // April.
  [
    '15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T00:00Z',
    ['2026-10-02T15:45 02:15 +10:30 -', '2026-10-03T15:45 02:45 +11:00 dst_gap', '2026-10-04T15:15 02:15 +11:00 -']
  ],
  ['0 2 * * *', 'Australia/Lord_Howe', '2026-10-02T16:00Z', ['2026-10-03T15:30 02:30 +11:00 dst_gap', '2026-10-04T15:00 02:00 +11:00 -']],
  // 02:00, 02:15 and 02:20 move to 02:30, 02:45 and 02:50. 02:30 and 02:40 exist as well.
  [
    '0,15,20,30,40 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00Z',
    [
      '2026-10-03T15:30 02:30 +11:00 -', '2026-10-03T15:40 02:40 +11:00 -', '2026-10-03T15:45 02:45 +11:00 dst_gap',
      '2026-10-03T15:50 02:50 +11:00 dst_gap', '2026-10-04T15:00 02:00 +11:00 -'
    ]
  ],
  ['15 * * * *', 'Australia/Lord_Howe', '2026-10-03T14:30Z', ['2026-10-03T14:45 01:15 +10:30 -', '2026-10-03T16:15 03:15 +11:00 -']],
  [
    '0 2 * * *', 'Australia/Lord_Howe', '2026-04-03T00:00Z',
    ['2026-04-03T15:00 02:00 +11:00 -', '2026-04-04T15:30 02:00 +10:30 -', '2026-04-05T15:30 02:00 +10:30 -']
  ],
  ['0 2 * * *', 'Australia/Lord_Howe', '2026-04-04T15:00Z', ['2026-04-04T15:30 02:00 +10:30 -', '2026-04-05T15:30 02:00 +10:30 -']],
  ['* 2 * 4 *', 'Australia/Lord_Howe', '2028-03-31T15:59Z', ['2028-04-01T15:30 02:00 +10:30 -', '2028-04-01T15:31 02:01 +10:30 -']],
  [
    '0 * * * *', 'Australia/Lord_Howe', '2026-04-04T13:30Z',
    ['2026-04-04T14:00 01:00 +11:00 -', '2026-04-04T15:30 02:00 +10:30 -', '2026-04-04T16:30 03:00 +10:30 -']
  ],
  [
    '*/15 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:15Z',
    [
      '2026-04-04T14:30 01:30 +11:00 dst_overlap', '2026-04-04T14:45 01:45 +11:00 dst_overlap', '2026-04-04T15:00 01:30 +10:30 dst_overlap',
      '2026-04-04T15:15 01:45 +10:30 dst_overlap', '2026-04-04T15:30 02:00 +10:30 -'
    ]
  ],
  [
    '45 0-22 * * *', 'Australia/Lord_Howe', '2026-04-04T14:00Z',
    ['2026-04-04T14:45 01:45 +11:00 dst_overlap', '2026-04-04T16:15 02:45 +10:30 -']
  ],
  ['5 1 * * *', 'Australia/Lord_Howe', '2026-04-04T14:10Z', ['2026-04-05T14:35 01:05 +10:30 -']],
  // Around midnight: Havana skips 00:00 to 01:00, and has that hour twice in autumn. Scoresbysund skips from 23:00, and repeats the hour up
  // to midnight.
  ['30 0 * * *', 'America/Havana', '2026-03-07T12:00Z', ['2026-03-08T05:30 01:30 -04:00 dst_gap', '2026-03-09T04:30 00:30 -04:00 -']],
  ['30 0 * * *', 'America/Havana', '2026-10-31T12:00Z', ['2026-11-01T04:30 00:30 -04:00 dst_overlap', '2026-11-02T05:30 00:30 -05:00 -']],
  ['30 0,23 * * *', 'America/Scoresbysund', '2026-03-28T12:00Z', ['2026-03-29T01:30 00:30 -01:00 -', '2026-03-30T00:30 23:30 -01:00 -']],
  [
    '30 0,23 * * *', 'America/Scoresbysund', '2026-10-24T12:00Z',
    ['2026-10-25T00:30 23:30 -01:00 dst_overlap', '2026-10-25T02:30 00:30 -02:00 -']
  ],
  ['0 3 * * *', 'Australia/Lord_Howe', '2026-10-02T00:00Z', ['2026-10-02T16:30 03:00 +10:30 -', '2026-10-03T16:00 03:00 +11:00 -']],
  [
    '45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T00:00Z',
    ['2026-04-03T14:45 01:45 +11:00 -', '2026-04-04T14:45 01:45 +11:00 dst_overlap', '2026-04-05T15:15 01:45 +10:30 -']
  ],
  ['30 2 * * *', 'UTC', '2026-03-28T12:00Z', ['2026-03-29T02:30 02:30 +00:00 -', '2026-03-30T02:30 02:30 +00:00 -']],
  [
    '0 0 31 * *', 'UTC', '2026-01-31T00:00Z',
    [
      '2026-03-31T00:00 00:00 +00:00 -', '2026-05-31T00:00 00:00 +00:00 -', '2026-07-31T00:00 00:00 +00:00 -',
      '2026-08-31T00:00 00:00 +00:00 -'
    ]
  ],
  [
    '59 23 28-31 2 *', 'UTC', '2028-02-28T00:00Z',
    ['2028-02-28T23:59 23:59 +00:00 -', '2028-02-29T23:59 23:59 +00:00 -', '2029-02-28T23:59 23:59 +00:00 -']
  ],
  ['0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00 00:00 +00:00 -', '2032-02-29T00:00 00:00 +00:00 -']],
  ['0 0 29 2 *', 'UTC', '2096-03-01T00:00Z', ['2104-02-29T00:00 00:00 +00:00 -']],
  // With both day fields restricted, either counts. 1 January 2026 is a Thursday.
  [
    '0 0 3 * 1', 'UTC', '2026-01-01T00:00Z',
    ['2026-01-03T00:00 00:00 +00:00 -', '2026-01-05T00:00 00:00 +00:00 -', '2026-01-12T00:00 00:00 +00:00 -']
  ],
  ['0 0 1-31 * 1', 'UTC', '2026-01-01T00:00Z', ['2026-01-02T00:00 00:00 +00:00 -', '2026-01-03T00:00 00:00 +00:00 -']],
  // A run is not its own next run, and fractions of a second do not matter.
  ['* * * * *', 'UTC', '2026-01-01T00:00:00.000Z', ['2026-01-01T00:01 00:01 +00:00 -']],
  ['* * * * *', 'UTC', '2026-01-01T00:00:59.999Z', ['2026-01-01T00:01 00:01 +00:00 -']],
  ['0 0 1 1 *', 'UTC', '1969-12-31T23:59Z', ['1970-01-01T00:00 00:00 +00:00 -']],
  // Times created by a clock change, and those around it, in each zone.
  ['0 3 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', ['2026-03-28T02:00 03:00 +01:00 -', '2026-03-29T01:00 03:00 +02:00 -']],
  ['0 3 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T02:00 03:00 +01:00 -', '2026-10-26T02:00 03:00 +01:00 -']],
  ['0 2 * * *', 'America/New_York', '2026-03-08T00:00Z', ['2026-03-08T07:00 03:00 -04:00 dst_gap', '2026-03-09T06:00 02:00 -04:00 -']],
  [
    '*/30 1 * * *', 'America/New_York', '2026-11-01T04:00Z',
    ['2026-11-01T05:00 01:00 -04:00 dst_overlap', '2026-11-01T05:30 01:30 -04:00 dst_overlap', '2026-11-02T06:00 01:00 -05:00 -']
  ],
  ['45 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-03T15:45 02:45 +11:00 -', '2026-10-04T15:45 02:45 +11:00 -']],
  // Ends of months.
  [
    '30 23 31 * *', 'Europe/Berlin', '2026-03-01T00:00Z',
    [
      '2026-03-31T21:30 23:30 +02:00 -', '2026-05-31T21:30 23:30 +02:00 -', '2026-07-31T21:30 23:30 +02:00 -',
      '2026-08-31T21:30 23:30 +02:00 -', '2026-10-31T22:30 23:30 +01:00 -'
    ]
  ],
  [
    '0 12 30,31 * *', 'America/New_York', '2026-01-31T00:00Z',
    [
      '2026-01-31T17:00 12:00 -05:00 -', '2026-03-30T16:00 12:00 -04:00 -', '2026-03-31T16:00 12:00 -04:00 -',
      '2026-04-30T16:00 12:00 -04:00 -'
    ]
  ],
  [
    '0 0 1 * *', 'Australia/Lord_Howe', '2026-03-15T00:00Z',
    ['2026-03-31T13:00 00:00 +11:00 -', '2026-04-30T13:30 00:00 +10:30 -', '2026-05-31T13:30 00:00 +10:30 -']
  ],
  // 29 February.
  ['0 0 29 2 *', 'Europe/Berlin', '2026-01-01T00:00Z', ['2028-02-28T23:00 00:00 +01:00 -', '2032-02-28T23:00 00:00 +01:00 -']],
  ['30 12 29 2 *', 'America/New_York', '2026-01-01T00:00Z', ['2028-02-29T17:30 12:30 -05:00 -', '2032-02-29T17:30 12:30 -05:00 -']],
  ['59 23 29 2 *', 'Australia/Lord_Howe', '2026-01-01T00:00Z', ['2028-02-29T12:59 23:59 +11:00 -', '2032-02-29T12:59 23:59 +11:00 -']],
  // Either day field counts: 29 February and Mondays in February; the first and Fridays; the 13th and Fridays.
  [
    '0 0 29 2 1', 'UTC', '2028-02-21T00:00Z',
    ['2028-02-28T00:00 00:00 +00:00 -', '2028-02-29T00:00 00:00 +00:00 -', '2029-02-05T00:00 00:00 +00:00 -']
  ],
  [
    '0 9 1 * 5', 'America/New_York', '2026-05-22T13:00Z',
    ['2026-05-29T13:00 09:00 -04:00 -', '2026-06-01T13:00 09:00 -04:00 -', '2026-06-05T13:00 09:00 -04:00 -']
  ],
  ['0 0 13 * 5', 'Europe/Berlin', '2026-02-10T00:00Z', ['2026-02-12T23:00 00:00 +01:00 -', '2026-02-19T23:00 00:00 +01:00 -']],
  // A step is a restriction: odd days, and Mondays.
  [
    '0 0 */2 * 1', 'UTC', '2026-01-09T00:00Z',
    ['2026-01-11T00:00 00:00 +00:00 -', '2026-01-12T00:00 00:00 +00:00 -', '2026-01-13T00:00 00:00 +00:00 -']
  ]
]

t.test('the next runs follow the calendar, also across clock changes', async t => {
  for (const [cron, timezone, from, expected] of TABLE) {
    const runs = nextRuns({ cron, timezone }, at(from), expected.length)
    t.same(
      runs.map(run => `${new Date(run.at).toISOString().slice(0, 16)} ${run.local.slice(11, 16)} ${run.offset} ${run.note ?? '-'}`),
      expected, `${cron} ${timezone}`
    )
  }
})

t.test("where the clocks skip midnight, that day's run is at one o'clock", async t => {
  const runs = nextRuns({ cron: '0 0 * * *', timezone: 'Africa/Cairo' }, at('2026-04-22T12:00Z'), 3)
  t.same(runs.map(({ at, local, note }) => [new Date(at).toISOString(), local, note]), [
    ['2026-04-22T22:00:00.000Z', '2026-04-23T00:00:00', null],
    ['2026-04-23T22:00:00.000Z', '2026-04-24T01:00:00', 'dst_gap'],
    ['2026-04-24T21:00:00.000Z', '2026-04-25T00:00:00', null]
  ])
})

t.test('an interval counts from its anchor', async t => {
  const timing = { intervalMs: 90_000, timezone: 'Europe/Berlin' }
  const from = at('2026-01-01T00:00:00Z')
  t.same(nextRuns(timing, from, 2).map(run => run.local), ['2026-01-01T01:01:30', '2026-01-01T01:03:00'])
  t.same(nextRuns(timing, from, 2, from - 90_000).map(run => run.at - from), [90_000, 180_000], 'a run due now is past')
  t.same(nextRuns(timing, from, 2, from - 100_000).map(run => run.at - from), [80_000, 170_000])
  t.same(nextRuns(timing, from, 1, from + 1000).map(run => run.at - from), [91_000], 'never before its first')
  t.same(nextRuns(timing, from, 1)[0]?.note, null)
})

const instants = fc.integer({ min: at('2024-01-01T00:00Z'), max: at('2031-01-01T00:00Z') })

// Zones whose clocks change at an hour other than midnight. The test of Cairo covers midnight.
const zones = fc.constantFrom(
  'UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia', 'America/St_Johns'
)

t.test('the next run of a random expression is the first minute that matches', async t => {
  let compared = 0
  fc.assert(fc.property(expressions, instants, (fields, from) => {
    const [minute, hour, dayOfMonth, month, dayOfWeek] = fields
    let next: number
    try {
      next = nextCronRuns(parseCron(fields.map(({ text }) => text).join(' '), 'UTC'), from, 1)[0]!
    } catch (error) {
      if (isImpossible(error)) return
      throw error
    }
    const isDue = (date: Date): boolean => {
      const dom = dayOfMonth.matches(date.getUTCDate())
      const dow = dayOfWeek.matches(date.getUTCDay())
      const day = dayOfMonth.text === '*' ? dow : dayOfWeek.text === '*' ? dom : dom || dow
      return day && month.matches(date.getUTCMonth() + 1) && hour.matches(date.getUTCHours()) && minute.matches(date.getUTCMinutes())
    }
    if (!isDue(new Date(next))) throw new Error('the run is not due')
    const end = Math.min(next, from + 7 * 86_400_000)
    for (let time = Math.floor(from / 60_000) * 60_000 + 60_000; time < end; time += 60_000)
      if (isDue(new Date(time))) throw new Error('a run was skipped')
    compared++
  }), { numRuns: 400 })
  t.ok(compared > 200)
})

t.test('the engine computes the same runs', async t => {
  const engineRun = (from: number, pattern: string, tz: string) => nextRunAt(from, { pattern, tz })
  for (const [expression, timezone, from, runs] of TABLE) {
    const cron = parseCron(expression, timezone)
    let last = at(from)
    for (const expected of nextCronRuns(cron, last, runs.length)) {
      t.equal(engineRun(last, cron.plain, timezone), expected, `${expression} ${timezone}`)
      last = expected
    }
  }
  fc.assert(fc.property(expressions, instants, zones, (fields, from, timezone) => {
    const expression = fields.map(({ text }) => text).join(' ')
    let cron
    try {
      cron = parseCron(expression, timezone)
    } catch (error) {
      if (isImpossible(error)) return
      throw error
    }
    const [next] = nextCronRuns(cron, from, 1)
    if (engineRun(from, cron.plain, timezone) !== next) throw new Error(`differs: ${cron.plain}`)
  }), { numRuns: 500 })
})

t.test('a cron library finds the same runs, where clocks change by whole hours', async t => {
  let compared = 0
  fc.assert(fc.property(expressions, instants, zones.filter(zone => zone !== 'Australia/Lord_Howe'), (fields, from, timezone) => {
    const expression = fields.map(({ text }) => text).join(' ')
    let library
    try {
      library = CronExpressionParser.parse(expression, { tz: timezone, currentDate: new Date(from) })
    } catch { return } // it refuses a list that names a value twice
    let cron
    try {
      cron = parseCron(expression, timezone)
    } catch (error) {
      if (isImpossible(error)) return
      throw error
    }
    compared++
    for (const run of nextCronRuns(cron, from, 5)) {
      const expected = library.next().getTime()
      if (run !== expected)
        throw new Error(`${expression} ${timezone}: ${new Date(run).toISOString()}, not ${new Date(expected).toISOString()}`)
    }
  }), { numRuns: 500 })
  t.ok(compared > 100)
})

t.test('with every hour scheduled, every matching minute on the clock is a run, across the changes of all zones', async t => {
  const DAY_MS = 86_400_000
  for (const [timezone, change] of [
    ['Australia/Lord_Howe', '2026-04-04T15:00Z'], ['Australia/Lord_Howe', '2026-10-03T15:30Z'], ['America/Havana', '2026-03-08T05:00Z'],
    ['America/Scoresbysund', '2026-10-25T01:00Z'], ['Europe/Berlin', '2026-03-29T01:00Z'], ['Europe/Berlin', '2026-10-25T01:00Z'],
    ['Africa/Cairo', '2026-04-23T22:00Z']
  ] as const) {
    const [from, to] = [at(change) - DAY_MS, at(change) + DAY_MS]
    const shown: number[] = []
    for (let time = from + 60_000; time < to; time += 60_000) {
      const local = new Date(time + offsetAt(timezone, time))
      if (local.getUTCMinutes() % 15 === 10 && local.getUTCDay() !== 6) shown.push(time)
    }
    const cron = parseCron('10,25,40,55 * * * 0-5', timezone)
    t.same([...cronRunsBetween(cron, from, to)], shown, `${timezone} ${change}`)
    t.ok(shown.length > 50)
  }
})

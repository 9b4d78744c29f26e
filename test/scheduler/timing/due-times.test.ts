import t from 'tap'
import { nextRunAt } from '../../../lib/engine/schedulers/schedulers.ts'
import { planAgenda, type AgendaSchedule } from '../../../lib/scheduler/timing/agenda.ts'
import { dueTimesBetween, nextDueTimeOf, type RunRules } from '../../../lib/scheduler/timing/due-times.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)
const UNBOUNDED = { jitterMs: 0, startAt: null, endAt: null }

t.test('the engine plans the same runs as the scheduler counts, with jitter and bounds', async t => {
  const from = at('2026-03-28T20:00Z')
  const timings: Array<{ rules: RunRules; pattern: string }> = [
    { rules: { ...UNBOUNDED, timing: { cron: '*/10 * * * *', timezone: 'Europe/Berlin' } }, pattern: '*/10 * * * *' },
    {
      rules: { ...UNBOUNDED, timing: { intervalMs: 90_000, timezone: 'UTC', anchorAt: from - 10_000 } },
      pattern: `every:90000:${from - 10_000}`
    }
  ]
  const bounds = [
    [0, null, null], [30_000, null, null], [HOUR, null, null], [0, from + HOUR, null], [0, null, from + 5 * HOUR],
    [200_000, from + HOUR, from + 3 * HOUR]
  ] as const
  for (const { rules, pattern } of timings) {
    for (const [jitterMs, startAt, endAt] of bounds) {
      const own = { ...rules, jitterMs, startAt, endAt }
      const bounded = `bounds:${encodeURIComponent(JSON.stringify([jitterMs, startAt, endAt, 'sch_1']))} ${pattern}`
      const planned: number[] = []
      for (let next = nextRunAt(from, { pattern: bounded, tz: 'Europe/Berlin' }); next !== undefined &&
        next < from + 8 * HOUR; next = nextRunAt(
          next, { pattern: bounded, tz: 'Europe/Berlin' }
        ))
        planned.push(next)
      const counted = dueTimesBetween('sch_1', own, from, from + 8 * HOUR, 10_000)
      t.strictSame([...new Set(counted)], planned, JSON.stringify([pattern, jitterMs, startAt, endAt]))
      t.equal(nextDueTimeOf('sch_1', own, from), planned[0])
      t.ok(planned.length > 10)
      if (endAt !== null) t.equal(nextDueTimeOf('sch_1', own, endAt + jitterMs), null, 'never again')
      if (jitterMs === 0) continue
      const plain = dueTimesBetween('sch_1', { ...own, jitterMs: 0 }, from, from + 4 * HOUR, 10_000)
      t.notSame(counted.slice(0, 5), plain.slice(0, 5), 'jitter delays the runs')
      t.notSame(counted, dueTimesBetween('sch_2', own, from, from + 8 * HOUR, 10_000), 'another schedule has other jitter')
    }
  }
})

t.test('the agenda counts the same runs as listing them, in every zone and across clock changes', async t => {
  const crons = ['*/5 * * * *', '*/7 3-20 * * 1-5', '30 2 * * *', '15 1,2,3 1,29 * 0', '0 0 31 * *', '59 23 28-31 3,10 *', '45 */5 * * *']
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns']
  for (const from of ['2026-03-26T11:00Z', '2026-10-22T11:00Z', '2026-04-02T05:00Z', '2026-11-01T00:00Z', '2028-02-26T00:00Z'].map(at)) {
    const to = from + 7 * 24 * HOUR
    const schedules: AgendaSchedule[] = zones.flatMap(timezone => crons.map(cron =>
      ({ scheduleId: `${timezone} ${cron}`, taskName: 'x', description: null, timing: { cron, timezone }, startAt: null, endAt: null })))
    const { hours, schedules: planned } = planAgenda(schedules, from, to)
    const byId = new Map(planned.map(schedule => [schedule.scheduleId, schedule.counts]))
    for (const { scheduleId, timing } of schedules) {
      const runs = dueTimesBetween(scheduleId, { ...UNBOUNDED, timing }, from - 1, to, 20_000)
      const expected = hours.map(() => 0)
      for (const run of runs) expected[Math.floor((run - from) / HOUR)]!++
      t.strictSame(byId.get(scheduleId) ?? hours.map(() => 0), expected, `${scheduleId} from ${new Date(from).toISOString()}`)
    }
  }
})

t.test('the agenda counts intervals and respects the bounds of schedules', async t => {
  const from = at('2026-11-20T09:00Z')
  const base = { taskName: 'x', description: null, startAt: null, endAt: null }
  const bounds = { startAt: from + 90 * 60_000, endAt: from + 200 * 60_000 }
  const plan = planAgenda([
    { ...base, scheduleId: 'often', timing: { intervalMs: 1500, timezone: 'UTC', anchorAt: from - 1 } },
    { ...base, scheduleId: 'young', timing: { intervalMs: 600_000, timezone: 'UTC', anchorAt: from + HOUR } },
    { ...base, scheduleId: 'seldom', timing: { intervalMs: 365 * 24 * HOUR, timezone: 'UTC', anchorAt: from } },
    { ...base, ...bounds, scheduleId: 'bounded interval', timing: { intervalMs: 600_000, timezone: 'UTC', anchorAt: from - 600_000 } },
    { ...base, ...bounds, scheduleId: 'bounded cron', timing: { cron: '*/10 * * * *', timezone: 'UTC' } }
  ], from, from + 5 * HOUR)
  const countsOf = (id: string) => plan.schedules.find(({ scheduleId }) => scheduleId === id)?.counts
  t.strictSame(countsOf('often'), [2_400, 2_400, 2_400, 2_400, 2_400], 'an hour has 2,400 times 1.5 s')
  t.strictSame(countsOf('young'), [0, 5, 6, 6, 6])
  t.equal(countsOf('seldom'), undefined, 'a schedule without runs is not listed')
  t.strictSame(countsOf('bounded interval'), [0, 3, 6, 3, 0])
  t.strictSame(countsOf('bounded cron'), [0, 3, 6, 3, 0])
  t.strictSame(plan.totals, plan.hours.map((_, index) => plan.schedules.reduce((sum, { counts }) => sum + counts[index]!, 0)))
})

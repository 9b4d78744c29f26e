import t from 'tap'
import { countMisses, type Seen } from '../../../../lib/queue-app/observing/schedules/count-misses.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../lib/time/units.ts'

const NOON = Date.UTC(2026, 10, 25, 12)
const SEEN: Seen = {
  pattern: '0 * * * *', everyMs: null, timezone: 'UTC', startAt: null, endAt: null, plannedAt: NOON, iterations: 5, isDisabled: false,
  at: NOON - MINUTE_MS
}
const later = (fields: Partial<Seen>): Seen => ({ ...SEEN, at: NOON + 4 * HOUR_MS, ...fields })

t.test('runs that were due between two checks and did not run are missed', async t => {
  t.same(countMisses(SEEN, later({ plannedAt: NOON + HOUR_MS, iterations: 6 })), { missed: null, lateDueAt: null }, 'it ran')
  t.same(countMisses(SEEN, later({ plannedAt: NOON + 3 * HOUR_MS, iterations: 6 })).missed, {
    firstDueAt: NOON + HOUR_MS, lastDueAt: NOON + 2 * HOUR_MS, count: 2
  }, 'it ran once, after three were due')
  t.equal(countMisses(SEEN, later({ plannedAt: NOON + 3 * HOUR_MS, iterations: 8 })).missed, null, 'each ran between two checks')
  t.same(countMisses(SEEN, later({ plannedAt: NOON + HOUR_MS, at: NOON + MINUTE_MS })).missed, {
    firstDueAt: NOON, lastDueAt: NOON, count: 1
  }, 'its owner planned the scheduler again before a worker took the run')
})

t.test('an interval is counted in the same way', async t => {
  const every: Seen = { ...SEEN, pattern: null, everyMs: 1000 }
  t.same(countMisses(every, { ...every, at: NOON + 9_000, plannedAt: NOON + 10_000, iterations: 7 }).missed, {
    firstDueAt: NOON + 2_000, lastDueAt: NOON + 8_000, count: 7
  })
  t.equal(countMisses(every, { ...every, at: NOON + HOUR_MS * 24, plannedAt: NOON + HOUR_MS * 24 }).missed?.count, 1000, 'up to a limit')
})

t.test('a run is late if it had been due for 30 seconds when it was last seen', async t => {
  const overdue = { ...SEEN, at: NOON + MINUTE_MS }
  t.equal(countMisses(overdue, later({ plannedAt: NOON + HOUR_MS, iterations: 6 })).lateDueAt, NOON)
  t.equal(countMisses(overdue, later({ plannedAt: NOON + HOUR_MS })).lateDueAt, null)
})

t.test('runs do not count as missed if their number is unknown, or if a person disabled the schedule', async t => {
  const jumped = later({ plannedAt: NOON + 3 * HOUR_MS, iterations: 6 })
  const nothing = { missed: null, lateDueAt: null }
  t.same(countMisses({ ...SEEN, isDisabled: true }, jumped), nothing)
  t.same(countMisses(SEEN, { ...jumped, isDisabled: true }), nothing)
  t.same(countMisses(SEEN, { ...jumped, iterations: 1 }), nothing, 'the scheduler was recreated')
  t.same(countMisses({ ...SEEN, pattern: 'RRULE' }, { ...jumped, pattern: 'RRULE' }), nothing)
  t.same(countMisses({ ...SEEN, timezone: 'No/Where' }, { ...jumped, timezone: 'No/Where' }), nothing)
  t.same(countMisses(SEEN, { ...jumped, plannedAt: NOON + 3 * HOUR_MS + 1 }), nothing, 'the owner plans by another rule')
  t.same(countMisses(SEEN, { ...jumped, pattern: '0 3 * * *' }), nothing, 'a new rule, and the old one was never seen due')
})

t.test('if the owner named no time zone, clocks that go back in it do not cause a miss', async t => {
  const daily = { ...SEEN, pattern: '0 9 * * *', timezone: null, plannedAt: Date.UTC(2026, 9, 24, 7) }
  const next = { ...daily, plannedAt: Date.UTC(2026, 9, 25, 8), iterations: 6, at: Date.UTC(2026, 9, 24, 8) }
  t.same(countMisses(daily, next), { missed: null, lateDueAt: null })
})

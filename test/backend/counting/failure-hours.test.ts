import t from 'tap'
import { groupsKeptSince, hoursAsked } from '../../../lib/backend/counting/failure-hours.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time/units.ts'

const NOW = 20_000 * DAY_MS + 5 // 5 ms into an hour, so that the current hour has only begun

t.test('a range covers every hour that it touches, and an empty range covers none', async t => {
  const hours = (from?: number, to?: number) => {
    const asked = hoursAsked({ limit: 1, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, NOW)
    return asked && [asked.first, asked.end]
  }
  t.equal(hours(), null)
  t.strictSame(hours(HOUR_MS + 1, 2 * HOUR_MS + 1), [1, 3])
  t.strictSame(hours(undefined, 2 * HOUR_MS), [0, 2])
  t.strictSame(hours(-5, 5), [0, 1])
  t.strictSame(hours(NOW - DAY_MS, Date.UTC(9999, 0)), [20_000 * 24 - 24, Date.UTC(9999, 0) / HOUR_MS])
  t.ok(hours(NOW)![1]! * HOUR_MS > NOW + 1_000 * DAY_MS)
  for (const [from, to] of [[5, 5], [3 * HOUR_MS, HOUR_MS], [-5, -7], [undefined, 0]] as const) {
    const [first, end] = hours(from, to)!
    t.equal(end, first, `${from} to ${to}`)
  }
  t.equal(hoursAsked({ limit: 1, to: NOW }, NOW)!.keptFrom, 19_910 * 24 + 1, 'only whole hours of the last 90 days count')
})

t.test('failure groups are kept for ninety days, or as long as failed executions if that is longer', async t => {
  const since = (maxAgeMs: number) =>
    groupsKeptSince({ success: { maxAgeMs: Infinity, maxCount: 1 }, failed: { maxAgeMs, maxCount: 1 } }, NOW)
  t.strictSame([since(DAY_MS), since(365 * DAY_MS), since(Infinity)], [NOW - 90 * DAY_MS, NOW - 365 * DAY_MS, -Infinity])
})

import t from 'tap'
import type { Timeseries, TimeseriesPoint } from '../../../../schemas/index.ts'
import { beforeWords, failureChange, paceChange, tally, toPeriod } from '../../../../ui/src/format/stats/period.ts'
import { cutBefore, cutSeries, planBefore, planSeries } from '../../../../ui/src/format/stats/series-plan.ts'
import { lastOf, PRESETS, type TimeRange } from '../../../../ui/src/format/time/time-range.ts'

const NOW = Date.UTC(2026, 10, 20, 9, 30)
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

function point(at: number, success: number | null, failed: number | null, more: Partial<TimeseriesPoint> = {}): TimeseriesPoint {
  return {
    at: new Date(at).toISOString(), success, failed, throughput_per_minute: 1, open: false,
    gap: success === null ? 'before_ledger' : null, ...more
  }
}

function series(points: TimeseriesPoint[], step_ms: number): Timeseries {
  return { metric: 'duration_ms', from: points[0]!.at, to: new Date(NOW).toISOString(), step_ms, source: 'minutes', points }
}

t.test('every range is requested with as many points as the API offers', async t => {
  const planned = PRESETS.map(range => planSeries(range, NOW)).map(plan => `${plan!.window}/${plan!.step}`)
  t.same(planned, ['15m/1m', '1h/1m', '24h/15m', '7d/1h', '30d/6h', '90d/12h', '1y/3d'])
  const ofTask = planSeries(lastOf('24h')!, NOW, true)
  t.equal(ofTask?.step, '1h', 'minutes of a task are kept for six hours')
  t.same(PRESETS.map(range => planBefore(range, NOW)?.window ?? null), ['1h', '6h', '7d', '30d', '90d', '1y', null])
  const old: TimeRange = { kind: 'between', from: NOW - 3 * DAY, to: NOW - 3 * DAY + HOUR }
  t.match(planSeries(old, NOW), { window: '7d', step: '1h' }, 'minutes are kept for two days')
  t.equal(planSeries({ kind: 'between', from: NOW - 400 * DAY, to: null }, NOW), null)
})

t.test('a range has only its own points, and so does the previous span', async t => {
  const minutes = series(Array.from({ length: 360 }, (_, index) => point(NOW - (359 - index) * MINUTE, index, 0)), MINUTE)
  t.same(cutSeries(minutes, lastOf('1h')!).points.map(each => each.success), Array.from({ length: 60 }, (_, index) => 300 + index))
  const between = cutSeries(minutes, { kind: 'between', from: NOW - 30 * MINUTE, to: NOW - 20 * MINUTE })
  t.same(between.points.map(each => each.success), Array.from({ length: 10 }, (_, index) => 329 + index))
  const before = cutBefore(minutes, lastOf('1h')!, NOW)
  t.equal(before.length, 60)
  t.equal(before.at(-1)!.success, 298)
})

t.test('unknown points are not counted, and an incomplete span is not compared', async t => {
  t.equal(tally([point(NOW, null, null)], MINUTE, NOW), null)
  const known = tally([point(NOW - HOUR, null, null), point(NOW - 30_000, 3, 1, { open: true })], MINUTE, NOW)
  t.same(known, { success: 3, failed: 1, ms: 30_000, isWhole: false })
  const now = series([point(NOW - MINUTE, 8, 2)], MINUTE)
  const whole = toPeriod(now, { points: [point(NOW - 2 * MINUTE, 4, 0), point(NOW - 3 * MINUTE, 4, 0)], stepMs: MINUTE }, NOW)
  t.same(paceChange(whole), { direction: 'up', text: '150 %' }, 'compared by pace, whatever the lengths')
  t.same(failureChange(whole), { direction: 'up', text: '20.0 points' })
  const half = toPeriod(now, { points: [point(0, null, null), point(0, 1, 1)], stepMs: MINUTE }, NOW)
  t.equal(paceChange(half), null)
  t.equal(failureChange(half), null)
  t.equal(paceChange(toPeriod(now, null, NOW)), null)
  const none = toPeriod(now, { points: [point(0, 0, 0)], stepMs: MINUTE }, NOW)
  t.same(paceChange(none), { direction: 'up', text: 'from none' })
  t.equal(failureChange(none), null, 'nothing finished, so there is no share of failures')
  t.equal(beforeWords(lastOf('24h')!, NOW), 'the 1 d before')
})

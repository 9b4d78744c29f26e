import t from 'tap'
import type { Timeseries } from '../../../../schemas/index.ts'
import { cutBefore, cutSeries, planBefore, planSeries, summedWords, type SeriesPlan } from '../../../../ui/src/format/stats/series-plan.ts'
import { summarize } from '../../../../ui/src/format/stats/timeseries.ts'
import { tally } from '../../../../ui/src/format/stats/period.ts'
import { formatClock } from '../../../../ui/src/format/time/time.ts'
import { lastOf, readTimeRange, type TimeRange } from '../../../../ui/src/format/time/time-range.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const NOW = Date.UTC(2026, 10, 23, 11, 5)

/** The API response when one execution finishes every minute. */
function answer({ window, stepMs }: SeriesPlan, now: number): Timeseries {
  const to = Math.floor(now / stepMs + 1) * stepMs
  const count = Math.ceil(lastOf(window)!.ms / stepMs)
  return {
    metric: 'duration_ms', from: new Date(to - count * stepMs).toISOString(), to: new Date(to).toISOString(), step_ms: stepMs,
    source: 'minutes',
    points: Array.from({ length: count }, (_, index) => ({
      at: new Date(to - (count - index) * stepMs).toISOString(), success: stepMs / MINUTE, failed: 0, throughput_per_minute: 1,
      open: index === count - 1, gap: null
    }))
  }
}

t.test('a fixed range keeps its points while it moves into the past', async t => {
  const from = Date.UTC(2026, 10, 23, 10)
  const ended: TimeRange = { kind: 'between', from, to: from + 10 * MINUTE }
  const since: TimeRange = { kind: 'between', from, to: null }
  for (let now = from + 11 * MINUTE; now < from + 40 * HOUR; now += 7 * MINUTE) {
    // A plan is used for a minute.
    const cut = cutSeries(answer(planSeries(ended, now)!, now + MINUTE - 1), ended)
    if (summarize(cut).success !== cut.points.length * cut.step_ms / MINUTE || cut.points.length === 0) return t.fail(`at ${now - from}`)
    if (Date.parse(cut.points[0]!.at) > from) return t.fail(`cut at ${now - from}`)
    const open = cutSeries(answer(planSeries(since, now)!, now + MINUTE - 1), since)
    if (Date.parse(open.points[0]!.at) > from || summarize(open).knownSince !== null) return t.fail(`since, at ${now - from}`)
    const before = cutBefore(answer(planBefore(since, now)!, now + MINUTE - 1), since, now)
    if (!tally(before, MINUTE, now)?.isWhole) return t.fail(`before, at ${now - from}`)
  }
})

t.test('points that a response no longer covers are unknown, and the rest never counts as the whole range', async t => {
  const range: TimeRange = { kind: 'between', from: NOW - 70 * MINUTE, to: NOW - 50 * MINUTE }
  const series = answer({ window: '1h', step: '1m', stepMs: MINUTE }, NOW)
  const cut = cutSeries(series, range)
  t.equal(cut.points.length, 20)
  t.match(summarize(cut), { success: 9, knownSince: new Date(NOW - 59 * MINUTE).toISOString(), gap: 'not_kept' })
  t.equal(tally(cut.points, MINUTE, NOW)!.isWhole, false)
  t.equal(tally(cutBefore(series, lastOf('45m')!, NOW), MINUTE, NOW)!.isWhole, false)
  const earlier = cutSeries(series, { kind: 'between', from: NOW - 90 * MINUTE, to: NOW - 80 * MINUTE })
  t.equal(summarize(earlier).isUnknown, true)
})

t.test('every range that an address may contain can be requested, up to a year and a day back', async t => {
  for (const hours of [364 * 24, 364.5 * 24, 365 * 24, 365 * 24 + 1, 366 * 24]) {
    for (const [length, step] of [[20, '1d'], [365, '3d']] as const) {
      const begin = NOW - hours * HOUR
      const { range, problem } = readTimeRange(
        { range: null, from: new Date(begin).toISOString(), to: new Date(begin + length * DAY).toISOString() }, null, NOW
      )
      t.equal(problem, null)
      t.match(planSeries(range!, NOW), { window: '1y', step }, `${hours} hours back, ${length} days long`)
    }
  }
  t.equal(planSeries({ kind: 'between', from: NOW - 366 * DAY - 1, to: null }, NOW), null)
})

t.test('figures from whole hours or days are labelled with the span that they cover', async t => {
  const cases: ReadonlyArray<readonly [back: number, length: number, begin: number, end: number]> = [
    // 11:00 to 11:15 three days ago, for which only the whole hour is kept.
    [3 * DAY + 5 * MINUTE, 15 * MINUTE, 3 * DAY + 5 * MINUTE, 3 * DAY - 55 * MINUTE],
    [3 * DAY, 20 * MINUTE, 3 * DAY + 5 * MINUTE, 3 * DAY - 55 * MINUTE],
    [120 * DAY, HOUR, 120 * DAY + 11 * HOUR + 5 * MINUTE, 119 * DAY + 11 * HOUR + 5 * MINUTE],
    [8 * HOUR, 20 * MINUTE, 8 * HOUR, 8 * HOUR - 20 * MINUTE]
  ]
  for (const [back, length, begin, end] of cases) {
    const range: TimeRange = { kind: 'between', from: NOW - back, to: NOW - back + length }
    const cut = cutSeries(answer(planSeries(range, NOW)!, NOW), range)
    t.equal(summarize(cut).success, (begin - end) / MINUTE)
    t.equal(summedWords(range, cut, NOW), `${formatClock(NOW - begin, NOW)} to ${formatClock(NOW - end, NOW - begin)}`)
  }
  const open: TimeRange = { kind: 'between', from: NOW - 5 * DAY - 20 * MINUTE, to: null }
  const cut = cutSeries(answer(planSeries(open, NOW)!, NOW), open)
  t.equal(summedWords(open, cut, NOW), `Since ${formatClock(NOW - 5 * DAY - 65 * MINUTE, NOW)}`)
  t.equal(summedWords(lastOf('1y')!, cut, NOW), 'Last year')
})

import t from 'tap'
import type { TimeseriesStep, TimeseriesWindow } from '../../../schemas/timeseries.ts'
import { TIMESERIES_STEPS, TIMESERIES_WINDOWS } from '../../../schemas/timeseries.ts'
import type { Rollup, RollupQuery } from '../../../lib/backend/result-backend.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/units.ts'
import { createTimeseries } from '../../../lib/queue-app/monitoring/timeseries.ts'

const NOW = Date.UTC(2026, 10, 20, 9, 30, 20)

function timeseriesOver(rollups: Rollup[], since = 0) {
  const asked: RollupQuery[] = []
  const read = createTimeseries({
    totals: async () => ({ success: 0, failed: 0, since }),
    async rollups(query) {
      asked.push(query)
      return rollups.filter(({ startMs }) => startMs >= query.fromMs && startMs < query.toMs)
    }
  }, () => NOW)
  return { read, asked }
}

function rollup(startMs: number, success: number, failed = 0, ms = 10): Rollup {
  return { startMs, tally: { success, failed, duration: new Map([[ms, success + failed]]), wait: new Map([[1, success]]) } }
}

t.test('every window has contiguous points from a window ago to the current span', async t => {
  const { read, asked } = timeseriesOver([])
  for (const window of TIMESERIES_WINDOWS) {
    for (const taskName of [undefined, 'a']) {
      const { from, to, stepMs, points, source } = await read({ window, ...(taskName && { taskName }) })
      t.ok(
        points.length >= (window === '15m' ? 15 : taskName && window === '24h' ? 24 : 60) && points.length <= 200,
        `${window} ${taskName}: ${points.length} points`
      )
      t.same(points.map(({ at }) => at), Array.from({ length: points.length }, (_, index) => from + index * stepMs))
      t.equal(to, from + points.length * stepMs)
      t.ok(to > NOW && to - stepMs <= NOW && from % stepMs === 0)
      t.same(points.filter(({ isOpen }) => isOpen).map(({ at }) => at), [to - stepMs])
      t.ok(points.every(({ gap, success }) => gap === null && success === 0), 'everything is known')
      t.equal(stepMs % { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS }[source], 0)
      t.match(asked.at(-1), { toMs: to, ...(taskName && { taskName }) })
    }
  }
})

t.test('roll-ups are added up into the points', async t => {
  const start = Date.UTC(2026, 10, 20, 9, 15)
  const minute = (offset: number) => start + offset * MINUTE_MS
  const { read } = timeseriesOver([rollup(minute(-1), 7), rollup(start, 3, 1, 10), rollup(minute(14), 6, 0, 30), rollup(minute(15), 5)])
  const { points } = await read({ window: '24h' })
  t.same(points.slice(-3).map(({ success, failed }) => [success, failed]), [[7, 0], [9, 1], [5, 0]])
  t.match(points.at(-2), {
    at: start, throughputPerMinute: 10 / 15, duration: { p50: 30, p95: 30, p99: 30 }, wait: { p50: 1 }, isOpen: false
  })
  t.match(points.at(-1), { isOpen: true, throughputPerMinute: null }, 'twenty seconds are too short for a rate')
  t.match(points.at(-4), { success: 0, failed: 0, throughputPerMinute: 0, duration: null, wait: null, gap: null })
  const open = (await read({ window: '24h', step: '1h' })).points.at(-1)!
  t.equal(open.throughputPerMinute, 22 / (30 + 20 / 60))
})

t.test('the percentiles of a roll-up are computed once, and again after it changed', async t => {
  const start = Date.UTC(2026, 10, 20, 9)
  let reads = 0
  const counted = (ms: number): Rollup => {
    const { startMs, tally } = rollup(start, 1, 0, ms)
    return { startMs, tally: { ...tally, get duration() { reads++; return tally.duration } } }
  }
  const rollups = [{ ...rollup(start - HOUR_MS, 4) }, { startMs: start, tally: Object.create(counted(10).tally) as Rollup['tally'] }]
  const { read } = timeseriesOver(rollups)
  for (let i = 0; i < 3; i++) t.match((await read({ window: '7d' })).points.at(-1), { success: 1, duration: { p50: 10 } })
  t.equal(reads, 1)
  rollups[1] = rollup(start, 2, 0, 50)
  t.match((await read({ window: '7d' })).points.slice(-2), [{ success: 4 }, { success: 2, duration: { p50: 50 } }])
})

t.test('unknown values are null with a reason, never 0', async t => {
  const since = Date.UTC(2026, 10, 20, 8, 20)
  const young = await timeseriesOver(
    [rollup(Date.UTC(2026, 10, 20, 5), 1), rollup(Date.UTC(2026, 10, 20, 8), 4)], since
  ).read({ window: '6h', step: '1h' })
  t.same(
    young.points.map(({ success, gap }) => [success, gap]),
    [[null, 'before_ledger'], [1, null], [null, 'before_ledger'], [null, 'before_ledger'], [4, null], [0, null]]
  )
  t.match(young.points[0], { success: null, failed: null, throughputPerMinute: null, duration: null, wait: null })

  const { read, asked } = timeseriesOver([])
  const { points } = await read({ window: '7d', step: '15m' })
  t.same([...new Set(points.map(({ gap }) => gap))], ['not_kept', null])
  t.equal(points.filter(({ gap }) => gap === null).length, 48 * 4, 'minutes are kept for two days')
  t.ok(asked[0]!.fromMs >= NOW - 2 * DAY_MS, 'what is not kept is not read')
  t.equal((await read({ window: '7d', step: '15m', taskName: 'a' })).points.filter(({ gap }) => gap === null).length, 6 * 4)
  t.equal((await read({ window: '1y', step: '6h' })).points.filter(({ gap }) => gap === null).length, 90 * 4)
})

t.test('a step that does not fit the window is refused, and others give at most 1,500 points', async t => {
  const { read } = timeseriesOver([])
  const refused: Array<[TimeseriesWindow, TimeseriesStep]> = []
  for (const window of TIMESERIES_WINDOWS) {
    for (const step of TIMESERIES_STEPS) {
      try {
        const { points } = await read({ window, step })
        t.ok(points.length > 0 && points.length <= 1500)
      } catch (error) {
        t.match(error, { code: 'INVALID_INPUT', errors: [{ pointer: '/step' }] })
        refused.push([window, step])
      }
    }
  }
  t.ok(refused.some(([window, step]) => window === '7d' && step === '1m'))
  t.ok(refused.some(([window, step]) => window === '1h' && step === '3h'))
  t.notOk(refused.some(([window, step]) => window === '24h' && step === '1m'))
})

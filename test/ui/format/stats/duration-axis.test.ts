import t from 'tap'
import { formatDuration } from '../../../../ui/src/format/time/duration.ts'
import { toDurationAxis } from '../../../../ui/src/format/stats/duration-axis.ts'

t.test('durations of similar size get a linear axis with round labels', async t => {
  t.same(toDurationAxis([null, 12, 30]), { isLogarithmic: false, min: 0, max: 30, ticks: [0, 10, 20, 30] })
  t.same(toDurationAxis([400_000, 300_000, 40_000]).ticks.map(formatDuration), ['0 ms', '2 m', '4 m', '6 m', '8 m'])
  t.same(toDurationAxis([]), { isLogarithmic: false, min: 0, max: 10, ticks: [0, 5, 10] })
  t.same(toDurationAxis([null, 0]).ticks, [0, 5, 10], 'zero durations get the default axis')
})

t.test('one very slow execution makes the axis logarithmic', async t => {
  const axis = toDurationAxis([8, 12, 400_000])
  t.equal(axis.isLogarithmic, true)
  t.ok(axis.min <= 8 && axis.max >= 400_000)
  t.ok(axis.ticks.length >= 3 && axis.ticks.length <= 6, String(axis.ticks))
})

t.test('the axis holds every duration, with two to six ticks and one unit per label', async t => {
  for (let most = 1; most < 4e10; most *= 1.37) {
    for (const least of [most, most / 3, most / 50, most / 1e6]) {
      const { min, max, ticks } = toDurationAxis([least, most])
      const words = `${least} to ${most}: ${ticks.map(formatDuration).join()}`
      if (!(min <= least && max >= most)) t.fail(`outside, ${words}`)
      if (ticks.length < 2 || ticks.length > 6) t.fail(`${ticks.length} ticks, ${words}`)
      if (!ticks.every(tick => /^\S+ \S+$/.test(formatDuration(tick)))) t.fail(`two units, ${words}`)
    }
  }
  t.pass()
})

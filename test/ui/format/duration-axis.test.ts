import t from 'tap'
import { formatDuration } from '../../../ui/src/format/duration.ts'
import { toDurationAxis } from '../../../ui/src/format/duration-axis.ts'

t.test('durations of one size are drawn on a linear axis with round labels', async t => {
  t.same(toDurationAxis([null, 12, 30]), { isLogarithmic: false, min: 0, max: 30, ticks: [0, 10, 20, 30] })
  t.same(toDurationAxis([400_000, 300_000, 40_000]).ticks.map(formatDuration), ['0 ms', '2 m', '4 m', '6 m', '8 m'])
  t.same(toDurationAxis([]), { isLogarithmic: false, min: 0, max: 10, ticks: [0, 5, 10] })
  t.same(toDurationAxis([null, 0]).ticks, [0, 5, 10], 'what took no time needs no room')
})

t.test('a rare slow execution does not flatten all others', async t => {
  const axis = toDurationAxis([8, 12, 400_000])
  t.equal(axis.isLogarithmic, true)
  t.ok(axis.min <= 8 && axis.max >= 400_000)
  t.ok(axis.ticks.length >= 3 && axis.ticks.length <= 6, String(axis.ticks))
})

t.test('no label has two units, nothing is outside, and there are a handful of ticks, whatever the sizes', async t => {
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

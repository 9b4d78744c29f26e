import fc from 'fast-check'
import t from 'tap'
import { countInto, mergeInto } from '../../../lib/backend/counting/histogram.ts'
import {
  type Tally, TallySum, emptyTally, packTally, spansTouched, toFinishedWindow, toWindowsByTask
} from '../../../lib/backend/counting/tally.ts'

const values = fc.array(fc.integer({ min: 0, max: 1_600 }), { maxLength: 30 })
const tallies = fc.array(fc.record({ success: fc.nat(9), failed: fc.nat(9), duration: values, wait: values }).map((
  { success, failed, duration, wait }
) => {
  const tally = { ...emptyTally(), success, failed }
  for (const bin of duration) countInto(tally.duration, bin)
  for (const bin of wait) countInto(tally.wait, bin)
  return tally
}), { maxLength: 6 })

function merged(those: readonly Tally[]): Tally {
  const all = emptyTally()
  for (const { success, failed, duration, wait } of those) {
    all.success += success
    all.failed += failed
    mergeInto(all.duration, duration)
    mergeInto(all.wait, wait)
  }
  return all
}

t.test('the sum of tallies, packed or not, equals the tally of all of them, and clear() resets it', async () => {
  const sum = new TallySum()
  fc.assert(fc.property(tallies, fc.boolean(), (those, areMixed) => {
    sum.clear()
    for (const [i, tally] of those.entries()) sum.add(areMixed && i % 2 ? tally : packTally(tally))
    const all = merged(those)
    return JSON.stringify([
      sum.toWindow(), toFinishedWindow(sum.toTally())
    ]) === JSON.stringify([toFinishedWindow(all), toFinishedWindow(all)]) &&
      JSON.stringify([...sum.toTally().duration]) === JSON.stringify([...packTally(all).duration])
  }))
})

t.test('windows by task add up all hours in which the task has executions', async t => {
  const tally = (success: number, bin: number) => packTally({ success, failed: 0, duration: new Map([[bin, success]]), wait: new Map() })
  const windows = toWindowsByTask([new Map([['a', tally(2, 10)]]), new Map([['a', tally(1, 20)], ['b', tally(5, 30)]]), new Map()])
  t.strictSame(windows, new Map([
    ['a', { success: 3, failed: 0, duration: { p50: 10, p95: 20, p99: 20 }, wait: null }],
    ['b', { success: 5, failed: 0, duration: { p50: 30, p95: 30, p99: 30 }, wait: null }]
  ]))
  t.equal(toWindowsByTask([]).size, 0)
})

t.test('a range touches each span it overlaps, and an empty range touches none', async t => {
  const table = [
    [[0, 1], { first: 0, end: 1 }], [[5, 15], { first: 0, end: 2 }], [[10, 20], { first: 1, end: 2 }], [[-50, 11], { first: 0, end: 2 }],
    [[5, 5], { first: 0, end: 0 }], [[25, 5], { first: 2, end: 2 }], [[0, 1_000], { first: 94, end: 100 }]
  ] as const
  for (const [[fromMs, toMs], expected] of table) t.strictSame(spansTouched(fromMs, toMs, 10, 50), expected, `${fromMs} to ${toMs}`)
})

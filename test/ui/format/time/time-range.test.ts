import t from 'tap'
import {
  isSameRange, lastOf, PRESETS, rangeBounds, rangeParameters, rangePhrase, rangeWords, readTimeRange, type TimeRange
} from '../../../../ui/src/format/time/time-range.ts'

const NOW = Date.UTC(2026, 10, 20, 9, 30, 42)
const DAY = lastOf('24h')!
const ask = (parameters: { range?: string; from?: string; to?: string }, fallback: TimeRange | null = DAY) =>
  readTimeRange({ range: null, from: null, to: null, ...parameters }, fallback, NOW)

t.test('a range is read from the address, by name, by length or between two instants', async t => {
  t.same(ask({}), { range: DAY, problem: null })
  t.same(ask({ range: 'all' }), { range: null, problem: null })
  t.same(ask({ range: '1h' }).range, { kind: 'last', text: '1h', ms: 3_600_000 })
  t.same(ask({ range: '45m' }).range, { kind: 'last', text: '45m', ms: 2_700_000 })
  t.same(ask({ range: '2W' }).range, { kind: 'last', text: '2w', ms: 14 * 86_400_000 })
  t.same(
    ask({ from: '2026-11-19T08:00Z', to: '2026-11-19T09:00:00.000Z' }).range,
    { kind: 'between', from: Date.UTC(2026, 10, 19, 8), to: Date.UTC(2026, 10, 19, 9) }
  )
  t.same(ask({ from: '2026-11-19T10:00+02:00' }).range, { kind: 'between', from: Date.UTC(2026, 10, 19, 8), to: null })
  t.same(ask({ from: '2026-11-19' }).range, { kind: 'between', from: new Date(2026, 10, 19).getTime(), to: null })
  t.same(ask({ from: '2026-11-20T09:00Z', to: '2026-11-20T23:00Z' }).range, { kind: 'between', from: Date.UTC(2026, 10, 20, 9), to: null })
})

t.test('an invalid range is reported, and the fallback replaces it', async t => {
  const wrong: Array<[Parameters<typeof ask>[0], RegExp]> = [
    [{ range: 'yesterday' }, /“yesterday” is not a time range/], [{ range: '0h' }, /not a time range/], [{ range: '2y' }, /not a time range/],
    [{ range: '-1h' }, /not a time range/], [{ range: '9'.repeat(5_000) }, /^“9{40}…”/], [{ range: '__proto__' }, /not a time range/],
    [{ from: 'x' }, /“x” is not a time/], [{ from: '2026-11-19T08:00Z', to: '2026-13-01' }, /“2026-13-01” is not a time/],
    [{ from: '2026-99-99' }, /not a time/], [{ to: '2026-11-19' }, /needs a start/], [{ from: '2026-11-21T00:00Z' }, /not started/],
    [{ from: '2026-11-19T08:00Z', to: '2026-11-19T08:00Z' }, /ends before it starts/], [{ from: '2024-01-01' }, /more than a year ago/]
  ]
  for (const [parameters, said] of wrong) {
    const { range, problem } = ask(parameters)
    t.match(problem, said)
    t.match(problem, /Shown instead: last 24 hours\.$/)
    t.equal(range, DAY)
  }
  t.match(ask({ range: 'x' }, null).problem, /Shown instead: all time/)
})

t.test('a range written into an address is read back unchanged', async t => {
  const ranges: Array<TimeRange | null> = [
    ...PRESETS, lastOf('45m'), null, { kind: 'between', from: NOW - 5e6, to: NOW - 1e6 }, { kind: 'between', from: NOW - 5e6, to: null },
    { kind: 'between', from: Date.UTC(2026, 10, 19, 8), to: Date.UTC(2026, 10, 19, 9) }
  ]
  for (const range of ranges) {
    const { range: text = null, from = null, to = null } = rangeParameters(range)
    t.ok(isSameRange(readTimeRange({ range: text, from, to }, DAY, NOW).range, range), JSON.stringify(range))
  }
  const open: TimeRange = { kind: 'between', from: Date.UTC(2026, 10, 19, 8), to: null }
  t.same(rangeParameters(open), { range: null, from: '2026-11-19T08:00Z', to: null })
})

t.test('requests to the API begin at a full minute, so that equal requests have the same address', async t => {
  t.same(rangeBounds(lastOf('1h'), NOW), { from: '2026-11-20T08:30:00.000Z', to: null })
  t.same(rangeBounds(null, NOW), { from: null, to: null })
  t.same(
    rangeBounds({ kind: 'between', from: Date.UTC(2026, 10, 19, 8), to: Date.UTC(2026, 10, 19, 9) }, NOW),
    { from: '2026-11-19T08:00:00.000Z', to: '2026-11-19T09:00:00.000Z' }
  )
})

t.test('a range is put into words', async t => {
  t.equal(rangeWords(lastOf('24h'), NOW), 'Last 24 hours')
  t.equal(rangeWords(lastOf('90m'), NOW), 'Last 1 h 30 m')
  t.equal(rangeWords(null, NOW), 'All time')
  const at = (hour: number, day = 20) => new Date(2026, 10, day, hour).getTime()
  t.equal(rangeWords({ kind: 'between', from: at(7), to: at(8) }, at(9)), '07:00 to 08:00')
  t.equal(rangeWords({ kind: 'between', from: at(22, 18), to: at(1, 19) }, at(9)), '18 Nov, 22:00 to 19 Nov, 01:00')
  t.equal(rangeWords({ kind: 'between', from: at(7), to: null }, at(9)), 'Since 07:00')
  t.equal(rangePhrase(lastOf('1h'), NOW), ' in the last hour')
  t.equal(rangePhrase({ kind: 'between', from: at(7), to: at(8) }, at(9)), ' from 07:00 to 08:00')
  t.equal(rangePhrase(null, NOW), '')
})

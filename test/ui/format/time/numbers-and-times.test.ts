import t from 'tap'
import { formatAge, formatDuration, formatInterval, formatRelative, formatSpan } from '../../../../ui/src/format/time/duration.ts'
import { formatBytes, formatCompact, formatPace, formatRate, formatTotal } from '../../../../ui/src/format/stats/number.ts'
import { formatClock, formatExact, formatLocals, formatMoment, formatUtc, withLocalTimes } from '../../../../ui/src/format/time/time.ts'

t.test('a rate is never rounded to 0 or 100 %', async t => {
  const cases: Array<[number, string]> = [
    [0, '0 %'], [100, '100 %'], [99.9999, '> 99.99 %'], [99.97, '99.97 %'], [99.28, '99.3 %'], [0.72, '0.7 %'], [0.05, '0.05 %'],
    [0.0004, '< 0.01 %'], [50, '50.0 %']
  ]
  for (const [rate, text] of cases) t.equal(formatRate(rate), text)
  for (let rate = 0.001; rate < 100; rate += 0.37) t.notMatch(formatRate(rate), /^(0|0\.0|0\.00|100|100\.0|100\.00) %$/, String(rate))
})

t.test('durations have at most two units', async t => {
  const cases: Array<[number, string]> = [
    [0, '0 ms'], [0.4, '< 1 ms'], [1, '1 ms'], [9.94, '9.9 ms'], [840, '840 ms'], [999.6, '1 s'], [1240, '1.24 s'], [12_400, '12.4 s'],
    [59_990, '59 s'], [192_000, '3 m 12 s'], [7_500_000, '2 h 5 m'], [273_600_000, '3 d 4 h']
  ]
  for (const [ms, text] of cases) t.equal(formatDuration(ms), text)
  t.equal(formatSpan(999), '0 s')
  t.equal(formatAge(7_500_000), '2 h')
  t.equal(formatInterval(90_000), '1 m 30 s')
  t.equal(formatInterval(1500), '1 s 500 ms')
})

t.test('a relative time states its direction', async t => {
  t.equal(formatRelative(192_000, 0), 'in 3 m 12 s')
  t.equal(formatRelative(0, 192_000), '3 m ago')
  t.equal(formatRelative(0, 42_000), '42 s ago')
  t.equal(formatRelative(500, 0), 'now')
})

t.test('counts show when they are capped or shortened', async t => {
  t.equal(formatTotal({ value: 10_000, relation: 'at_least' }), '10,000+')
  t.equal(formatTotal({ value: 10_000, relation: 'exact' }), '10,000')
  t.equal(formatCompact(99_999), '99,999')
  t.equal(formatCompact(1_234_567), '1.2M')
  t.equal(formatPace(8.44), '8.4')
  t.equal(formatPace(8), '8')
  t.equal(formatPace(0.25), '0.25')
  t.equal(formatPace(0), '0')
  t.equal(formatBytes(3 * 1024 ** 2), '3.0 MB')
})

t.test("times are in the reader's zone, with the date when it is not today", async t => {
  const at = Date.UTC(2026, 10, 20, 23, 30, 5, 40)
  t.equal(formatMoment(at, at, 'UTC'), '23:30:05')
  t.equal(formatMoment(at, at + 3_600_000, 'UTC'), '20 Nov, 23:30')
  t.equal(formatMoment(at, at + 3_600_000, 'Europe/Berlin'), '00:30:05')
  t.equal(formatMoment(at, Date.UTC(2027, 1, 1), 'UTC'), '20 Nov 2026, 23:30')
  t.equal(formatClock(at, at, 'UTC'), '23:30')
  t.match(formatClock(at - 400 * 86_400_000, at, 'UTC'), /\d{4}, 23:30/, 'the year when it is another one')
  t.equal(formatExact(at, 'Asia/Tokyo'), 'Sat 21 Nov 2026 08:30:05.040')
  t.equal(formatUtc(at), '2026-11-20 23:30:05.040 UTC')
  t.same(formatLocals(['2026-03-29T03:30:00'], at), ['Sun 29 Mar 03:30'])
  t.same(
    formatLocals(['2026-03-29T03:30:15', '2026-03-29T03:31:00'], at), ['Sun 29 Mar 03:30:15', 'Sun 29 Mar 03:31:00'],
    'seconds in all of them'
  )
  t.same(
    formatLocals(['2026-12-29T03:30:00', '2027-01-29T03:30:00'], at), ['Tue 29 Dec 2026 03:30', 'Fri 29 Jan 2027 03:30'],
    'the year in all of them'
  )
  t.same(formatLocals(['nonsense'], at), ['nonsense'])
})

t.test("times in a text from the server are converted to the reader's zone", async t => {
  const at = new Date(2026, 10, 20, 9, 12)
  t.equal(
    withLocalTimes(`waits since ${at.toISOString()}, and since ${at.toISOString()}`, at.getTime()), 'waits since 09:12, and since 09:12'
  )
  for (const text of ['', 'no time', '2026-11-20', '2026-13-40T99:99:99Z']) t.equal(withLocalTimes(text, 0), text)
})

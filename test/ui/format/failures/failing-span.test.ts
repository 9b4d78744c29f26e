import t from 'tap'
import type { TimeseriesPoint } from '../../../../schemas/index.ts'
import { failingSpan } from '../../../../ui/src/format/failures/failing-span.ts'

const start = Date.parse('2026-11-20T08:00:00.000Z')
const minute = (count: number): number => start + count * 60_000

/** Minutes of `[success, failed]`, or null for unknown minutes. */
function minutes(...counts: ReadonlyArray<readonly [number, number] | null>): TimeseriesPoint[] {
  return counts.map((each, index) => ({
    at: new Date(minute(index)).toISOString(), success: each?.[0] ?? null, failed: each?.[1] ?? null, throughput_per_minute: null,
    open: index === counts.length - 1, gap: each === null ? 'before_ledger' : null
  }))
}
const repeat = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)

t.test('failingSpan finds when executions began to fail and when that ended', async t => {
  const fine = [20, 0] as const
  const broken = [10, 10] as const
  const cases: ReadonlyArray<readonly [string, TimeseriesPoint[], ReturnType<typeof failingSpan>]> = [
    ['nothing failed', minutes(...repeat(60, fine)), null],
    ['nothing finished', minutes(...repeat(60, [0, 0] as const)), null],
    ['nothing is known', minutes(...repeat(60, null)), null],
    ['too few failed', minutes(...repeat(60, [99, 1] as const)), null],
    ['it goes on', minutes(...repeat(50, fine), ...repeat(10, broken)), { since: minute(50), isExact: true, until: null }],
    ['it ended', minutes(...repeat(30, fine), ...repeat(10, broken), ...repeat(20, fine)),
      { since: minute(30), isExact: true, until: minute(40) }],
    ['too little finished since to call it ended', minutes(...repeat(30, fine), ...repeat(10, broken), ...repeat(20, [0, 0] as const)),
      { since: minute(30), isExact: true, until: null }],
    ['it failed before the first minute', minutes(...repeat(60, broken)), { since: minute(0), isExact: false, until: null }],
    ['it failed in the first minute that is known', minutes(null, null, ...repeat(20, broken)),
      { since: minute(2), isExact: false, until: null }],
    ['quiet minutes between failures', minutes(...repeat(30, fine), ...repeat(5, [0, 1] as const), [0, 0], [0, 0], [0, 1], [0, 0]),
      { since: minute(30), isExact: true, until: null }],
    ['the later of two stretches', minutes(...repeat(5, fine), broken, ...repeat(20, fine), broken, ...repeat(3, fine), broken),
      { since: minute(26), isExact: true, until: null }]
  ]
  for (const [name, points, span] of cases) t.strictSame(failingSpan(points, 5), span, name)
})

import t from 'tap'
import { formatClock } from '../../../../ui/src/format/time/time.ts'
import { everyExecution, minDurationFrom } from '../../../../ui/src/format/executions/execution-filter.ts'
import { byUrgency, isRising, toLookAt } from '../../../../ui/src/format/failures/failure-groups.ts'
import { keptHistory, retentionWords } from '../../../../ui/src/format/executions/history-kept.ts'
import { summarize, toChartColumns } from '../../../../ui/src/format/stats/timeseries.ts'

type Point = Parameters<typeof toChartColumns>[0][number]
type Group = Parameters<ReturnType<typeof byUrgency>>[0]

const point = (minute: number, change: Partial<Point> = {}): Point => ({
  at: new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString(),
  success: 3, failed: 1, throughput_per_minute: 8, p50: 10, p95: 20, p99: 30, open: false, gap: null, ...change
})
const gap: Partial<Point> = {
  success: null, failed: null, throughput_per_minute: null, p50: null, p95: null, p99: null, gap: 'before_ledger'
}

t.test('unknown values are null in a chart, not zero', async t => {
  const nothing = point(2, { success: 0, failed: 0, throughput_per_minute: 0, p50: null })
  const columns = toChartColumns([point(0, gap), point(1), nothing, point(3, { open: true, throughput_per_minute: null })])
  t.same(columns.finished, [null, 8, 0, 4], 'a step in its first minute counts what has finished so far')
  t.same(columns.failed, [null, 2, 0, 1], 'the failed share of the pace')
  t.equal(columns.openFrom, columns.at[3], 'the unfinished step')
  t.equal(toChartColumns([point(0)]).openFrom, null)
  t.same(columns.p50, [null, 10, null, 10])
  t.equal(columns.at[1], Date.UTC(2026, 10, 21, 9, 1) / 1000)
})

t.test('the sum of a series states from when it is known', async t => {
  t.same(summarize({ points: [point(0, gap), point(1), point(2)] }), {
    success: 6, failed: 2, knownSince: point(1).at, isUnknown: false, gap: 'before_ledger'
  })
  t.same(summarize({ points: [point(0)] }), { success: 3, failed: 1, knownSince: null, isUnknown: false, gap: null })
  t.equal(summarize({ points: [point(0, gap)] }).isUnknown, true)
})

const now = Date.UTC(2026, 10, 21, 18)
const group = (name: string, trend: readonly number[], count = 1): Group => ({
  error_group: name, type: 'Error', message: name, frame: null, count, first_seen_at: point(0).at, is_new: false,
  last_seen_at: new Date(now - 60_000).toISOString(),
  tasks: [], last_execution_id: 'e', trend: [...Array<number>(24 - trend.length).fill(0), ...trend],
  state: 'open', decision: null, decidable: true
})

t.test('a group rises while its share of finished executions is more than twice the usual', async t => {
  const steady = Array<number>(24).fill(100)
  t.equal(isRising(group('new', [0, 0, 3]), steady, now), true)
  t.equal(isRising(group('too few to tell', [0, 1, 1]), steady, now), false)
  t.equal(isRising(group('steady', Array<number>(24).fill(5)), steady, now), false)
  t.equal(isRising(group('twice and more', [...Array<number>(21).fill(5), 11, 10, 10]), steady, now), true)
  t.equal(isRising(group('over', [...Array<number>(21).fill(5), 0, 0, 0]), steady, now), false)
  const busier = [...Array<number>(21).fill(100), 300, 300, 300]
  t.equal(isRising(group('more of everything', [...Array<number>(21).fill(5), 15, 15, 15]), busier, now), false)
  const begun = [...Array<number>(21).fill(0), 300, 300, 300]
  t.equal(isRising(group('the app began three hours ago', [9, 9, 9]), begun, now), false)
  t.equal(isRising(group('nothing known', [9, 9, 9]), [], now), false)
  const unknownBefore = [...Array<null>(18).fill(null), ...Array<number>(6).fill(100)]
  t.equal(
    isRising(group('hours of which nothing is known', [...Array<number>(18).fill(50), 1, 1, 1, 10, 10, 10]), unknownBefore, now), true,
    'unknown hours are not compared'
  )
  t.same(
    [
      group('many', Array<number>(24).fill(9), 216), group('few', [1], 1), group('rising', [0, 0, 9], 9)
    ].sort(byUrgency(steady, now)).map(({ message }) => message),
    ['rising', 'many', 'few']
  )
  const ended = (minutes: number): Group =>
    ({ ...group('ended', [0, 0, 90]), last_seen_at: new Date(now - minutes * 60_000).toISOString() })
  t.equal(isRising(ended(14), steady, now), true)
  t.equal(isRising(ended(16), steady, now), false, 'it has ended, although its hours still show it')
  t.equal(toLookAt({ items: [ended(16)], isCut: false }, steady, now).rising, 0)
})

t.test('a resolved group is not new and does not rise; one that failed again is named, and comes first', async t => {
  const steady = Array<number>(24).fill(100)
  const fresh = { ...group('fresh', [0, 0, 9]), first_seen_at: new Date(now - 60_000).toISOString() }
  const [resolved, regressed] = [{ ...fresh, state: 'resolved' }, { ...group('regressed', [0, 0, 9]), state: 'regressed' }] as const
  const { cause: _, ...none } = toLookAt({ items: [resolved], isCut: false }, steady, now)
  t.strictSame(none, { fresh: 0, rising: 0, regressed: 0, isCut: false, href: '/failures' })
  t.match(toLookAt({ items: [resolved, regressed], isCut: false }, steady, now), {
    fresh: 0, rising: 0, regressed: 1, href: '/failures?group=regressed'
  })
  const many = group('many', Array<number>(24).fill(9), 216)
  t.same([many, resolved, regressed].sort(byUrgency(steady, now)).map(each => each.message), ['regressed', 'many', 'fresh'])
})

t.test('a group first seen in the last hour is new, however few its failures and however new the app', async t => {
  const since = (minutes: number, one: Group): Group => ({ ...one, first_seen_at: new Date(now - minutes * 60_000).toISOString() })
  const steady = Array<number>(24).fill(100)
  const [fresh, old, rising] = [since(59, group('fresh', [1])), since(61, group('old', [1])), since(600, group('rising', [0, 0, 9]))]
  const counted = (...given: Parameters<typeof toLookAt>) => (({ cause: _, ...counts }) => counts)(toLookAt(...given))
  t.strictSame(counted({ items: [old], isCut: false }, [], now), { fresh: 0, rising: 0, regressed: 0, isCut: false, href: '/failures' })
  t.strictSame(counted({ items: [old, fresh], isCut: false }, [], now), {
    fresh: 1, rising: 0, regressed: 0, isCut: false, href: '/failures?group=fresh'
  })
  t.strictSame(
    counted({ items: [since(5, group('a', [18])), fresh], isCut: false }, steady, now),
    { fresh: 2, rising: 0, regressed: 0, isCut: false, href: '/failures' }, 'a new one that rises counts once'
  )
  t.strictSame(counted({ items: [rising], isCut: false }, steady, now), {
    fresh: 0, rising: 1, regressed: 0, isCut: false, href: '/failures?group=rising'
  })
  t.strictSame(counted(
    { items: [rising, fresh, old], isCut: false }, steady, now
  ), { fresh: 1, rising: 1, regressed: 0, isCut: false, href: '/failures' })
  t.same(
    [group('many', Array<number>(24).fill(9), 216), old, fresh].sort(byUrgency(steady, now)).map(({ message }) => message),
    ['fresh', 'many', 'old']
  )
})

t.test('the common cause of the latest failures is named, with a link to its groups', async t => {
  const now = Date.UTC(2026, 10, 21, 9, 30)
  const of = (id: string, type: string, tasks: readonly string[], ...trend: number[]): Group => ({
    error_group: id, type, message: id, frame: null, count: 1, first_seen_at: point(0).at, last_seen_at: point(1).at, is_new: false,
    tasks: tasks.map(name => ({ name, count: 1 })), last_execution_id: 'x', trend: [...Array<number>(24 - trend.length).fill(0), ...trend],
    state: 'open', decision: null, decidable: true
  })
  const charge = of('a', 'TimeoutError', ['billing:charge'], 5, 1)
  const refund = of('b', 'TimeoutError', ['billing:refund', 'billing:void'], 2)
  const mail = of('c', 'MailError', ['mail/send'], 3, 1)
  const cases: ReadonlyArray<readonly [string, readonly Group[], string | null, string?]> = [
    ['one group of one task', [charge], 'mostly TimeoutError in billing:charge', '/failures?group=a'],
    ['two groups of one kind of task', [charge, refund, mail], 'mostly TimeoutError in billing:*', '/failures'],
    ['tasks that share nothing', [charge, of('d', 'TimeoutError', ['mail/send'], 2)], 'mostly TimeoutError', '/failures'],
    ['more tasks than a group names', [of('e', 'TimeoutError', Array.from({ length: 20 }, (_, at) => `billing:${at}`), 9)],
      'mostly TimeoutError', '/failures?group=e'],
    ['half is not most', [of('f', 'TimeoutError', ['x'], 4), mail], null],
    ['two failures are too few', [of('g', 'TimeoutError', ['x'], 2)], null],
    ['what failed three hours ago is not the latest', [of('h', 'TimeoutError', ['x'], 90, 0, 0), mail], 'mostly MailError in mail/send',
      '/failures?group=c'],
    ['new, and older than the hour of the verdict', [{ ...charge, is_new: true, first_seen_at: new Date(now - 5_400_000).toISOString() }],
      `mostly TimeoutError in billing:charge, first seen ${formatClock(now - 5_400_000, now)}`, '/failures?group=a'],
    ['new within the hour', [{ ...charge, is_new: true, first_seen_at: new Date(now - 1_800_000).toISOString() }],
      'mostly TimeoutError in billing:charge', '/failures?group=a'],
    ['nothing failed', [], null]
  ]
  for (const [name, items, text, href] of cases)
    t.strictSame(toLookAt({ items, isCut: false }, [], now).cause, text === null ? null : { text, href }, name)
  t.equal(toLookAt({ items: [charge], isCut: true }, [], now).cause, null, 'an incomplete list has no common cause')
})

t.test('retention is put into words with its limits', async t => {
  const none = { max_age_ms: null, max_count: null }
  const week = { max_age_ms: 604_800_000, max_count: null }
  t.equal(retentionWords({ retention: null }), 'Nothing is removed.')
  t.equal(retentionWords({ retention: { success: none, failed: none } }), 'Nothing is removed.')
  t.equal(retentionWords({ retention: { success: week, failed: week } }), 'Executions are kept for 7 d.')
  t.equal(retentionWords({ retention: { success: { max_age_ms: 86_400_000, max_count: 1_000_000 }, failed: none } }),
    'Successful ones are kept for 1 d, up to 1,000,000 executions, failed ones forever.')
  t.same(
    keptHistory({ success: { kept: 1_000, oldest_at: point(5).at }, failed: { kept: 234, oldest_at: point(2).at } }),
    { count: '1,234', oldestAt: point(2).at }
  )
  t.same(keptHistory({ success: { kept: 0, oldest_at: null }, failed: { kept: 0, oldest_at: null } }), { count: '0', oldestAt: null })
})

t.test('a duration in an address is a positive number of milliseconds, or null', async t => {
  t.equal(minDurationFrom('5000'), 5_000)
  for (const text of [null, '', '0', '-1', 'x', '1e99']) t.equal(minDurationFrom(text), null, String(text))
  t.ok(Object.values(everyExecution).every(value => value === null))
})

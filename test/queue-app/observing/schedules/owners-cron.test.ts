import t from 'tap'
import {
  nextOfInterval, ownersRunsAfter, readOwnersCron, zoneFitting
} from '../../../../lib/queue-app/observing/schedules/owners-cron.ts'

const AT = Date.UTC(2026, 10, 25, 10, 30)

function runs(pattern: string, count: number, timezone = 'UTC'): string[] {
  const found = ownersRunsAfter(readOwnersCron(pattern)!, timezone, AT)
  return Array.from({ length: count }, () => new Date(found.next().value!).toISOString())
}

t.test('expressions of BullMQ are read with and without seconds, and as short forms', async t => {
  t.same(runs('0 9 * * *', 2), ['2026-11-26T09:00:00.000Z', '2026-11-27T09:00:00.000Z'])
  t.same(runs('0 9 * * *', 1, 'Europe/Berlin'), ['2026-11-26T08:00:00.000Z'])
  t.same(runs('*/20 30 10 * * *', 3), ['2026-11-25T10:30:20.000Z', '2026-11-25T10:30:40.000Z', '2026-11-26T10:30:00.000Z'])
  t.same(runs('@hourly', 1), ['2026-11-25T11:00:00.000Z'])
  t.same(runs('0 12 ? * MON', 1), ['2026-11-30T12:00:00.000Z'])
})

t.test('expressions that only the owner can interpret give null, not a guess', async t => {
  for (const pattern of ['', '* * *', '0 0 L * *', '0 0 * * 1#2', 'FREQ=DAILY;COUNT=3', 'H * * * *', '61 * * * *', '\n'.repeat(1000)])
    t.equal(readOwnersCron(pattern), null, JSON.stringify(pattern.slice(0, 20)))
})

t.test('a time zone that the owner did not name is derived from the next run, or is unknown', async t => {
  const daily = readOwnersCron('0 9 * * *')!
  t.equal(zoneFitting(daily, Date.UTC(2026, 10, 25, 9)), 'UTC')
  t.equal(zoneFitting(daily, Date.UTC(2026, 10, 25, 7)), 'Etc/GMT-2')
  t.equal(zoneFitting(daily, Date.UTC(2026, 10, 25, 3, 30)), null, 'an offset with half an hour')
  t.equal(zoneFitting(readOwnersCron('5 * * * *')!, Date.UTC(2026, 10, 25, 3, 5)), 'UTC')
})

t.test('an interval counts from its anchor', async t => {
  t.equal(nextOfInterval(1000, 250, 999), 1250)
  t.equal(nextOfInterval(1000, 250, 1250), 2250)
  t.equal(nextOfInterval(1000, 5250, 999), 1250)
})

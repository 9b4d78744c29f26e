import t from 'tap'
import { nextInstant, nextRunAt } from '../../../lib/engine/schedulers/schedulers.ts'

t.test('an interval schedule runs on the beat of its anchor, at the earliest one interval after it', async t => {
  for (const [after, intervalMs, anchorAt, next] of [
    [1_000, 100, 1_000, 1_100],
    [1_001, 100, 1_000, 1_100],
    [1_099, 100, 1_000, 1_100],
    [1_100, 100, 1_000, 1_200],
    [5_050, 100, 1_000, 5_100],
    [900, 100, 1_000, 1_100],
    [0, 100, 1_000, 1_100]
  ] as const) t.equal(nextInstant(after, intervalMs, anchorAt), next)
  t.equal(nextRunAt(1_050, { pattern: 'every:100:1000' }), 1_100)
})

t.test('a cron schedule runs in its time zone, across a clock change', async t => {
  const after = Date.parse('2026-03-28T12:00:00Z')
  t.equal(nextRunAt(after, { pattern: '30 3 * * *', tz: 'Europe/Rome' }), Date.parse('2026-03-29T01:30:00Z'))
  t.equal(nextRunAt(after, { pattern: '30 3 * * *', tz: 'UTC' }), Date.parse('2026-03-29T03:30:00Z'))
})

t.test('where the clocks skip midnight, a midnight run is due at the next hour', async t => {
  const after = Date.parse('2026-04-23T12:00:00Z')
  t.equal(nextRunAt(after, { pattern: '0 0 * * *', tz: 'Africa/Cairo' }), Date.parse('2026-04-23T22:00:00Z'))
})

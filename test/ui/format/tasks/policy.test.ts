import t from 'tap'
import { backoffTitle, backoffWords, rateLimitTitle, rateLimitWords } from '../../../../ui/src/format/tasks/policy.ts'

t.test('a back-off is put into words', async t => {
  const fixed = { type: 'fixed', delay_ms: 5_000, max_delay_ms: 5_000, jitter: 0 } as const
  t.equal(backoffWords(fixed), '5 s')
  t.equal(backoffTitle(fixed), '5 s before each further attempt')
  const growing = { type: 'exponential', delay_ms: 1_000, max_delay_ms: 300_000, jitter: 0.5 } as const
  t.equal(backoffWords(growing), '1 s to 5 m')
  t.equal(backoffTitle(growing), '1 s before the second attempt, twice as long after each failure, at most 5 m; up to 50 % less, at random')
  t.equal(backoffWords({ ...growing, max_delay_ms: 1_000 }), '1 s', 'one that does not grow')
})

t.test('a rate limit is put into words', async t => {
  t.equal(rateLimitWords({ max: 100, duration_ms: 60_000 }), '100 per 1 m')
  t.equal(
    rateLimitTitle({ max: 1, duration_ms: 500 }), 'Rate limit: at most 1 attempt starts in 500 ms, over all processes. Due executions wait.'
  )
})

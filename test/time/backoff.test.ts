import fc from 'fast-check'
import t from 'tap'
import { delayAfter, fixedDelay } from '../../lib/time/backoff.ts'
import { jobBackoffStrategy, toJobBackoff } from '../../lib/engine/jobs/job-backoff.ts'

const DAY_MS = 86_400_000
const backoffs = fc.record({
  type: fc.constantFrom('fixed' as const, 'exponential' as const),
  delayMs: fc.integer({ min: 1, max: DAY_MS }),
  maxDelayMs: fc.integer({ min: 1, max: DAY_MS }),
  jitter: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))
}).map(({ maxDelayMs, ...backoff }) => ({
  ...backoff, maxDelayMs: backoff.type === 'fixed' ? backoff.delayMs : Math.max(maxDelayMs, backoff.delayMs)
}))
const failures = fc.integer({ min: 1, max: 101 })

t.test('a fixed wait stays the same, and an exponential one doubles up to its cap', async t => {
  const exponential = { type: 'exponential', delayMs: 1_000, maxDelayMs: 10_000, jitter: 0 } as const
  t.same([1, 2, 3, 4, 5, 6, 100].map(failed => delayAfter(failed, exponential)), [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000])
  t.same([1, 2, 100].map(failed => delayAfter(failed, fixedDelay(250))), [250, 250, 250])
  t.equal(delayAfter(1, fixedDelay(0)), 0)
})

t.test('jitter subtracts at most its share from a wait', async t => {
  const halved = { type: 'exponential', delayMs: 1_000, maxDelayMs: 3_000, jitter: 0.5 } as const
  t.same([1, 2, 3].map(failed => delayAfter(failed, halved, () => 0)), [1_000, 2_000, 3_000])
  t.same([1, 2, 3].map(failed => delayAfter(failed, halved, () => 0.999_999)), [500, 1_000, 1_500])
  t.same([1, 2, 3].map(failed => delayAfter(failed, { ...halved, jitter: 1 }, () => 0.999_999)), [0, 0, 0])
})

t.test('a wait is a whole number of milliseconds between its share without jitter and its cap', async t => {
  fc.assert(fc.property(backoffs, failures, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (backoff, failed, random) => {
    const longest = delayAfter(failed, { ...backoff, jitter: 0 })
    const ms = delayAfter(failed, backoff, () => random)
    t.ok(Number.isInteger(ms) && ms >= Math.floor(longest * (1 - backoff.jitter)) && ms <= longest && longest <= backoff.maxDelayMs)
    t.ok(failed === 1 || longest >= delayAfter(failed - 1, { ...backoff, jitter: 0 }), 'it never shrinks')
  }))
})

t.test('a job waits as long as its back-off says', async t => {
  fc.assert(fc.property(backoffs.map(backoff => ({ ...backoff, jitter: 0 })), failures, (backoff, failed) => {
    const job = { opts: { backoff: toJobBackoff(backoff) } }
    t.equal(jobBackoffStrategy(failed, job.opts.backoff.type, undefined, job), delayAfter(failed, backoff))
  }))
})

t.test('a job of other code keeps its delay, and is retried at once without a valid one', async t => {
  const delayOf = (backoff: unknown) => jobBackoffStrategy(3, 'their own', undefined, { opts: { backoff: backoff as number } })
  t.same(
    [{ type: 'their own', delay: 500 }, { type: 'their own' }, { delay: -1 }, { delay: 'soon' }, { delay: NaN }, 7, undefined].map(delayOf),
    [500, 0, 0, 0, 0, 0, 0]
  )
})

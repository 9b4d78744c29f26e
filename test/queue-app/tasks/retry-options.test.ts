import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { retryProblems, toBackoff } from '../../../lib/queue-app/tasks/retry-options.ts'

t.test('the wait between attempts is given in milliseconds, seconds, or as a back-off', async t => {
  t.equal(toBackoff({ retries: 3 }), undefined)
  t.same(toBackoff({ retryDelayMs: 250 }), fixedDelay(250))
  t.same(toBackoff({ retryDelay: 0.25 }), fixedDelay(250))
  t.same(toBackoff({ backoff: { type: 'fixed', delayMs: 250, jitter: 0.1 } }), {
    type: 'fixed', delayMs: 250, maxDelayMs: 250, jitter: 0.1
  })
  t.same(toBackoff({ backoff: { type: 'exponential', delayMs: 250 } }), {
    type: 'exponential', delayMs: 250, maxDelayMs: 86_400_000, jitter: 0
  })
})

t.test('values within bounds are accepted', async t => {
  for (const options of [
    {}, { retries: 0 }, { retries: 100 }, { retryDelayMs: 0 }, { retryDelayMs: 86_400_000 }, { retryDelay: 0.5 }, { retryDelay: 86_400 },
    { retryDelayMs: 5, backoff: undefined },
    { backoff: { type: 'fixed', delayMs: 0 } }, { backoff: { type: 'exponential', delayMs: 1, maxDelayMs: 1, jitter: 1 } }
  ]) t.same(retryProblems(options), [], JSON.stringify(options))
})

t.test('all problems are reported with their option', async t => {
  const told: Array<[object, string[]]> = [
    [{ retries: 1.5, retryDelayMs: -1 }, ['retries must', 'retryDelayMs must']],
    [{ retries: '3' }, ['retries must']], [{ retries: 101 }, ['retries must']], [{ retryDelayMs: 0.5 }, ['retryDelayMs must']],
    [{ retryDelayMs: 86_400_001 }, ['retryDelayMs must']],
    [{ retryDelay: NaN }, ['retryDelay (seconds) must']], [{ retryDelay: 86_401 }, ['retryDelay (seconds) must']],
    [{ retryDelay: 1, retryDelayMs: 1000 }, ['retryDelayMs and retryDelay set the same thing: use only one of them']],
    [
      { retryDelay: 1, retryDelayMs: 1, backoff: { type: 'fixed', delayMs: 1 } },
      ['retryDelayMs and retryDelay and backoff set the same thing']
    ],
    [{ backoff: 5 }, ['backoff must be an object']], [{ backoff: null }, ['backoff must be an object']],
    [{ backoff: [] }, ['backoff must be an object']],
    [{ backoff: {} }, ['backoff.type must be', 'backoff.delayMs must']],
    [{ backoff: { type: 'linear', delay: 5, delayMs: 1 } }, ['backoff.delay is not an option', 'backoff.type must be']],
    [{ backoff: { type: 'exponential', delayMs: 0 } }, ['backoff.delayMs must be an integer from 1']],
    [{ backoff: { type: 'exponential', delayMs: 500, maxDelayMs: 499 } }, ['backoff.maxDelayMs must be an integer from delayMs']],
    [
      { backoff: { type: 'exponential', delayMs: 500, maxDelayMs: Infinity, jitter: -0.1 } },
      ['backoff.maxDelayMs must', 'backoff.jitter must']
    ],
    [
      { backoff: { type: 'fixed', delayMs: 500, maxDelayMs: 600, jitter: '1' } },
      ['backoff.maxDelayMs is for type "exponential"', 'backoff.jitter must']
    ]
  ]
  for (const [options, problems] of told) {
    const found = retryProblems(options)
    t.equal(found.length, problems.length, JSON.stringify(options))
    for (const [index, problem] of problems.entries()) t.ok(found[index]?.startsWith(problem), `${found[index]} begins with ${problem}`)
  }
})

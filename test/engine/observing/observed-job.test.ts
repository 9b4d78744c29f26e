import t from 'tap'
import { executionFromObserved, NO_LONG_FIELDS, observedJobFrom } from '../../../lib/engine/observing/observed-job.ts'

t.test('the wait of a delayed job begins when it was due, although BullMQ sets its delay to 0 then', t => {
  const place = { taskName: 'q', queueName: 'q', id: '1', unread: [] }
  const long = (opts: object) => ({ ...NO_LONG_FIELDS, name: 'send', opts: JSON.stringify(opts) })
  const cases = [
    ['not delayed', '0', {}, '1030', 30], ['delayed', '0', { delay: 500 }, '1530', 30], ['promoted', '0', { delay: 500 }, '1100', 0],
    ['with a delay that is not a number', '0', { delay: 'long' }, '1030', 30]
  ] as const
  for (const [what, delay, opts, startedAt, waitMs] of cases) {
    const job = observedJobFrom(place, ['1000', delay, '0', startedAt, null, '0', '1', null], long(opts), null)
    t.equal(executionFromObserved(job, 'active').waitMs, waitMs, what)
  }
  t.end()
})

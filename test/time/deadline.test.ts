import t from 'tap'
import { orLate, withDeadline } from '../../lib/time/deadline.ts'

t.test('work that ends in time settles normally', async t => {
  t.equal(await withDeadline(Promise.resolve(7), 1000, 'the answer did not come'), 7)
  await t.rejects(withDeadline(Promise.reject(new TypeError('away')), 1000, 'the answer did not come'), TypeError)
})

t.test("late work is abandoned, with a message or the caller's error", async t => {
  let fail = (_error: Error): void => {}
  const late = new Promise<never>((_resolve, reject) => { fail = reject })
  await t.rejects(withDeadline(late, 5, 'the answer did not come'), {
    name: 'DeadlineError', message: 'the answer did not come within 5 ms'
  })
  await t.rejects(withDeadline(late, 5, () => new RangeError('too late')), RangeError)
  fail(new Error('no one waits any more'))
  await t.resolves(new Promise(resolve => setImmediate(resolve)), 'a late failure affects no one')
})

t.test('late work is replaced by the fallback, and failed work is not', async t => {
  t.equal(await orLate(Promise.resolve(7), 1000, null), 7)
  t.equal(await orLate(new Promise<number>(() => {}), 5, null), null)
  await t.rejects(orLate(Promise.reject(new TypeError('away')), 1000, null), TypeError)
})

import t from 'tap'
import { newnessAfter, NOT_LOOKED } from '../../../lib/engine/observing/queue-newness.ts'

t.test('a queue is new if an earlier scan of the whole server did not find it', async t => {
  const first = newnessAfter(NOT_LOOKED, { at: 1, isAll: true, taskNames: ['old'] })
  t.strictSame(first.absentAt, new Map(), 'the age of queues in the first scan is unknown')
  const second = newnessAfter(first, { at: 2, isAll: true, taskNames: ['new', 'old'] })
  t.strictSame(second.absentAt, new Map([['new', 1]]))
  const third = newnessAfter(second, { at: 3, isAll: true, taskNames: ['new', 'old'] })
  t.strictSame(third.absentAt, new Map([['new', 1]]), 'it stays unchanged')
})

t.test('after an incomplete scan, no queue counts as new', async t => {
  const cut = newnessAfter(NOT_LOOKED, { at: 1, isAll: false, taskNames: ['a'] })
  t.strictSame(newnessAfter(cut, { at: 2, isAll: true, taskNames: ['a', 'b'] }).absentAt, new Map())
})

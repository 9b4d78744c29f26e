import t from 'tap'
import { NEW_STATE } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { toBulkOverview } from '../../../lib/queue-app/bulk/to-bulk-overview.ts'
import { ORDER } from './bulk-order.ts'

t.test('an operation that is being aborted shows what it waits for, and one that has ended waits for nothing', async t => {
  const waits = { ...NEW_STATE, waitingFor: 'broker' as const, problem: 'it is full' }
  const order = { ...ORDER, wanted: 'abort' as const }
  t.match(toBulkOverview('one', order, waits, null), { state: 'aborted', waitingFor: 'broker', problem: 'it is full', finishedAt: null })
  t.match(toBulkOverview('one', order, NEW_STATE, { waitingFor: 'broker', problem: null }), { state: 'aborted', waitingFor: 'broker' })
  const ended = { ...waits, ended: 'aborted' as const, finishedAt: 3_000 }
  t.match(toBulkOverview('one', order, ended, null), { state: 'aborted', waitingFor: null, problem: null, finishedAt: 3_000 })
  t.match(toBulkOverview('one', { ...ORDER, wanted: 'suspend' }, waits, null), { state: 'suspended', waitingFor: null })
})

t.test('during an abort, items that were sent to own tasks and may have been done can be undone', async t => {
  const order = { ...ORDER, wanted: 'abort' as const }
  const isUndoable = (postponed: ReadonlyArray<readonly [id: string, task: number, isSent: boolean]>) =>
    toBulkOverview('one', order, { ...NEW_STATE, postponed }, null).isUndoable
  t.equal(isUndoable([['019b1', 0, true]]), true)
  t.equal(isUndoable([['019b1', 0, false]]), false, 'nothing was sent')
  t.equal(isUndoable([['emails:17@1795576043549', 0, true]]), false, 'a retry in an existing queue is not taken back')
})

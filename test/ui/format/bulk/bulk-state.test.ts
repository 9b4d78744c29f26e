import t from 'tap'
import type { BulkOperation, BulkPreview } from '../../../../schemas/index.ts'
import {
  hasEnded, isTooMany, progressWords, shareDone, tasksOfMatches, verbsFor, waitsFor
} from '../../../../ui/src/format/bulk/bulk-state.ts'
import { actions } from '../../../../ui/src/texts/de/actions.ts'
import { bulk } from '../../../../ui/src/texts/de/bulk.ts'

const everything = () => true
const allBut = (missing: string) => (action: string) => action !== missing

function operation(fields: Partial<BulkOperation>): BulkOperation {
  return { action: 'retry', state: 'running', finished_at: null, undoable: false, ...fields } as BulkOperation
}

t.test('an aborted operation has ended once its last step is completed, and is undone only then', async t => {
  const ending = operation({ state: 'aborted', undoable: true })
  const ended = { ...ending, finished_at: '2026-11-20T12:00:00.000Z' }
  t.equal(hasEnded(ending), false)
  t.same(verbsFor(ending, everything), [])
  t.equal(hasEnded(ended), true)
  t.same(verbsFor(ended, everything), ['undo'])
  t.same(verbsFor({ ...ended, undoable: false }, everything), [])
})

t.test('an operation waits for a store until it has ended, also while it is aborted', async t => {
  for (const state of ['running', 'undoing', 'aborted'] as const)
    t.equal(waitsFor(operation({ state, waiting_for: 'broker' })), 'broker', state)
  const ended = { finished_at: '2026-11-20T12:00:00.000Z', waiting_for: 'broker' } as const
  t.equal(waitsFor(operation({ state: 'aborted', ...ended })), null)
})

t.test('a verb is not offered if the server would refuse it because of a right to the items', async t => {
  const running = operation({})
  t.same(verbsFor(running, everything), ['suspend', 'abort'])
  t.same(verbsFor(running, allBut('bulk:abort')), ['suspend'])
  t.same(verbsFor(running, allBut('executions:retry')), [])
  t.same(verbsFor(running, allBut('executions:view')), [])
  t.same(verbsFor(operation({ state: 'suspended', action: 'delete' }), allBut('executions:retry')), ['resume', 'abort'])
  const resolved = operation({ action: 'resolve', state: 'done', finished_at: '2026-11-20T12:00:00.000Z', undoable: true })
  t.same(verbsFor(resolved, everything), ['undo'])
  t.same(verbsFor(resolved, allBut('failures:reopen')), [])
  t.same(verbsFor({ ...resolved, action: 'retry' }, allBut('failures:reopen')), ['undo'])
})

t.test('progress counts settled items, and undone items during an undo', async t => {
  const count = { value: 2_000, relation: 'exact' } as const
  const told = (fields: Partial<BulkOperation>) => {
    const each = operation({ count, ...fields })
    return [progressWords(each), shareDone(each)]
  }
  const progress = { items: 500, done: 400, skipped: 100, failed: 0, undone: 0 }
  t.same(told({ progress }), ['500 of 2,000', 0.25])
  t.same(told({ progress, count: { value: 500, relation: 'at_least' } }), ['500 items', null])
  t.same(told({ progress: { ...progress, done: 300, undone: 100 }, state: 'undoing' }), ['100 undone so far', null])
  t.same(told({ progress: { ...progress, done: 0, undone: 400 }, state: 'undone' }), ['400 of 500 undone', null])
  t.same(told({ progress: null, state: 'unsupported' }), ['unknown', null])
})

t.test('only an exact count can exceed the limit', async t => {
  t.equal(isTooMany({ value: 1_000_000, relation: 'exact' }), false)
  t.equal(isTooMany({ value: 1_000_001, relation: 'exact' }), true)
  t.equal(isTooMany({ value: 1_000_001, relation: 'at_least' }), false)
  t.equal(isTooMany({ value: 11, relation: 'exact' }, 10), true)
})

t.test('in German, the buttons to cancel and to confirm have different texts', async t => {
  for (const { confirm } of Object.values(bulk.verbs)) t.not(confirm, actions.cancel)
  for (const action of Object.values(bulk.actions)) t.not(action, actions.close)
})

t.test('the number of tasks of the matches is stated only as exactly as it is known', async t => {
  const preview = (value: number, covered: number, fields: Partial<BulkPreview> = {}) => tasksOfMatches({
    count: { value, relation: 'exact' }, task_count: covered, sample: [], executions_left_out: null, ...fields
  } as BulkPreview)
  const sample = ['a', 'b', 'a'].map(name => ({ task_name: name })) as BulkPreview['sample']
  t.same(preview(4_000, 302, { sample }), { count: 302, isExact: false }, 'the filter covers this many')
  t.same(preview(40, 302, { sample }), { count: 40, isExact: false })
  t.same(preview(40, 1), { count: 1, isExact: true })
  t.same(preview(3, 302, { sample }), { count: 2, isExact: true }, 'the sample has all matches')
  t.same(preview(40, 5, { executions_left_out: 0, sample }), { count: 5, isExact: true }, 'each execution was looked up')
  t.same(preview(40, 5, { count: { value: 40, relation: 'at_least' } }), { count: 5, isExact: false })
})

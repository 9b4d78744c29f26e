import t from 'tap'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { changeDraftOf, changesBetween } from '../../../../ui/src/format/actions/execution-changes.ts'
import { instantOfInput } from '../../../../ui/src/format/time/time.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const BEFORE = { priority: '3', dueAt: '2026-03-02T08:00:30' }

t.test('only what differs is sent', async t => {
  const cases: Array<[typeof BEFORE, object | null]> = [
    [BEFORE, null],
    [{ ...BEFORE, priority: ' 3 ' }, null],
    [{ ...BEFORE, priority: '0' }, { priority: 0 }],
    [{ ...BEFORE, dueAt: '2026-03-02T09:00' }, { due_at: instantOfInput('2026-03-02T09:00') }],
    [{ priority: '1', dueAt: '' }, { priority: 1, due_at: '2026-03-01T12:00:00.000Z' }]
  ]
  for (const [after, expected] of cases) t.strictSame(changesBetween(BEFORE, after, NOW), expected, JSON.stringify(after))
})

t.test('an invalid number or time is not sent', async t => {
  for (const priority of ['', '-1', '1.5', '2097152', 'high']) t.equal(changesBetween(BEFORE, { ...BEFORE, priority }, NOW), null, priority)
  t.equal(changesBetween(BEFORE, { priority: '1', dueAt: 'tomorrow' }, NOW), null)
})

t.test('the draft starts with the values of the execution', async t => {
  const execution = { priority: 7, state: 'delayed', next_attempt_at: '2026-03-02T08:00:30.500Z' } as ExecutionDetail
  const draft = changeDraftOf(execution)
  t.equal(draft.priority, '7')
  t.equal(instantOfInput(draft.dueAt), '2026-03-02T08:00:30.000Z')
  t.strictSame(changeDraftOf({ ...execution, state: 'waiting', next_attempt_at: null }), { priority: '7', dueAt: '' })
  t.equal(changesBetween(draft, draft, NOW), null, 'the milliseconds that the field leaves out change nothing')
})

import t from 'tap'
import type { ExecutionDetail, FailureGroup } from '../../../../schemas/index.ts'
import { toMarkdown } from '../../../../ui/src/format/failures/failure-report.ts'

const group: FailureGroup = {
  error_group: 'abc', type: 'TimeoutError', message: 'no answer after 5 s', frame: 'charge (billing.ts)', count: 12,
  first_seen_at: '2026-11-20T08:00:00.000Z', last_seen_at: '2026-11-20T09:00:00.000Z', is_new: true,
  tasks: [{ name: 'billing:charge', count: 12 }], last_execution_id: 'e-1', trend: Array.from({ length: 24 }, () => 0),
  state: 'open', decision: null, decidable: true
}
const last = {
  error: { type: 'TimeoutError', message: 'no answer', stack: 'TimeoutError: no answer\n    at charge (billing.ts:4:2)' }
} as ExecutionDetail

const counted = { from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T09:30:00.000Z' }

t.test('a failure group as Markdown has the error, where and since when it occurs, how ' +
  'often in which time, the stack and the address', async t => {
  t.equal(toMarkdown({ group, last, counted, address: 'https://ops.example/tasks/failures?group=abc' }), [
    '### `TimeoutError` in `billing:charge`', '', '```', 'no answer after 5 s', '```', '',
    '- Failures: 12, from 2026-11-20T08:00:00.000Z to 2026-11-20T09:30:00.000Z', '- First seen: 2026-11-20T08:00:00.000Z',
    '- Last seen: 2026-11-20T09:00:00.000Z, execution `e-1`',
    '- Tasks, each over all time: `billing:charge` (12)', '- Where: `charge (billing.ts)`', '- https://ops.example/tasks/failures?group=abc',
    '', 'Stack of the last failure:', '', '```', 'TimeoutError: no answer', '    at charge (billing.ts:4:2)', '```', ''
  ].join('\n'))
})

t.test('unknown facts are left out, and omitted tasks are counted', async t => {
  const tasks = Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, count: 1 }))
  const text = toMarkdown({ group: { ...group, frame: null, tasks }, last: undefined, counted: { ...counted, from: null }, address: 'x' })
  t.match(text, '- Failures: 12, all until 2026-11-20T09:30:00.000Z\n')
  t.notMatch(text, /Where|Stack/)
  t.match(text, '`t9` (1), and 2 more\n')
})

t.test('an error cannot break out of its Markdown block', async t => {
  const hostile = '```\n# not a heading\n````\n<img src=x onerror=alert(1)>'
  const text = toMarkdown({ group: { ...group, type: 'A`B``\n# C', message: hostile }, last: undefined, counted, address: 'x' })
  t.match(text, `\`\`\`\`\`\n${hostile}\n\`\`\`\`\``)
  t.match(text, '### ```A`B`` # C``` in')
})

t.test('a million backticks are handled', async t => {
  t.ok(toMarkdown({ group: { ...group, message: '` '.repeat(500_000) }, last: undefined, counted, address: 'x' }).length > 1_000_000)
})

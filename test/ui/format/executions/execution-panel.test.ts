import t from 'tap'
import type { ExecutionAttempt, ExecutionDetail } from '../../../../schemas/index.ts'
import { foldAttempts } from '../../../../ui/src/format/executions/attempt-runs.ts'
import { progressPercent } from '../../../../ui/src/format/executions/progress.ts'
import { toStackParts } from '../../../../ui/src/format/executions/stack.ts'
import { toWaterfall } from '../../../../ui/src/format/executions/waterfall.ts'

t.test('a stack shows own frames, folds those of dependencies, and loses nothing', async t => {
  const stack = [
    'TimeoutError: no answer', 'after 5 s', '    at charge (/app/src/billing.ts:4:2)',
    '    at Client.query (/app/node_modules/pg/lib/client.js:1:1)',
    '    at node:internal/process/task_queues:95:5', '    at async Promise.all (index 0)',
    '    at async run (C:\\app\\node_modules\\x\\run.js:2:1)',
    '    at async Worker.work (file:///app/dist/worker.js:9:9)', 'Caused by: ECONNRESET', '    at TLSSocket.emit (node:events:519:28)'
  ]
  const parts = toStackParts(stack.join('\n'))
  t.same(parts.map(({ kind, lines }) => [kind, lines.length]), [
    ['text', 2], ['own', 1], ['dependency', 4], ['own', 1], ['text', 1], ['dependency', 1]
  ])
  t.same(parts.flatMap(({ lines }) => lines), stack)
  t.same(toStackParts('no stack at all'), [{ kind: 'text', lines: ['no stack at all'] }])
  const novel = '    at x\n'.repeat(100_000)
  t.same(toStackParts(novel), [{ kind: 'text', lines: [novel] }])
})

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, seconds)).toISOString()
type Events = ExecutionDetail['timeline']
const bars = (events: Events, now = at(60)) =>
  toWaterfall(events, Date.parse(now)).map(({ kind, attempt, outcome, from, to }) =>
    `${kind}${attempt ?? ''} ${outcome ?? '-'} ${to === null ? 'goes on' : (to - from) / 1000}`)

t.test('the life of an execution consists of waiting, attempts and back-off', async t => {
  const failed: Events = [
    { at: at(0), event: 'submitted', attempt: null }, { at: at(4), event: 'due', attempt: null },
    { at: at(5), event: 'started', attempt: 1 },
    { at: at(6), event: 'attempt_failed', attempt: 1 }, { at: at(10), event: 'started', attempt: 2 },
    { at: at(12), event: 'failed', attempt: 2 }
  ]
  t.same(bars(failed), ['delay - 4', 'waiting - 1', 'attempt1 failed 1', 'back_off - 4', 'attempt2 failed 2'])
  const drawn = toWaterfall(failed, 0)
  t.equal(drawn[0]!.left, 0)
  t.ok(drawn.every(({ left, width }) => left >= 0 && width > 0 && left + width <= 100.001))
  t.same(bars(failed.slice(0, 4)), ['delay - 4', 'waiting - 1', 'attempt1 failed 1', 'back_off - goes on'])
  t.same(bars(failed.slice(0, 3)), ['delay - 4', 'waiting - 1', 'attempt1 - goes on'])
  t.same(bars(failed.slice(0, 1)), ['waiting - goes on'])
  t.same(bars([]), [])
  const before: Events = [failed[0]!, { at: at(-5), event: 'started', attempt: 1 }, { at: at(1), event: 'succeeded', attempt: 1 }]
  t.same(bars(before), ['attempt1 succeeded 1'], 'clocks differ')
})

t.test('consecutive attempts with the same error are merged', async t => {
  const attempt = (number: number, message: string | null): ExecutionAttempt => ({
    attempt: number, started_at: null, finished_at: null, worker_id: null,
    error: message === null ? null : { type: 'E', message, stack: null }
  })
  const runs = foldAttempts([attempt(1, 'a'), attempt(2, 'a'), attempt(3, 'b'), attempt(4, 'a'), attempt(5, null)])
  t.same(runs.map(run => run.map(each => each.attempt)), [[1, 2], [3], [4], [5]])
})

t.test('progress is a bar only where it is a share', async t => {
  const cases: Array<[unknown, number | null]> = [
    [0, 0], [42, 42], [100, 100], [0.5, 50], [1, null], [101, null], [-1, null], ['50', null],
    [{ percent: 7 }, 7], [{ done: 1, total: 4 }, 25],
    [{ done: 1, total: 0 }, null], [{ done: 5, total: 4 }, null], [[1, 2], null], [null, null], [NaN, null]
  ]
  for (const [progress, percent] of cases) t.equal(progressPercent(progress), percent, JSON.stringify(progress))
})

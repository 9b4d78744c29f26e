import t from 'tap'
import { timelineOf } from '../../../../lib/dashboard/resources/executions/timeline.ts'
import { toExecution } from '../../../../lib/dashboard/resources/executions/to-execution.ts'
import { toStats } from '../../../../lib/dashboard/resources/stats/to-stats.ts'
import type { ExecutionDetail } from '../../../../lib/execution.ts'
import { sampleQueueApp } from '../../sample-queue-app.ts'

const error = { type: 'Error', message: 'no', stack: null }
const pending: ExecutionDetail = {
  executionId: 'e', taskName: 't', queue: 'q', status: 'pending', state: 'waiting', attempt: 0, maxAttempts: 3, priority: 0,
  scheduleId: null,
  retryOf: null, workerId: null,
  submittedAt: 100,
  startedAt: null, finishedAt: null, waitMs: null, durationMs: null, progress: null, error: null, errorGroup: null, args: [], result: null,
  attempts: [],
  logs: [], truncated: []
}
const ended = (attempt: number, startedAt: number | null, finishedAt: number | null, failed = true) =>
  ({ attempt, startedAt, finishedAt, workerId: 'w', error: failed ? error : null })

void t.test('the timeline has all known events, in order', async t => {
  const table: Array<[string, Partial<ExecutionDetail>, string[]]> = [
    ['pending', {}, ['100 submitted']],
    ['running', { status: 'running', attempt: 1, startedAt: 150, waitMs: 50 }, ['100 submitted', '150 started 1']],
    ['after a delay', { status: 'running', attempt: 1, startedAt: 1150, waitMs: 50 }, ['100 submitted', '1100 due', '1150 started 1']],
    ['success', { status: 'success', attempt: 1, startedAt: 150, finishedAt: 200, waitMs: 50, attempts: [ended(1, 150, 200, false)] },
      ['100 submitted', '150 started 1', '200 succeeded 1']],
    [
      'between two attempts', { attempt: 1, startedAt: 150, waitMs: 50, attempts: [ended(1, 150, 200)] },
      ['100 submitted', '150 started 1', '200 attempt_failed 1']
    ],
    ['failed for good', {
      status: 'failed', attempt: 2, startedAt: 300, finishedAt: 350, waitMs: 50, attempts: [ended(1, 150, 200), ended(2, 300, 350)]
    },
    ['100 submitted', '150 started 1', '200 attempt_failed 1', '300 started 2', '350 failed 2']],
    ['lost once, then handed back, and failed once',
      {
        status: 'success', attempt: 2, startedAt: 500, finishedAt: 550, waitMs: 50,
        attempts: [ended(1, 400, 450), ended(2, 500, 550, false)],
        losses: [
          { attempt: 1, startedAt: 150, endedAt: 210, workerId: 'a', isHandedBack: false },
          { attempt: 1, startedAt: 220, endedAt: 300, workerId: 'b', isHandedBack: true }
        ]
      },
      [
        '100 submitted', '150 started 1', '210 lost 1', '220 started 1', '300 handed_back 1', '400 started 1', '450 attempt_failed 1',
        '500 started 2', '550 succeeded 2'
      ]],
    ['an attempt whose times were lost', {
      status: 'failed', attempt: 2, startedAt: 300, finishedAt: 350, attempts: [ended(1, null, null), ended(2, 300, 350)]
    },
    ['100 submitted', '300 started 2', '350 failed 2']]
  ]
  for (const [title, fields, expected] of table) {
    const entries = timelineOf({ ...pending, ...fields })
    t.strictSame(entries.map(({ at, event, attempt }) => [at, event, attempt].filter(part => part !== null).join(' ')), expected, title)
  }
})

void t.test('lists cut a long message, never inside a character', async t => {
  const cutOf = (message: string) => toExecution({ ...pending, error: { type: 'Error', message, stack: 'secret stack' } }).error
  t.equal(cutOf('x'.repeat(500))!.message.length, 500)
  t.equal(cutOf('x'.repeat(501))!.message.length, 500)
  t.equal(cutOf(`${'x'.repeat(499)}🎉`)!.message, 'x'.repeat(499))
  t.notOk('stack' in cutOf('x')!)
})

void t.test('rates refer to finished executions, and are 0 before the first', async t => {
  const statistics = await sampleQueueApp().monitoring.statistics()
  t.match(toStats(statistics), { total_tasks: 1000, success_rate: 99.9, failure_rate: 0.1, queue_size: 3, active_workers: null })
  t.match(
    toStats({ ...statistics, executions: { pending: 1, running: 1, success: 0, failed: 0 } }),
    { total_tasks: 0, success_rate: 0, failure_rate: 0 }
  )
})

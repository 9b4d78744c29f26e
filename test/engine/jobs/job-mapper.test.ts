import { UnrecoverableError } from 'bullmq'
import t from 'tap'
import { failureFromError, failureFromStack, toAttemptError } from '../../../lib/engine/jobs/attempt-error.ts'
import {
  dueAtFromJob, executionDetailFromJob, executionFromJob, finishedExecutionFromJob, toJobData
} from '../../../lib/engine/jobs/job-mapper.ts'
import type { JobFields } from '../../../lib/engine/jobs/job-fields.ts'
import { createTaskDashboardError } from '../../../lib/errors.ts'

function job(fields: Partial<JobFields> = {}): JobFields {
  return {
    id: 'id', name: 'email:send', data: toJobData({ args: [1] }), opts: { attempts: 3, delay: 100 },
    timestamp: 1_000, attemptsMade: 0, failedReason: undefined as never, stacktrace: [], returnvalue: null, progress: 0, ...fields
  }
}

t.test('a state of BullMQ maps to a status, a state and an attempt number', async t => {
  for (const [state, attemptsMade, status, ours, attempt] of [
    ['waiting', 0, 'pending', 'waiting', 0],
    ['wait', 0, 'pending', 'waiting', 0],
    ['prioritized', 0, 'pending', 'prioritized', 0],
    ['delayed', 0, 'pending', 'delayed', 0],
    ['paused', 0, 'pending', 'paused', 0],
    ['waiting-children', 0, 'pending', 'waiting_children', 0],
    ['delayed', 1, 'pending', 'retrying', 1],
    ['waiting', 2, 'pending', 'retrying', 2],
    ['active', 0, 'running', 'active', 1],
    ['active', 2, 'running', 'active', 3],
    ['completed', 1, 'success', 'completed', 1],
    ['failed', 3, 'failed', 'failed', 3],
    ['failed', 0, 'failed', 'failed', 1],
    ['something new', 0, 'pending', 'waiting', 0]
  ] as const) {
    const execution = executionFromJob(job({ attemptsMade }), state, 1_099)
    t.same([execution.status, execution.state, execution.attempt], [status, ours, attempt], `${state} ${attemptsMade}`)
  }
})

t.test('the wait counts from when an execution is due, and only for its first attempt', async t => {
  for (const [fields, state, waitMs] of [
    [{ processedOn: 1_150, attemptsMade: 0 }, 'active', 50],
    [{ processedOn: 1_050, attemptsMade: 0 }, 'active', 0],
    [{ attemptsMade: 0 }, 'waiting', null],
    [{ processedOn: 1_150, attemptsMade: 0, attemptsStarted: 1 }, 'active', 50],
    [{ processedOn: 1_150, attemptsMade: 0, attemptsStarted: 2 }, 'active', null],
    [{ processedOn: 1_150, attemptsMade: 1 }, 'active', null],
    [{ processedOn: 1_150, finishedOn: 1_200, attemptsMade: 1 }, 'completed', 50],
    [{ id: 'repeat:a:b:5000', repeatJobKey: 'a:b', processedOn: 5_010, attemptsMade: 0 }, 'active', 10]
  ] as const) {
    t.equal(executionFromJob(job(fields), state).waitMs, waitMs)
  }
})

t.test('a scheduled run is due and submitted at its planned time', async t => {
  const planned = job({ id: 'repeat:a:b:5000', repeatJobKey: 'a:b' })
  t.equal(dueAtFromJob(planned), 5_000)
  t.match(executionFromJob(planned, 'delayed'), { submittedAt: 5_000, scheduleId: 'a:b' })
  t.equal(dueAtFromJob(job({ id: 'repeat:a:b:5000' })), 1_100)
})

t.test('a delayed job that is due counts as waiting, even if no worker has moved it out of the delayed state', async t => {
  const planned = job({ id: 'repeat:a:b:5000', repeatJobKey: 'a:b' })
  for (const [one, now, state] of [
    [job(), 1_099, 'delayed'],
    [job(), 1_100, 'waiting'],
    [planned, 4_999, 'delayed'],
    [planned, 5_000, 'waiting'],
    // Its handler delayed it again, and its fields do not say until when.
    [job({ attemptsStarted: 1 }), 9_000, 'delayed'],
    [job({ attemptsMade: 1, attemptsStarted: 1 }), 9_000, 'retrying']
  ] as const) t.equal(executionFromJob(one, 'delayed', now).state, state, `${one.id} at ${now}`)
  t.equal(executionFromJob(job(), 'delayed', 1_000).nextAttemptAt, 1_100, 'it says when it is due')
  t.equal(executionFromJob(job(), 'delayed', 1_100).nextAttemptAt, undefined, 'until then')
  t.equal(executionFromJob(job({ attemptsStarted: 1 }), 'delayed', 9_000).nextAttemptAt, undefined, 'where that is known')
})

t.test('a finished execution has its attempts, as far as they are known', async t => {
  const finished = { processedOn: 1_500, finishedOn: 1_600, processedBy: 'w' }
  const failed = finishedExecutionFromJob(
    job({
      ...finished, attemptsMade: 2, failedReason: 'second', stacktrace: ['TypeError: first\n    at a', 'RangeError: second\n    at b']
    }),
    'failed', ['line']
  )
  t.match(failed, { status: 'failed', durationMs: 100, result: null, error: { type: 'RangeError', message: 'second' }, logs: ['line'] })
  t.match(failed?.attempts, [
    { attempt: 1, startedAt: null, finishedAt: null, workerId: null, error: { type: 'TypeError', message: 'first' } },
    { attempt: 2, startedAt: 1_500, finishedAt: 1_600, workerId: 'w', error: { type: 'RangeError', message: 'second' } }
  ])
  const recovered = finishedExecutionFromJob(
    job({ ...finished, attemptsMade: 2, failedReason: 'first', returnvalue: '{"a":1}', stacktrace: ['TypeError: first'] }), 'completed', []
  )
  t.match(recovered, { status: 'success', error: null, result: { a: 1 } })
  t.same(recovered?.attempts.map(({ attempt, error }) => [attempt, error?.type ?? null]), [[1, 'TypeError'], [2, null]])
  t.equal(finishedExecutionFromJob(job(), 'completed', []), null)
})

t.test('an execution lost with its process has the error EXECUTION_LOST, and unknown times are null', async t => {
  // BullMQ fails it when a worker finds it stalled once too often. The times and the stack that it stores are those of that check.
  const lost = {
    processedOn: 61_000, finishedOn: 61_004, attemptsMade: 1, attemptsStarted: 3, processedBy: 'w',
    failedReason: 'job stalled more than allowable limit',
    stacktrace: ['UnrecoverableError: job stalled more than allowable limit\n    at Worker.processJob (node_modules/bullmq/worker.js:1:1)']
  }
  t.match(finishedExecutionFromJob(job(lost), 'failed', []), {
    status: 'failed', startedAt: null, durationMs: null, waitMs: null, workerId: null,
    error: { type: 'EXECUTION_LOST', message: /process/, stack: null },
    attempts: [{ attempt: 1, startedAt: null, error: { type: 'EXECUTION_LOST' } }]
  })
  const given = new UnrecoverableError('job stalled more than allowable limit')
  t.equal(failureFromError(given).type, 'EXECUTION_LOST')
  t.equal(failureFromError(toAttemptError(given)).type, 'UnrecoverableError', "a handler's error is its own, whatever its message")
  const recovered = { processedOn: 61_000, finishedOn: 61_100, attemptsMade: 1, attemptsStarted: 2 }
  t.match(
    finishedExecutionFromJob(job(recovered), 'completed', []), { durationMs: 100, waitMs: null }, 'the lost start was the first'
  )
})

t.test('job data from other code shows as unknown arguments', async t => {
  for (const data of [{}, { args: 1 }, { args: '{' }, { args: '{}' }, null]) {
    t.equal(executionDetailFromJob(job({ data: data as never, progress: { any: 1 }, returnvalue: {} }), 'completed', []).args, null)
  }
})

t.test('a thrown error keeps its type, and the type is found again in the stack', async t => {
  class PaymentError extends Error { override name = 'PaymentError' }
  for (const [thrown, type, message] of [
    [new TypeError('no'), 'TypeError', 'no'],
    [new PaymentError('declined: 5'), 'PaymentError', 'declined: 5'],
    [Object.assign(new Error('no'), { name: 'a b' }), 'Error', 'no'],
    [createTaskDashboardError('EXECUTION_TIMEOUT', [5]), 'EXECUTION_TIMEOUT', 'The handler ran longer than 5 ms'],
    [new Error(''), 'Error', ''],
    ['text', 'Error', 'text'],
    [undefined, 'Error', 'undefined'],
    [{ a: 1n }, 'Error', 'something was thrown that is not an Error'],
    [new Error('a\0b\ud800c'), 'Error', 'a\ufffdb\ufffdc'],
    [new Error('two\nlines'), 'Error', 'two\nlines']
  ] as const) {
    const error = toAttemptError(thrown)
    t.same([error.failureType, error.message], [type, message])
    t.match(failureFromStack(error.stack, error.message), { type, message })
    t.equal(toAttemptError(error), error)
  }
  t.ok(toAttemptError(new Error('x'.repeat(1e6))).stack!.length <= 20_000)
  t.match(failureFromStack(undefined), { type: 'Error', message: '', stack: null })
  t.match(failureFromStack('TypeError [ERR_X]: no\n    at a'), { type: 'TypeError', message: 'no' })
})

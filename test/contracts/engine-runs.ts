import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { LEFT_OUT, type Engine } from '../../lib/engine/engine.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueue, enqueueAll, finishedIds, work } from './engine-work.ts'

/** The course of an execution: its arguments, result, failure, retries and record. */
export async function testRuns(t: Test, engine: Engine): Promise<void> {
  await t.test('arguments and results are read back exactly as they were', async t => {
    const args = ['NUL \0, half \ud800, 日報 😀 </script>', 1e300, null, { a: [true, { '': '\0' }] }]
    const worker = work(t, engine, { run: async ({ args }) => ({ args }) })
    const id = await enqueue(engine, worker.taskName, { args })
    const execution = await worker.finished(id)
    t.same(execution.args, args)
    t.same(execution.result, { args })
    t.same((await engine.find([worker.taskName], id))?.result, { args })
  })

  await t.test('a result that JSON cannot represent becomes a success without result, and the record says why', async t => {
    const circular: { self?: unknown } = {}
    circular.self = circular
    const results: ReadonlyArray<readonly [result: unknown, problem: string]> = [
      [10n, 'result is a bigint'], [{ a: [circular] }, 'result.a[0].self is circular'],
      [{ 'tags\0': new Map() }, 'result["tags\\u0000"] is a Map'],
      [{ toJSON() { throw new Error('half \ud800, NUL \0') } }, 'result cannot be read: half \ufffd, NUL \ufffd'],
      ['x'.repeat(9_000_000), 'result is larger than 8388608 bytes']
    ]
    const runs: unknown[] = []
    const worker = work(t, engine, { run: async ({ args: [index] }) => { runs.push(index); return results[index as number]![0] } })
    for (const [index, [, problem]] of results.entries()) {
      const execution = await worker.finished(await enqueue(engine, worker.taskName, { args: [index], maxAttempts: 3 }))
      t.match(execution, { status: 'success', result: null, truncated: ['/result'], error: null })
      t.equal(execution.resultProblem?.slice(0, problem.length), problem)
      t.same(await engine.find([worker.taskName], execution.executionId), execution)
    }
    t.same(runs, results.map((_, index) => index))
    t.equal(
      worker.errors[0]?.message,
      `The return value of task "${worker.taskName}" cannot be stored. The execution succeeded, and its record says ` +
        'why (result_problem)'
    )
  })

  await t.test('a task name may be any text', async t => {
    for (const name of ['email:send', 'reports/daily', '日報 😀', '{a}*~%', '\'"\\', 'x'.repeat(100), '😀'.repeat(50)]) {
      const worker = work(t, engine, { taskName: name, run: async () => name })
      const execution = await worker.finished(await enqueue(engine, name))
      t.equal(execution.taskName, name)
      t.equal(execution.queue, engine.queueOf(name))
      await worker.stop()
    }
  })

  await t.test('a record has the times, worker, log and progress of its run', async t => {
    const before = Date.now()
    const worker = work(t, engine, {
      async run(run) {
        await run.log(`attempt ${run.attempt} of ${run.maxAttempts}\0`)
        await run.progress({ done: 0.5, text: '\0' })
        await sleep(30)
      }
    })
    const id = await enqueue(engine, worker.taskName, { retryOf: 'an earlier one' })
    const execution = await worker.finished(id)
    t.match(execution, {
      status: 'success', state: 'completed', attempt: 1, maxAttempts: 1, workerId: 'worker-1', error: null, result: null,
      retryOf: 'an earlier one', scheduleId: null
    })
    t.same(execution.logs, ['attempt 1 of 1�'])
    t.same(execution.progress, { done: 0.5, text: '\0' })
    t.ok(execution.submittedAt >= before && execution.startedAt! >= execution.submittedAt && execution.finishedAt >= execution.startedAt!)
    t.ok(execution.durationMs! >= 25 && execution.waitMs! >= 0)
    t.same(
      execution.attempts,
      [{ attempt: 1, startedAt: execution.startedAt, finishedAt: execution.finishedAt, workerId: 'worker-1', error: null }]
    )
    t.same(await engine.find(['another', worker.taskName], id), execution)
  })

  await t.test('a failed attempt is retried after its delay, and the last failure is final', async t => {
    const starts: number[] = []
    const worker = work(t, engine, {
      async run(run) {
        starts.push(Date.now())
        await run.log(`attempt ${run.attempt}`)
        throw new RangeError(`number ${run.attempt} \0 \ud800`)
      }
    })
    const execution = await worker.finished(await enqueue(engine, worker.taskName, { maxAttempts: 3, backoff: fixedDelay(200) }))
    t.equal(starts.length, 3)
    t.ok(starts[1]! - starts[0]! >= 190 && starts[2]! - starts[1]! >= 190)
    t.match(execution, {
      status: 'failed', state: 'failed', attempt: 3, maxAttempts: 3, result: null, waitMs: Number, losses: [],
      error: { type: 'RangeError', message: 'number 3 � �', stack: /^RangeError: number 3/ }
    })
    t.same(
      execution.attempts.map(({ attempt, error }) => [attempt, error?.type, error?.message]),
      [1, 2, 3].map(n => [n, 'RangeError', `number ${n} � �`])
    )
    t.same(execution.logs, ['attempt 1', 'attempt 2', 'attempt 3'])
    t.same(
      worker.attempts.map(({ attempt, error, workerId }) => [attempt, error?.type, workerId]),
      [[1, 'RangeError', 'worker-1'], [2, 'RangeError', 'worker-1']]
    )
    t.same(await engine.find([worker.taskName], execution.executionId), execution)
  })

  await t.test('any value can be thrown', async t => {
    const thrown: unknown[] = [
      null, undefined, 'text', { a: 1 }, Object.assign(new Error('m'), { name: 'WaitingError' }),
      Object.assign(new Error('bullmq:rateLimitExceeded'), { name: 'DelayedError' }),
      Object.assign(new RangeError('m'), { message: { code: 1 } })
    ]
    const worker = work(t, engine, { run: async ({ args: [index] }) => { throw thrown[index as number] } })
    const types: unknown[] = []
    for (const index of thrown.keys())
      types.push((await worker.finished(await enqueue(engine, worker.taskName, { args: [index] }))).error?.type)
    t.same(types, ['Error', 'Error', 'Error', 'Error', 'WaitingError', 'DelayedError', 'RangeError'])
  })

  await t.test('a run that exceeds its timeout fails with EXECUTION_TIMEOUT, and its signal aborts', async t => {
    let reason: unknown
    const worker = work(t, engine, {
      timeoutMs: 100,
      run: ({ signal }) => new Promise(() => signal.addEventListener('abort', () => { reason = signal.reason }))
    })
    const execution = await worker.finished(await enqueue(engine, worker.taskName))
    t.match(execution, { status: 'failed', error: { type: 'EXECUTION_TIMEOUT', message: /100 ms/ } })
    t.match(reason, { code: 'EXECUTION_TIMEOUT' })
  })

  await t.test('a run that returns LEFT_OUT leaves no record', async t => {
    const worker = work(t, engine, { run: async ({ args: [isLeftOut] }) => isLeftOut ? LEFT_OUT : 'done' })
    const leftOut = await enqueue(engine, worker.taskName, { args: [true] })
    const done = await enqueue(engine, worker.taskName, { args: [false] })
    await worker.finished(done)
    await waitFor('the run to be gone', async () => await engine.find([worker.taskName], leftOut) === null)
    t.same(worker.executions.map(({ executionId }) => executionId), [done])
    t.same(await finishedIds(engine, worker.taskName), [done])
  })

  await t.test('stop() waits for running executions, then hands them back without using up an attempt', async t => {
    let aborted: unknown
    const slow = work(t, engine, {
      concurrency: 2,
      async run({ args: [ms], signal }) {
        signal.addEventListener('abort', () => { aborted = signal.reason })
        await sleep(ms as number, undefined, { ref: false })
        return 'first'
      }
    })
    const { taskName } = slow
    const [quick, late] = await enqueueAll(engine, taskName, [{ args: [300] }, { args: [60_000], priority: 5 }])
    await waitFor('both to run', async () => slow.worker.running === 2)
    await slow.worker.stop({ graceMs: 3_000 })
    t.same(slow.executions.map(({ executionId, result }) => [executionId, result]), [[quick, 'first']])
    t.match(aborted, { code: 'EXECUTION_ABORTED' })
    t.same(slow.attempts, [])
    t.match(await engine.find([taskName], late!), { status: 'pending', attempt: 0 })

    const next = work(t, engine, { taskName, run: async ({ attempt }) => attempt })
    const finished = await next.finished(late!)
    t.match(finished, { status: 'success', attempt: 1, result: 1, losses: [{ attempt: 1, workerId: 'worker-1', isHandedBack: true }] })
    const [loss] = finished.losses!
    t.equal(finished.waitMs, loss!.startedAt - finished.submittedAt, 'the wait ends at its first start')
    t.ok(loss!.endedAt >= loss!.startedAt && finished.startedAt! >= loss!.endedAt)
    t.same(await engine.find([taskName], late!), finished)
  })
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { ExecutionAttempt, FinishedExecution } from '../../lib/execution.ts'
import { createBullmqEngine } from '../../lib/engine/bullmq-engine.ts'
import {
  LEFT_OUT, type Engine, type EngineRun, type EngineWorker, type EnqueueRequest, type InFlightQuery, type WorkOptions
} from '../../lib/engine/engine.ts'
import type { TestScope } from '../support/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { newStore } from './store.ts'

/** What the engine does on every store. `openUrl` gives a fresh and empty one. */
export async function testEngine(t: Test, openUrl: (t: TestScope) => Promise<string>): Promise<void> {
  const { engine } = await startEngine(t, await openUrl(t))

  await t.test('arguments and results come back exactly as they were', async t => {
    const args = ['NUL \0, half \ud800, 日報 😀 </script>', 1e300, null, { a: [true, { '': '\0' }] }]
    const worker = work(t, engine, { run: async ({ args }) => ({ args }) })
    const id = await enqueue(engine, worker.taskName, { args })
    const execution = await worker.finished(id)
    t.same(execution.args, args)
    t.same(execution.result, { args })
    t.same((await engine.find([worker.taskName], id))?.result, { args })
  })

  await t.test('a result that JSON cannot carry leaves a success without one, which says why', async t => {
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
      `What task "${worker.taskName}" returned cannot be kept as a result; the execution succeeded, and its ` +
        'record says why (result_problem)'
    )
  })

  await t.test('task names are any text', async t => {
    for (const name of ['email:send', 'reports/daily', '日報 😀', '{a}*~%', '\'"\\', 'x'.repeat(100), '😀'.repeat(50)]) {
      const worker = work(t, engine, { taskName: name, run: async () => name })
      const execution = await worker.finished(await enqueue(engine, name))
      t.equal(execution.taskName, name)
      t.equal(execution.queue, engine.queueOf(name))
      await worker.stop()
    }
  })

  await t.test('a record has what the run was: times, worker, log, progress', async t => {
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

  await t.test('a failure is tried again after its delay, then it is final', async t => {
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

  await t.test('anything can be thrown', async t => {
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

  await t.test('a run that takes too long fails with EXECUTION_TIMEOUT and its signal aborts', async t => {
    let reason: unknown
    const worker = work(t, engine, {
      timeoutMs: 100,
      run: ({ signal }) => new Promise(() => signal.addEventListener('abort', () => { reason = signal.reason }))
    })
    const execution = await worker.finished(await enqueue(engine, worker.taskName))
    t.match(execution, { status: 'failed', error: { type: 'EXECUTION_TIMEOUT', message: /100 ms/ } })
    t.match(reason, { code: 'EXECUTION_TIMEOUT' })
  })

  await t.test('a run that is left out leaves no record', async t => {
    const worker = work(t, engine, { run: async ({ args: [isLeftOut] }) => isLeftOut ? LEFT_OUT : 'done' })
    const leftOut = await enqueue(engine, worker.taskName, { args: [true] })
    const done = await enqueue(engine, worker.taskName, { args: [false] })
    await worker.finished(done)
    await waitFor('the run to be gone', async () => await engine.find([worker.taskName], leftOut) === null)
    t.same(worker.executions.map(({ executionId }) => executionId), [done])
    t.same(await finishedIds(engine, worker.taskName), [done])
  })

  await t.test('stop waits for what runs, then hands it back without using up an attempt', async t => {
    let aborted: unknown
    const slow = work(t, engine, {
      concurrency: 2,
      async run({ args: [ms], signal }) {
        signal.addEventListener('abort', () => { aborted = signal.reason })
        await sleep(ms as number)
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
    t.equal(finished.waitMs, loss!.startedAt - finished.submittedAt, 'it waited until its first start')
    t.ok(loss!.endedAt >= loss!.startedAt && finished.startedAt! >= loss!.endedAt)
    t.same(await engine.find([taskName], late!), finished)
  })

  await t.test('priorities and delays are kept', async t => {
    const taskName = randomUUID()
    const order: unknown[] = []
    const ids = await enqueueAll(
      engine, taskName, [{ args: ['later'], delayMs: 3_000 }, { args: [9], priority: 9 }, { args: [2], priority: 2 }, { args: ['none'] }]
    )
    t.same(await states(engine, taskName, ids), ['delayed', 'prioritized', 'prioritized', 'waiting'])
    const worker = work(t, engine, { taskName, run: async ({ args: [name] }) => { order.push(name) } })
    const last = await worker.finished(ids[0]!)
    t.same(order, ['none', 2, 9, 'later'])
    t.ok(last.startedAt! - last.submittedAt >= 2_990)
    t.ok(last.waitMs! < last.startedAt! - last.submittedAt, 'waiting begins at the end of the delay')
  })

  await t.test('what is in flight is counted and listed, newest and oldest first, page by page', async t => {
    const [one, other] = [randomUUID(), randomUUID()]
    const ids: string[] = []
    for (let index = 0; index < 23; index++) {
      ids.push(await enqueue(engine, index % 3 === 0 ? one : other, { args: [index] }))
      await sleep(2)
    }
    const query = { taskNames: [one, other, 'a task without a queue'], status: 'pending', limit: 5 } as const
    t.same([...await engine.counts(query.taskNames)].map(([, { pending, running }]) => [pending, running]), [[8, 0], [15, 0], [0, 0]])
    t.same(await listAll(engine, { ...query, order: 'newest' }), ids.toReversed())
    t.same(await listAll(engine, { ...query, order: 'oldest' }), ids)
    t.same(await listAll(engine, { ...query, order: 'newest', limit: 100 }), ids.toReversed())

    const { submittedAt } = (await engine.find([one], ids[9]!))!
    t.same(await listAll(engine, { ...query, order: 'oldest', to: submittedAt }), ids.slice(0, 9))
    t.same(await listAll(engine, { ...query, order: 'newest', from: submittedAt }), ids.slice(9).toReversed())
    t.ok((await engine.summary([one, other])).oldestPendingMs! > 20)
    t.same(await engine.summary([randomUUID()]), { pending: 0, running: 0, oldestPendingMs: null })

    const first = await engine.inFlight({ ...query, order: 'newest' })
    t.ok(first.next!.length <= 4096)
    for (const cursor of ['', 'x', '%', 'A'.repeat(5000), `${first.next}AAAA`, '\0']) {
      await t.rejects(
        engine.inFlight({ ...query, order: 'newest', cursor }), { code: 'INVALID_CURSOR' }, JSON.stringify(cursor).slice(0, 30)
      )
    }
  })

  await t.test('the oldest that waits is found whatever it waits in, by when it was due', async t => {
    const [urgent, delayed, retried] = [randomUUID(), randomUUID(), randomUUID()]
    const least = await enqueue(engine, urgent, { priority: 9 })
    const delayMs = 3_000
    const put = await enqueue(engine, delayed, { delayMs })
    t.same(await engine.summary([delayed]), { pending: 1, running: 0, oldestPendingMs: null })
    const worker = work(t, engine, { taskName: retried, run: async () => { throw new Error('no') } })
    await enqueue(engine, retried, { maxAttempts: 2, backoff: fixedDelay(3_600_000) })
    await enqueueAll(engine, urgent, Array.from({ length: 10 }, () => ({ priority: 2 })))

    const { submittedAt } = (await engine.find([urgent], least))!
    const atLeast = Date.now() - submittedAt
    const { oldestPendingMs } = await engine.summary([delayed, urgent])
    t.ok(oldestPendingMs! >= atLeast && oldestPendingMs! <= Date.now() - submittedAt, 'of another urgency')
    const dueAt = (await engine.find([delayed], put))!.submittedAt + delayMs
    const late = await waitFor('the delay to be over', async () => {
      const since = Date.now() - dueAt
      const summary = await engine.summary([delayed])
      return summary.oldestPendingMs !== null && { since, oldestPendingMs: summary.oldestPendingMs }
    })
    t.ok(late.oldestPendingMs >= Math.max(late.since, 0) && late.oldestPendingMs <= Date.now() - dueAt, 'from the end of its delay')
    await waitFor('the first attempt to fail', async () => worker.attempts.length === 1)
    t.same(await engine.summary([retried]), { pending: 1, running: 0, oldestPendingMs: null }, 'not before the delay of a retry is over')
    await worker.stop()
  })

  await t.test('a page of the newest skips nothing when others finish meanwhile', async t => {
    const taskName = randomUUID()
    const ids = await enqueueAll(engine, taskName, Array.from({ length: 20 }, () => ({})))
    const query: InFlightQuery = { taskNames: [taskName], status: 'pending', order: 'newest', limit: 6 }
    const first = await engine.inFlight(query)
    let run = 0
    const worker = work(t, engine, { taskName, run: async () => { if (++run > 5) await new Promise(() => {}) } })
    await waitFor('five to finish', async () => worker.executions.length === 5)
    const rest = await listAll(engine, { ...query, cursor: first.next! })
    const seen = new Set([...first.executions.map(({ executionId }) => executionId), ...rest])
    t.same(ids.slice(6).filter(id => !seen.has(id)), [])
    await worker.worker.stop({ graceMs: 0 })
  })

  await t.test('running executions are listed by their start', async t => {
    const worker = work(t, engine, { concurrency: 3, run: () => new Promise(() => {}) })
    const ids = await enqueueAll(engine, worker.taskName, [{}, {}, {}])
    await waitFor('three to run', async () => worker.worker.running === 3)
    const { executions } = await engine.inFlight({ taskNames: [worker.taskName], status: 'running', order: 'oldest', limit: 10 })
    t.same(executions.map(({ executionId }) => executionId).toSorted(), ids.toSorted())
    t.match(executions[0], { status: 'running', state: 'active', attempt: 1, workerId: 'worker-1', finishedAt: null, durationMs: null })
    t.same((await engine.counts([worker.taskName])).get(worker.taskName), { pending: 0, running: 3 })
    await worker.worker.stop({ graceMs: 0 })
  })

  await t.test('find knows nothing of ids that are not there, whatever they are', async t => {
    for (const id of ['', randomUUID(), '\0', '\ud800', '😀', '../', 'x'.repeat(10_000), 'meta', 'wait']) {
      t.equal(await engine.find([randomUUID(), 'email:send'], id), null, JSON.stringify(id).slice(0, 20))
    }
  })

  await t.test('finished executions are found for the reconciler, and only the missing are read', async t => {
    const worker = work(t, engine, { run: async ({ args: [fails] }) => { if (fails) throw new Error('no') } })
    const ids = await enqueueAll(engine, worker.taskName, [{ args: [false] }, { args: [true] }, { args: [false] }])
    const done = await Promise.all(ids.map(id => worker.finished(id)))
    t.same((await finishedIds(engine, worker.taskName)).toSorted(), ids.toSorted())
    const asked: string[] = []
    const found: FinishedExecution[] = []
    const isSecond = async (list: string[]): Promise<string[]> => {
      asked.push(...list)
      return list.filter(id => id === ids[1])
    }
    for await (const batch of engine.finishedSince(worker.taskName, 0, isSecond)) found.push(...batch)
    t.same(asked.toSorted(), ids.toSorted())
    t.same(found, [done[1]])
    const latest = Math.max(...done.map(({ finishedAt }) => finishedAt))
    const late = await finishedIds(engine, worker.taskName, latest + 1)
    t.same(late.toSorted(), ids.toSorted(), 'what is before the time too, as far as it is seen: the clock of its worker may be behind')
    const times = late.map(
      id => done.find(each => each.executionId === id
      )!).filter(each => each.status === 'success').map(each => each.finishedAt)
    t.same(times, times.toSorted((a, b) => a - b), 'the oldest first')
  })

  await t.test('what finished is told of many tasks in one call, in their order', async t => {
    const [quiet, busy] = [work(t, engine, { run: async () => {} }), work(t, engine, { run: async ({ args: [fails] }) => {
      if (fails)
        throw new Error('no')
    } })]
    const first = await quiet.finished(await enqueue(engine, quiet.taskName))
    const ids = await enqueueAll(engine, busy.taskName, Array.from({ length: 30 }, (_, i) => ({ args: [i % 3 === 0] })))
    const done = await Promise.all(ids.map(id => busy.finished(id)))
    const names = [quiet.taskName, 'nobody knows:it', busy.taskName]
    const [one, none, many] = await engine.newestFinished(names.map(taskName => ({ taskName, sinceMs: 0 })))
    t.same(one, {
      executions: [{ executionId: first.executionId, taskName: quiet.taskName, status: 'success', finishedAt: first.finishedAt }],
      isAll: true
    })
    t.same(none, { executions: [], isAll: true })
    t.equal(many!.isAll, true)
    t.same(many!.executions.map(each => each.executionId).toSorted(), ids.toSorted())
    t.same(await engine.newestFinished([{ taskName: quiet.taskName, sinceMs: first.finishedAt + 1 }]), [{ executions: [], isAll: true }])
    t.equal(
      (await engine.newestFinished([{ taskName: quiet.taskName, sinceMs: first.finishedAt }]))[0]!.executions.length, 1,
      'its very millisecond is in it'
    )

    const more = await enqueueAll(engine, busy.taskName, Array.from({ length: 30 }, () => ({ args: [false] })))
    const newest = Math.max(...(await Promise.all(more.map(id => busy.finished(id)))).map(each => each.finishedAt))
    const [head] = await engine.newestFinished([{ taskName: busy.taskName, sinceMs: 0 }])
    t.equal(head!.isAll, false)
    t.equal(Math.max(...head!.executions.map(each => each.finishedAt)), newest)

    const latest = Math.max(...done.map(each => each.finishedAt))
    const before = await engine.finishedBefore(names, latest, 1_000)
    t.ok([first.executionId, ...ids].every(id => before.some(each => each.executionId === id)))
    t.ok(before.every(each => each.finishedAt <= latest))
    t.equal((await engine.finishedBefore(names, latest, 7)).length, 7)
    t.same(await engine.finishedBefore(names, first.submittedAt - 1, 1_000), [])
    const read = []
    for await (const batch of engine.readFinished(before)) read.push(...batch)
    const others = (await Promise.all(more.map(id => busy.finished(id)))).filter(each => each.finishedAt <= latest)
    t.same(read.toSorted(byId), [first, ...done, ...others].toSorted(byId))
  })

  await t.test('what finished is removed with all that belongs to it, and nothing else', async t => {
    const worker = work(t, engine, { async run({ args: [fails], log }) { await log('a line'); if (fails) throw new Error('no') } })
    const { taskName } = worker
    const ids = await enqueueAll(engine, taskName, [{ args: [false] }, { args: [true] }, { args: [false] }])
    const done = await Promise.all(ids.map(id => worker.finished(id)))
    await worker.worker.stop()
    const waiting = await enqueue(engine, taskName)
    const latest = Math.max(...done.map(each => each.finishedAt))
    const references = await engine.finishedBefore([taskName], latest, 10)
    t.equal(await engine.removeFinished(references, Math.min(...done.map(each => each.finishedAt)) - 1), 0, 'not those that finished since')
    const asIfFinished = { executionId: waiting, taskName, status: 'success', finishedAt: latest } as const
    t.equal(await engine.removeFinished([...references.slice(0, 2), asIfFinished], latest), 2)
    t.equal(await engine.removeFinished(references, latest), 1, 'the rest, and none twice')
    t.same(await engine.finishedBefore([taskName], Infinity, 10), [])
    for (const id of ids) t.equal(await engine.find([taskName], id), null)
    t.match(await engine.find([taskName], waiting), { status: 'pending' })
    for await (const batch of engine.readFinished(references)) t.fail(`${batch.length} are still there`)
  })

  await t.test('a worker takes no finished execution away, however old by its clock', async t => {
    const worker = work(t, engine, { run: async () => {} })
    const first = await worker.finished(await enqueue(engine, worker.taskName))
    const { now } = Date
    Date.now = () => now() + 3 * 3_600_000
    t.teardown(() => { Date.now = now })
    const second = await worker.finished(await enqueue(engine, worker.taskName))
    Date.now = now
    t.ok(second.finishedAt - first.finishedAt > 2 * 3_600_000)
    t.same(
      (await engine.finishedBefore([worker.taskName], Infinity, 10)).map(each => each.executionId), [first.executionId, second.executionId]
    )
  })

  await t.test('an interval runs one interval after its anchor, keeps its beat, and plans are not pending', async t => {
    const taskName = randomUUID()
    const hourMs = 3_600_000
    const anchorAt = Date.now() - 5 * hourMs - 100
    const hourly = {
      scheduleId: randomUUID(), taskName, timing: { intervalMs: hourMs, anchorAt }, args: ['tick\0'], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    }
    await engine.upsertScheduler(hourly)
    t.same([...await engine.standingAsDefined([{ ...hourly, scheduleId: 'none' }, hourly])], [hourly.scheduleId])
    t.same(
      [...await engine.standingAsDefined([{ ...hourly, priority: 1 }, { ...hourly, taskName: randomUUID() }])], [],
      'another definition does not stand'
    )
    t.same([
      ...await engine.standingAsDefined(Array.from({ length: 1_200 }, (_, index) => ({
        ...hourly, scheduleId: index === 1_100 ? hourly.scheduleId : `none ${index}`
      })))
    ],
    [hourly.scheduleId], 'of any number')
    const standing = await engine.listSchedulers([taskName])
    t.same(standing, [{ scheduleId: hourly.scheduleId, taskName, nextRunAt: anchorAt + 6 * hourMs }])
    t.same((await engine.counts([taskName])).get(taskName), { pending: 0, running: 0 })
    t.same(await listAll(engine, { taskNames: [taskName], status: 'pending', order: 'newest', limit: 5 }), [])
    await engine.upsertScheduler(hourly)
    t.same(await engine.listSchedulers([taskName]), standing)

    const definition = { ...hourly, timing: { intervalMs: 2_000, anchorAt } }
    await engine.upsertScheduler(definition)
    const [state] = await engine.listSchedulers([taskName])
    const runs: EngineRun[] = []
    const worker = work(t, engine, { taskName, run: async run => { runs.push(run) } })
    await waitFor('three runs', async () => worker.executions.length >= 3)
    // A busy machine may leave out a beat, and never shifts it.
    t.equal(runs[0]!.dueAt, state!.nextRunAt)
    for (const [index, { dueAt }] of runs.entries())
      t.ok((dueAt - anchorAt) % 2_000 === 0 && (index === 0 || dueAt > runs[index - 1]!.dueAt))
    t.match(worker.executions[0], {
      scheduleId: definition.scheduleId, args: ['tick\0'], submittedAt: state!.nextRunAt,
      executionId: `repeat:${definition.scheduleId}:${state!.nextRunAt}`
    })
    t.equal(await engine.removeScheduler(taskName, definition.scheduleId), true)
    t.equal(await engine.removeScheduler(taskName, definition.scheduleId), false)
    const count = runs.length
    await sleep(2_500)
    t.ok(runs.length <= count + 1)
    t.same(await engine.listSchedulers([taskName]), [])
  })

  await t.test('a next run that a clock an hour ahead planned is planned again from now on, but not ' +
    'where that run exists already', async t => {
    const taskName = randomUUID()
    const timing = { intervalMs: 1_000, anchorAt: Date.now() }
    const often = { scheduleId: randomUUID(), taskName, timing, args: [], priority: 0, maxAttempts: 1, backoff: fixedDelay(0) }
    await withClockAhead(3_600_000, () => engine.upsertScheduler(often))
    const nextRunAt = async () => (await engine.listSchedulers([taskName]))[0]!.nextRunAt
    t.ok(await nextRunAt() > Date.now() + 3_500_000, 'it stands an hour ahead')
    t.equal(await engine.planSchedulerAnew(often), true)
    const planned = await nextRunAt()
    t.ok(planned <= Date.now() + 1_000, 'it stands within a second')

    const yearly = { ...often, scheduleId: randomUUID(), timing: { cron: '0 0 1 1 *', timezone: 'UTC' } }
    await engine.upsertScheduler(yearly)
    t.equal(await engine.planSchedulerAnew(yearly), false, 'the run that would be next is planned')
    t.equal(await engine.removeScheduler(taskName, often.scheduleId), true)
    t.equal(await engine.removeScheduler(taskName, yearly.scheduleId), true)
  })

  await t.test('a schedule waits a whole interval before its first run', async t => {
    const taskName = randomUUID()
    const anchorAt = Date.now() + 3
    await engine.upsertScheduler({
      scheduleId: 'first', taskName, timing: { intervalMs: 3_600_000, anchorAt }, args: [], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    })
    t.same(await engine.listSchedulers([taskName]), [{ scheduleId: 'first', taskName, nextRunAt: anchorAt + 3_600_000 }])
  })

  await t.test('a cron runs in its time zone, and a changed definition takes its place', async t => {
    const taskName = randomUUID()
    const definition = {
      scheduleId: 'yearly', taskName, timing: { cron: '30 12 1 1 *', timezone: 'Asia/Tokyo' }, args: [], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    }
    await engine.upsertScheduler(definition)
    const [tokyo] = await engine.listSchedulers([taskName])
    t.equal(new Date(tokyo!.nextRunAt).toISOString().slice(4), '-01-01T03:30:00.000Z')
    await engine.upsertScheduler({ ...definition, timing: { cron: '30 12 1 1 *', timezone: 'UTC' } })
    const [utc] = await engine.listSchedulers([taskName])
    t.equal(new Date(utc!.nextRunAt).toISOString().slice(4), '-01-01T12:30:00.000Z')
    t.equal((await engine.listSchedulers([taskName])).length, 1)
    t.same((await engine.counts([taskName])).get(taskName), { pending: 0, running: 0 })
  })

  await t.test('removing a schedule takes its due run, which nobody started, with it', async t => {
    const taskName = randomUUID()
    await engine.upsertScheduler({
      scheduleId: 'due', taskName, timing: { intervalMs: 100, anchorAt: Date.now() }, args: [], priority: 0, maxAttempts: 1,
      backoff: fixedDelay(0)
    })
    await waitFor('the run to be due', async () => (await engine.counts([taskName])).get(taskName)!.pending === 1)
    t.ok((await engine.listSchedulers([taskName]))[0]!.nextRunAt < Date.now())
    t.ok((await engine.summary([taskName])).oldestPendingMs! >= 0)
    t.equal(await engine.removeScheduler(taskName, 'due'), true)
    t.same((await engine.counts([taskName])).get(taskName), { pending: 0, running: 0 })
  })

  await t.test('a cpu task runs in a process of its own, with its context', async t => {
    const worker = work(t, engine, { cpu: true, timeoutMs: 20_000 })
    const execution = await worker.finished(await enqueue(engine, worker.taskName, { args: ['report', '\0 \ud800'] }))
    const { pid, args, executionId } = execution.result as { pid: number; args: unknown; executionId: string }
    t.not(pid, process.pid)
    t.same(args, ['report', '\0 \ud800'])
    t.equal(executionId, execution.executionId)
    t.same(execution.logs, ['from the process'])
    t.same(execution.progress, { half: '\0' })

    const failed = await worker.finished(await enqueue(engine, worker.taskName, { args: ['fail'] }))
    t.match(failed, { status: 'failed', error: { type: 'RangeError', message: 'from the process', stack: /cpu-task/ } })
    const chatter = await worker.finished(await enqueue(engine, worker.taskName, { args: ['chatter'] }))
    t.match(chatter, { status: 'success', result: 'said it' }, 'what else it sends to its parent is nobody\'s business')
    const left = await worker.finished(await enqueue(engine, worker.taskName, { args: ['leave something running'] }))
    const next = await worker.finished(await enqueue(engine, worker.taskName, { args: ['wait'] }))
    t.equal(next.result, left.result, 'both ran in one process')
    t.match(next, { logs: [], progress: null }, 'what a run left running tells nothing of the next')
    const unkept = await worker.finished(await enqueue(engine, worker.taskName, { args: ['map'], maxAttempts: 2 }))
    t.match(unkept, { status: 'success', attempt: 1, result: null, resultProblem: /^result\.tags is a Map/, truncated: ['/result'] })
    const exited = await worker.finished(await enqueue(engine, worker.taskName, { args: ['exit'] }))
    t.match(exited, { status: 'failed', error: { message: /exit code 3/ } })
    const again = await worker.finished(await enqueue(engine, worker.taskName, { args: ['report'] }))
    t.equal(again.status, 'success')
  })

  await t.test('a cpu task that takes too long is killed', async t => {
    // A busy machine may need longer to start its process than it may run: then with twice the time.
    let execution: FinishedExecution
    let timeoutMs = 4_000
    do {
      const worker = work(t, engine, { cpu: true, timeoutMs })
      execution = await worker.finished(await enqueue(engine, worker.taskName, { args: ['loop'] }))
      t.match(execution, { status: 'failed', error: { type: 'EXECUTION_TIMEOUT' } })
      await worker.stop()
      timeoutMs *= 2
    } while (execution.logs.length === 0 && timeoutMs < 60_000)
    t.match(execution.logs[0], /^\d+$/, 'the process ran and said which it is')
    const pid = Number(execution.logs[0])
    await waitFor('the process to be gone', async () => !isAlive(pid))
  })

  await t.test('a cpu task asks in this process first, and says when it is over', async t => {
    const over: string[] = []
    const worker = work(t, engine, {
      cpu: true, before: async ({ args: [name] }) => name !== 'leave out', after: async ({ executionId }) => { over.push(executionId) }
    })
    const [, done] = await enqueueAll(engine, worker.taskName, [{ args: ['leave out'] }, { args: ['report'] }])
    await worker.finished(done!)
    t.same(over, [done])
    t.same(worker.executions.map(({ executionId }) => executionId), [done])
  })
}

interface TestWorker {
  readonly taskName: string
  readonly worker: EngineWorker
  readonly executions: FinishedExecution[]
  readonly attempts: ExecutionAttempt[]
  readonly errors: Error[]
  finished(executionId: string): Promise<FinishedExecution>
  stop(): Promise<void>
}

interface TestWork {
  taskName?: string
  run?: (run: EngineRun) => Promise<unknown>
  cpu?: boolean
  before?: (run: EngineRun) => Promise<boolean>
  after?: (run: EngineRun) => Promise<void>
  concurrency?: number
  timeoutMs?: number
  rateLimit?: { max: number; durationMs: number }
}

export async function startEngine(t: TestScope, url: string, namespace?: string): Promise<{ engine: Engine; stop: () => Promise<void> }> {
  const store = newStore(url, namespace)
  await store.start()
  const engine = createBullmqEngine(store)
  await engine.start()
  const stop = async (): Promise<void> => {
    await engine.stop({ graceMs: 0 })
    await store.stop()
  }
  t.teardown(stop)
  return { engine, stop }
}

export function work(t: TestScope, engine: Engine, options: TestWork): TestWorker {
  const { taskName = randomUUID(), run, cpu, before, after, concurrency = 1, timeoutMs, rateLimit } = options
  const executions: FinishedExecution[] = []
  const attempts: ExecutionAttempt[] = []
  const errors: Error[] = []
  const processor: WorkOptions['processor'] = cpu
    ? {
      type: 'cpu',
      module: new URL('../engine/workers/cpu-task.ts', import.meta.url),
      contextModule: new URL('../engine/workers/cpu-context.ts', import.meta.url),
      ...(before ? { before } : {}),
      ...(after ? { after } : {})
    }
    : { type: 'io', run: run! }
  const worker = engine.work({
    taskName,
    concurrency,
    losses: 1,
    workerId: 'worker-1',
    timeoutMs: timeoutMs ?? null,
    rateLimit: rateLimit ?? null,
    processor,
    onFinished: execution => executions.push(execution),
    onAttemptFailed: (_execution, attempt) => attempts.push(attempt),
    onError: error => errors.push(error)
  })
  t.teardown(() => worker.stop({ graceMs: 0 }))
  return {
    taskName,
    worker,
    executions,
    attempts,
    errors,
    finished: id => waitFor(`execution ${id} to finish`, async () => executions.find(({ executionId }) => executionId === id)),
    stop: () => worker.stop({ graceMs: 0 })
  }
}

export async function enqueue(engine: Engine, taskName: string, request: Partial<EnqueueRequest> = {}): Promise<string> {
  const [id] = await enqueueAll(engine, taskName, [request])
  return id!
}

export async function enqueueAll(engine: Engine, taskName: string, requests: ReadonlyArray<Partial<EnqueueRequest>>): Promise<string[]> {
  const complete = requests.map(request => ({
    executionId: randomUUID(), taskName, args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null,
    retryOf: null, ...request
  }))
  await engine.enqueue(complete)
  return complete.map(({ executionId }) => executionId)
}

async function listAll(engine: Engine, query: InFlightQuery): Promise<string[]> {
  const ids: string[] = []
  let cursor = query.cursor
  do {
    const page = await engine.inFlight({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    ids.push(...page.executions.map(({ executionId }) => executionId))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

async function states(engine: Engine, taskName: string, ids: readonly string[]): Promise<unknown[]> {
  return await Promise.all(ids.map(async id => (await engine.find([taskName], id))?.state))
}

async function finishedIds(engine: Engine, taskName: string, sinceMs = 0): Promise<string[]> {
  const ids: string[] = []
  for await (const batch of engine.finishedSince(taskName, sinceMs, async list => list))
    ids.push(...batch.map(({ executionId }) => executionId))
  return ids
}

function byId(one: { executionId: string }, other: { executionId: string }): number {
  return one.executionId < other.executionId ? -1 : 1
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What is done within plans by a clock that is wrong. */
async function withClockAhead<Result>(aheadMs: number, work: () => Promise<Result>): Promise<Result> {
  const { now } = Date
  Date.now = () => now() + aheadMs
  try {
    return await work()
  } finally {
    Date.now = now
  }
}

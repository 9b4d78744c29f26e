import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { EnqueueRequest } from '../../lib/engine/engine.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueue, enqueueAll, startEngine, work } from './engine-work.ts'

/** Whether and when executions may start: back-off, rate limit, deduplication. */
export async function testPolicies(t: Test, url: string): Promise<void> {
  const { engine } = await startEngine(t, url)

  await t.test('exponential back-off doubles the wait before each attempt', async t => {
    for (const cpu of [false, true]) {
      const worker = work(t, engine, cpu ? { cpu } : { run: async () => { throw new Error('no') } })
      const backoff = { type: 'exponential', delayMs: 60, maxDelayMs: 3_600_000, jitter: 0 } as const
      const execution = await worker.finished(await enqueue(engine, worker.taskName, { args: ['fail'], maxAttempts: 3, backoff }))
      t.match(execution, { status: 'failed', attempt: 3 })
      t.notOk('nextAttemptAt' in execution)
      const starts = [...worker.attempts.map(({ startedAt }) => startedAt!), execution.startedAt!]
      for (const [index, wait] of [60, 120].entries())
        t.ok(starts[index + 1]! - starts[index]! >= wait - 10, `${starts[index + 1]! - starts[index]!} between starts`)
    }
  })

  await t.test('the wait before an attempt never exceeds its cap', async t => {
    const worker = work(t, engine, { run: async () => { throw new Error('no') } })
    const backoff = { type: 'exponential', delayMs: 1, maxDelayMs: 4, jitter: 0.5 } as const
    // Without the cap, the last wait would be 18 hours: 2^26 ms.
    const execution = await worker.finished(await enqueue(engine, worker.taskName, { maxAttempts: 28, backoff }))
    t.match(execution, { status: 'failed', attempt: 28 })
  })

  await t.test('an execution waiting for its next attempt says when that is due, in lists and by id', async t => {
    const worker = work(t, engine, { run: async () => { throw new Error('no') } })
    const backoff = { type: 'exponential', delayMs: 20, maxDelayMs: 3_600_000, jitter: 0 } as const
    const id = await enqueue(engine, worker.taskName, { maxAttempts: 3, backoff: { ...backoff, delayMs: 600_000 } })
    const other = await enqueue(engine, worker.taskName, { maxAttempts: 3, backoff: fixedDelay(600_000), delayMs: 600_000 })
    await waitFor('the first attempt to fail', async () => worker.attempts.length === 1)
    const found = await waitFor('it to wait', async () => {
      const execution = await engine.find([worker.taskName], id)
      return execution?.state === 'retrying' && execution
    })
    const { finishedAt } = worker.attempts[0]!
    t.ok(
      Math.abs(found.nextAttemptAt! - finishedAt! - 600_000) < 10_000,
      `${found.nextAttemptAt! - finishedAt!} ms after the end of the attempt`
    )
    const { executions } = await engine.inFlight({ taskNames: [worker.taskName], status: 'pending', order: 'newest', limit: 10 })
    t.same(
      new Map(executions.map(({ executionId, nextAttemptAt }) => [executionId, nextAttemptAt])),
      new Map([[id, found.nextAttemptAt], [other, executions.find(({ executionId }) => executionId === other)!.submittedAt + 600_000]])
    )
    t.equal((await engine.summary([worker.taskName])).oldestPendingMs, null, 'it is not overdue')
  })

  await t.test('a retry counts as waiting from the end of its back-off, not from its last attempt', async t => {
    const worker = work(t, engine, { run: async () => {
      await sleep(600)
      throw new Error('no')
    } })
    const { taskName } = worker
    const id = await enqueue(engine, taskName, { maxAttempts: 2, backoff: fixedDelay(300) })
    await waitFor('it to run', async () => worker.worker.running === 1)
    // The worker finishes this attempt and takes no other.
    await worker.worker.stop({ graceMs: 60_000 })
    const { nextAttemptAt } = (await engine.find([taskName], id))!
    const { startedAt, finishedAt } = worker.attempts[0]!
    // finishedAt is noted once the broker has answered, which may take a while.
    t.ok(
      nextAttemptAt! >= startedAt! + 600 + 300 - 10 && nextAttemptAt! <= finishedAt! + 300 + 10,
      `${startedAt} to ${finishedAt}, due at ${nextAttemptAt}`
    )
    const late = await waitFor('it to be due', async () => {
      const { oldestPendingMs } = await engine.summary([taskName])
      return oldestPendingMs !== null && { oldestPendingMs, atMost: Date.now() - nextAttemptAt! }
    })
    t.ok(late.oldestPendingMs <= late.atMost, `${late.oldestPendingMs} of ${late.atMost} ms`)
  })

  await t.test('a rate limit applies to all workers of a task, and waiting executions start as soon as it allows', async t => {
    const rateLimit = { max: 2, durationMs: 250 }
    const started: number[] = []
    const run = async (): Promise<void> => { started.push(Date.now()) }
    const first = work(t, engine, { run, rateLimit, concurrency: 5 })
    const second = work(t, engine, { taskName: first.taskName, run, rateLimit, concurrency: 5 })
    await enqueueAll(engine, first.taskName, Array.from({ length: 7 }, () => ({})))
    await waitFor('all to finish', async () => first.executions.length + second.executions.length === 7)
    const begins = [...first.executions, ...second.executions].map(({ startedAt }) => startedAt!)
    // Seven starts at two per window take four windows, so the last begins at least three windows after the first. Redis rounds to whole
    // milliseconds.
    const took = Math.max(...started) - Math.min(...begins)
    t.ok(took >= 3 * rateLimit.durationMs - 5, `${took} ms`)
  })

  await t.test('a long execution does not keep others from starting when the rate limit allows it', async t => {
    let others = 0
    const worker = work(t, engine, {
      concurrency: 2, rateLimit: { max: 1, durationMs: 100 },
      async run({ args: [isLong] }) {
        if (isLong) await waitFor('the others to run beside it', async () => others === 3)
        else others++
      }
    })
    const [long] = await enqueueAll(engine, worker.taskName, [{ args: [true] }, {}, {}, {}])
    t.match(await worker.finished(long!), { status: 'success' })
  })

  await t.test('rateLimitedUntil() names a reached limit until it ends, retries count, and stop() does not wait for it', async t => {
    const rateLimit = { max: 2, durationMs: 3_600_000 }
    const worker = work(t, engine, { run: async () => { throw new Error('no') }, rateLimit })
    const { taskName } = worker
    const limits = [{ taskName, max: 2 }, { taskName: 'of which nothing ran', max: 1 }]
    t.same(await engine.rateLimitedUntil(limits), new Map())
    const before = Date.now()
    const id = await enqueue(engine, taskName, { maxAttempts: 4 })
    const other = await enqueue(engine, taskName)
    const until = await waitFor('the limit to be reached', async () => (await engine.rateLimitedUntil(limits)).get(taskName))
    t.ok(until > before + 3_000_000 && until <= Date.now() + 3_600_000, 'it ends with its window')
    t.same(await engine.rateLimitedUntil([{ taskName, max: 3 }]), new Map(), 'compared with the limit asked for')
    await waitFor('both attempts to end', async () => worker.attempts.length + worker.executions.length === 2)
    t.match(await engine.summary([taskName]), { pending: worker.executions.length === 0 ? 2 : 1, running: 0, oldestPendingMs: Number })
    t.equal((await engine.find([taskName], id))!.status, 'pending')
    t.ok(await engine.find([taskName], other))
    await worker.worker.stop()
    t.same(worker.errors, [], 'the worker did not report the broker as down')
  })

  await t.test('an unfinished execution blocks another with the same deduplication key', async t => {
    const key = { key: 'user 42 😀', ttlMs: null }
    let open = (): void => {}
    const gate = new Promise<void>(resolve => { open = resolve })
    const worker = work(t, engine, { run: ({ attempt }) => attempt === 1 ? Promise.reject(new Error('no')) : gate })
    const { taskName } = worker
    const [first, second, otherTask] = [requestOf(taskName, key), requestOf(taskName, key), requestOf('another task', key)]
    const otherKey = requestOf(taskName, { ...key, key: 'user 43' })
    const duplicates = await engine.enqueue([{ ...first, maxAttempts: 2, backoff: fixedDelay(20) }, second, otherTask, otherKey])
    t.same(duplicates, new Map([[second.executionId, first.executionId]]))
    t.equal(await engine.find([taskName], second.executionId), null)
    t.ok(await engine.find(['another task'], otherTask.executionId))
    await waitFor('its second attempt', async () => (await engine.find([taskName], first.executionId))?.attempt === 2)
    const third = requestOf(taskName, key)
    t.same(await engine.enqueue([third]), new Map([[third.executionId, first.executionId]]), 'between and during its attempts')
    open()
    await worker.finished(first.executionId)
    const next = requestOf(taskName, key)
    t.same(await engine.enqueue([next]), new Map(), 'it has finished')
    t.match(await worker.finished(next.executionId), { status: 'failed' })
    t.same(await engine.enqueue([requestOf(taskName, key)]), new Map(), 'it has failed for good')
  })

  await t.test('a deduplication key with a lifetime blocks until that is over, however the execution ends', async t => {
    const worker = work(t, engine, { run: async () => {} })
    const { taskName } = worker
    const [long, short] = [{ key: 'long', ttlMs: 3_600_000 }, { key: 'short', ttlMs: 400 }]
    const first = requestOf(taskName, long)
    await engine.enqueue([first])
    const { finishedAt } = await worker.finished(first.executionId)
    const again = requestOf(taskName, long)
    t.same(await engine.enqueue([again]), new Map([[again.executionId, first.executionId]]), 'it has finished')
    await engine.removeFinished([{ executionId: first.executionId, taskName, status: 'success', finishedAt }], Date.now())
    t.same(await engine.enqueue([again]), new Map([[again.executionId, first.executionId]]), 'it has left the broker')

    const brief = requestOf(taskName, short)
    await engine.enqueue([brief])
    await waitFor('the lifetime to be over', async () => (await engine.enqueue([requestOf(taskName, short)])).size === 0)
  })

  await t.test('one call with many keyed requests adds each key once', async t => {
    let tries = 0
    // A busy machine may need longer to answer than a caller waits. Then try again with other executions.
    const { taskName, requests, duplicates } = await waitFor('an answer in time', async () => {
      const taskName = `many keys ${tries++}`
      const requests = Array.from({ length: 100 }, (_, index) => requestOf(taskName, { key: `key ${index % 60}`, ttlMs: 3_600_000 }))
      return { taskName, requests, duplicates: await engine.enqueue(requests) }
    })
    t.same(duplicates, new Map(requests.slice(60).map(({ executionId }, index) => [executionId, requests[index]!.executionId])))
    t.equal((await engine.summary([taskName])).pending, 60)
  })
}

function requestOf(taskName: string, deduplication: NonNullable<EnqueueRequest['deduplication']>): EnqueueRequest {
  const rest = { args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null, retryOf: null }
  return { executionId: randomUUID(), taskName, ...rest, deduplication }
}

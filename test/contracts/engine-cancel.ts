import type { Test } from 'tap'
import type { Engine } from '../../lib/engine/engine.ts'
import type { ExecutionCancellation } from '../../lib/execution.ts'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueue, work } from './engine-work.ts'

const REQUEST: ExecutionCancellation = { requestedAt: Date.now(), requestedBy: 'ada', reason: 'not needed' }

/** Cancelled executions. */
export async function testCancel(t: Test, engine: Engine): Promise<void> {
  await t.test('an execution that fails before its process notices the request is cancelled, and not retried', async t => {
    let runs = 0
    const worker = work(t, engine, {
      run: async ({ executionId, taskName }) => {
        runs++
        await engine.cancel(taskName, executionId, REQUEST)
        throw new Error('no connection')
      }
    })
    const execution = await worker.finished(await enqueue(engine, worker.taskName, { maxAttempts: 3 }))
    t.match(execution, {
      status: 'cancelled', state: 'cancelled', error: null, cancellation: REQUEST, attempts: [{ error: { message: 'no connection' } }]
    })
    t.match(await engine.find([worker.taskName], execution.executionId), { status: 'cancelled', cancellation: REQUEST })
    t.equal(runs, 1)
  })

  await t.test('a cancelled execution that its process hands back does not run again', async t => {
    let runs = 0
    const run = async ({ executionId, taskName }: { executionId: string; taskName: string }) => {
      runs++
      await engine.cancel(taskName, executionId, REQUEST)
      await new Promise(() => {})
    }
    const first = work(t, engine, { run })
    const executionId = await enqueue(engine, first.taskName, { maxAttempts: 3 })
    await waitFor('the request', async () => (await engine.find([first.taskName], executionId))?.cancellation !== undefined)
    // Stopped before it has noticed the request, so it hands the execution back with it.
    await first.stop()
    const second = work(t, engine, { taskName: first.taskName, run })
    const execution = first.executions[0] ?? await second.finished(executionId)
    t.match(execution, { status: 'cancelled', cancellation: REQUEST })
    t.equal(runs, 1, 'the second worker did not call the handler')
  })

  await t.test('a worker that stops records a cancelled execution whose handler ignores its signal', async t => {
    let isAborted = false
    const worker = work(t, engine, {
      run: async ({ signal }) => {
        signal.addEventListener('abort', () => { isAborted = true })
        await new Promise(() => {})
      }
    })
    const executionId = await enqueue(engine, worker.taskName, { maxAttempts: 3 })
    await waitFor('the execution to start', async () => worker.worker.running === 1)
    t.equal(await engine.cancel(worker.taskName, executionId, REQUEST), 'requested')
    await waitFor('its signal', async () => isAborted, 4_000)
    t.match((await engine.inFlight({ taskNames: [worker.taskName], order: 'newest', limit: 1 })).executions, [
      { status: 'running', cancellation: REQUEST }
    ])
    t.equal(await engine.cancel(worker.taskName, executionId, { ...REQUEST, reason: 'another' }), 'requested')
    await worker.stop()
    t.match(worker.executions, [{ executionId, status: 'cancelled', cancellation: REQUEST, error: null }], 'the first request stays')
    t.equal(await engine.cancel(worker.taskName, executionId, REQUEST), 'over')
    t.equal(await engine.cancel(worker.taskName, 'unknown', REQUEST), 'over')
  })

  await t.test('the run of a schedule that waits for its next attempt can be cancelled', async t => {
    const started: string[] = []
    const worker = work(t, engine, {
      run: async ({ executionId }) => {
        started.push(executionId)
        throw new Error('no connection')
      }
    })
    const timing = { intervalMs: 500, anchorAt: Date.now() }
    await engine.upsertScheduler({
      scheduleId: `s-${worker.taskName}`, taskName: worker.taskName, timing, args: [], priority: 0, maxAttempts: 2,
      backoff: fixedDelay(3_600_000)
    })
    const retrying = await waitFor('its first attempt', async () => {
      const execution = started[0] === undefined ? null : await engine.find([worker.taskName], started[0])
      return execution?.state === 'retrying' ? execution : undefined
    })
    await engine.removeScheduler(worker.taskName, `s-${worker.taskName}`)
    t.equal(await engine.cancel(worker.taskName, retrying.executionId, REQUEST), 'cancelled')
  })

  await t.test('the deduplication key of a cancelled execution is free again', async t => {
    const worker = { taskName: `dedup-${Date.now()}` }
    const deduplication = { key: 'k', ttlMs: null }
    const executionId = await enqueue(engine, worker.taskName, { deduplication })
    t.equal(await engine.cancel(worker.taskName, executionId, REQUEST), 'cancelled')
    const again = await enqueue(engine, worker.taskName, { deduplication })
    t.match(await engine.find([worker.taskName], again), { status: 'pending' })
  })

  await t.test('a cancelled cpu task ends itself, or its process is killed after a grace period', async t => {
    const worker = work(t, engine, { cpu: true, concurrency: 2 })
    const cancelled = async (what: string) => {
      const executionId = await enqueue(engine, worker.taskName, { args: [what], maxAttempts: 3 })
      await waitFor('its process', async () => ((await engine.find([worker.taskName], executionId))?.logs.length ?? 0) > 0)
      const at = Date.now()
      t.equal(await engine.cancel(worker.taskName, executionId, REQUEST), 'requested')
      const execution = await worker.finished(executionId)
      t.match(execution, { status: 'cancelled', attempt: 1, cancellation: REQUEST })
      return { pid: Number(execution.logs[0]), tookMs: Date.now() - at, attempts: execution.attempts }
    }
    const [ended, killed] = await Promise.all([cancelled('until aborted'), cancelled('block')])
    t.ok(ended.tookMs < 3_000, `it ended itself after ${ended.tookMs} ms`)
    t.match(ended.attempts, [{ error: { message: 'stopped in time' } }])
    t.ok(killed.tookMs > 4_500, `it was killed after ${killed.tookMs} ms`)
    await waitFor('the end of its process', async () => !isAlive(killed.pid))
    t.ok(isAlive(ended.pid), 'the process of the one that ended itself is reused')
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

import type { Test } from 'tap'
import type { FinishedExecution } from '../../lib/execution.ts'
import type { Engine } from '../../lib/engine/engine.ts'
import { waitFor } from '../support/wait-for.ts'
import { enqueue, enqueueAll, work } from './engine-work.ts'

/** Tasks that run in their own process. */
export async function testCpuTasks(t: Test, engine: Engine): Promise<void> {
  await t.test('a cpu task runs in its own process, with its context', async t => {
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
    t.match(chatter, { status: 'success', result: 'said it' }, 'other messages to the parent are ignored')
    const left = await worker.finished(await enqueue(engine, worker.taskName, { args: ['leave something running'] }))
    const next = await worker.finished(await enqueue(engine, worker.taskName, { args: ['wait'] }))
    t.equal(next.result, left.result, 'both ran in one process')
    t.match(next, { logs: [], progress: null }, 'work that an earlier run left behind does not report to the next one')
    const unkept = await worker.finished(await enqueue(engine, worker.taskName, { args: ['map'], maxAttempts: 2 }))
    t.match(unkept, { status: 'success', attempt: 1, result: null, resultProblem: /^result\.tags is a Map/, truncated: ['/result'] })
    const exited = await worker.finished(await enqueue(engine, worker.taskName, { args: ['exit'] }))
    t.match(exited, { status: 'failed', error: { message: /exit code 3/ } })
    const again = await worker.finished(await enqueue(engine, worker.taskName, { args: ['report'] }))
    t.equal(again.status, 'success')
  })

  await t.test('a cpu task that exceeds its timeout is killed', async t => {
    // On a busy machine the process may take longer to start than its timeout. Then try again with twice the time.
    let execution: FinishedExecution
    let timeoutMs = 4_000
    do {
      const worker = work(t, engine, { cpu: true, timeoutMs })
      execution = await worker.finished(await enqueue(engine, worker.taskName, { args: ['block'] }))
      t.match(execution, { status: 'failed', error: { type: 'EXECUTION_TIMEOUT' } })
      await worker.stop()
      timeoutMs *= 2
    } while (execution.logs.length === 0 && timeoutMs < 60_000)
    t.match(execution.logs[0], /^\d+$/, 'the process ran and logged its id')
    const pid = Number(execution.logs[0])
    await waitFor('the process to end', async () => !isAlive(pid))
  })

  await t.test('before() decides in this process whether a cpu task runs, and after() is called when it has ended', async t => {
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

import type { Test } from 'tap'
import { createBullmqEngine } from '../../../lib/engine/bullmq-engine.ts'
import type { EngineRun, EngineWorker } from '../../../lib/engine/engine.ts'
import type { Execution, ExecutionAttempt, FinishedExecution } from '../../../lib/execution.ts'
import type { Store } from '../../../lib/stores/store.ts'
import { enqueue } from '../../contracts/engine-work.ts'
import { waitFor } from '../../support/wait-for.ts'

export interface Refusal {
  /** How many times the broker has refused so far. */
  count(errors: readonly Error[]): Promise<number>
  refuse(): Promise<void>
  accept(): Promise<void>
}

/** A worker whose broker refuses its reports for a while. The caller starts and stops `store`. */
export async function openRefused(t: Test, store: Store): Promise<RefusedWorker> {
  const engine = createBullmqEngine(store)
  await engine.start()
  t.teardown(() => engine.stop({ graceMs: 0 }))
  const finished: FinishedExecution[] = []
  const attempts: Array<Execution & { attempt: ExecutionAttempt['attempt'] }> = []
  const errors: Error[] = []
  let runs = 0
  let handler: (run: EngineRun) => Promise<unknown> = async () => {}
  const worker = engine.work({
    taskName: 'refused', concurrency: 1, workerId: 'w', maxLosses: 1, timeoutMs: null,
    processor: { type: 'io', run(run) { runs++; return handler(run) } },
    onFinished: execution => finished.push(execution),
    onAttemptFailed: (execution, { attempt }) => attempts.push({ ...execution, attempt }),
    onError: error => errors.push(error)
  })

  /** Runs one execution, and accepts its report only after it was refused at least once. */
  async function run(
    refusal: Refusal, outcome: () => unknown, { maxAttempts = 1, whileRefused = async (_executionId: string) => {} } = {}
  ): Promise<string> {
    let before: number | undefined
    handler = async ({ attempt }) => {
      if (attempt === 1) {
        await refusal.refuse()
        before = await refusal.count(errors)
      }
      return outcome()
    }
    const id = await enqueue(engine, 'refused', { maxAttempts })
    await waitFor('the broker to refuse the report', async () => before !== undefined && await refusal.count(errors) > before)
    await whileRefused(id)
    await refusal.accept()
    return id
  }

  return {
    engine, worker, errors, finished, attempts, run,
    get runs() { return runs },
    finish: id => waitFor('it to be recorded', async () => finished.find(({ executionId }) => executionId === id))
  }
}

export interface RefusedWorker {
  readonly engine: ReturnType<typeof createBullmqEngine>
  readonly worker: EngineWorker
  readonly errors: readonly Error[]
  readonly finished: readonly FinishedExecution[]
  readonly attempts: ReadonlyArray<{ attempt: number }>
  readonly runs: number
  run(
    refusal: Refusal, outcome: () => unknown, options?: { maxAttempts?: number, whileRefused?: (executionId: string) => Promise<void> }
  ): Promise<string>
  finish(executionId: string): Promise<FinishedExecution>
}

/** A success stays a success, a failure stays one attempt, and nothing runs again. */
export async function testRefusal(t: Test, worker: RefusedWorker, refusal: Refusal): Promise<void> {
  const before = worker.runs
  t.match(await worker.finish(await worker.run(refusal, () => 'done')), { status: 'success', result: 'done', attempt: 1 })
  const failed = await worker.finish(await worker.run(refusal, () => { throw new RangeError('too far') }))
  t.match(failed, { status: 'failed', attempt: 1, error: { type: 'RangeError', message: 'too far' } })
  t.equal(failed.attempts.length, 1)
  t.equal(worker.runs, before + 2)
}

/** A failed attempt that is retried counts once. */
export async function testRefusedAttempt(t: Test, worker: RefusedWorker, refusal: Refusal): Promise<void> {
  const before = worker.runs
  const attempts = worker.attempts.length
  let calls = 0
  const id = await worker.run(refusal, () => {
    if (++calls === 1) throw new Error('once')
    return 'then'
  }, { maxAttempts: 3 })
  t.match(await worker.finish(id), { status: 'success', result: 'then', attempt: 2 })
  t.equal(worker.attempts.length, attempts + 1)
  t.equal(worker.runs, before + 2)
}

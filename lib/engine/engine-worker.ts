import { setTimeout as sleep } from 'node:timers/promises'
import { WaitingError, Worker, type IQueueBackend, type Job } from 'bullmq'
import { createTaskDashboardError } from '../errors.ts'
import { withDeadline } from '../deadline.ts'
import { failureFromError, toAttemptError, type AttemptError } from './attempt-error.ts'
import type { BullmqConnection } from './backend-factory.ts'
import { createCpuRunner, type CpuRunner } from './cpu-runner.ts'
import { LEFT_OUT, type EngineRun, type EngineWorker, type WorkOptions } from './engine.ts'
import { argsFromJob, dueAtFromJob, executionFromJob, finishedExecutionFromJob, type JobData } from './job-mapper.ts'
import { queueNameFromTask } from './queue-name.ts'
import { limitRepeats } from './limit-repeats.ts'
import { keepLog, keptLog } from './run-log.ts'
import { nextRunAt } from './schedulers.ts'
import { toStorableJson } from './storable.ts'

/** Finished jobs stay in the broker so long, in seconds: the reconciler records what a lost process did not. */
const KEEP_FINISHED_SECONDS = 3_600
const DEFAULT_GRACE_MS = 10_000
/** For handing back and closing after the grace period, with a broker that may be gone. */
const CLOSE_TIMEOUT_MS = 5_000

/** Runs one task in this process. `readLog` reads the lines that earlier attempts logged. */
export function createEngineWorker(connection: BullmqConnection, options: WorkOptions, readLog: (job: Job) => Promise<readonly string[]>): EngineWorker {
  const { processor, timeoutMs } = options
  const cpu = processor.type === 'cpu' ? createCpuRunner(processor.module, processor.contextModule) : null
  const active = new Set<ActiveRun>()
  const leftOut = new WeakSet<Job>()
  const onError = limitRepeats(options.onError)

  async function process(job: Job, token: string, lockSignal: AbortSignal): Promise<string> {
    const run = createActiveRun(job, lockSignal, timeoutMs)
    active.add(run)
    try {
      // Only a second attempt has lines already.
      keepLog(job, job.attemptsStarted > 1 ? await readLog(job) : [])
      const result = await Promise.race([execute(job, token, run), run.interrupted])
      if (result !== LEFT_OUT) return result
      // No record, then nothing for the reconciler to find either.
      leftOut.add(job)
      job.opts.removeOnComplete = true
      return toStorableJson(null)
    } catch (thrown) {
      if (thrown !== HANDED_BACK) throw toAttemptError(thrown)
      await job.moveToWait(token)
      throw new WaitingError()
    } finally {
      run.end()
      active.delete(run)
    }
  }

  async function execute(job: Job, token: string, { run }: ActiveRun): Promise<string | typeof LEFT_OUT> {
    if (processor.type === 'io') {
      const result = await processor.run(run)
      return result === LEFT_OUT ? LEFT_OUT : toStorableJson(result)
    }
    if (await processor.before?.(run) === false) return LEFT_OUT
    try {
      return await (cpu as CpuRunner).run(job, token, run.signal)
    } finally {
      await processor.after?.(run)
    }
  }

  // Three parameters: BullMQ counts them to see that a signal is wanted.
  const worker = new AbandonableWorker(queueNameFromTask(options.taskName), (job: Job, token?: string, signal?: AbortSignal) => process(job, token!, signal!), {
    connection: connection.workers,
    ...(connection.prefix === undefined ? {} : { prefix: connection.prefix }),
    name: options.workerId,
    concurrency: options.concurrency,
    maxStalledCount: options.losses,
    removeOnComplete: { age: KEEP_FINISHED_SECONDS },
    removeOnFail: { age: KEEP_FINISHED_SECONDS },
    runRetryDelay: 1_000,
    settings: { repeatStrategy: nextRunAt }
  }, connection.factory)

  worker.on('error', onError)
  worker.on('completed', job => {
    if (leftOut.has(job)) return
    const execution = finishedExecutionFromJob(job, 'completed', keptLog(job))
    if (execution !== null) options.onFinished(execution)
  })
  worker.on('failed', (job, error) => {
    if (job === undefined) return
    const failure = failureFromError(toAttemptError(error))
    const execution = finishedExecutionFromJob(job, 'failed', keptLog(job), failure)
    if (execution !== null) return options.onFinished(execution)
    options.onAttemptFailed({ ...executionFromJob(job, 'delayed'), error: failure }, {
      attempt: job.attemptsMade,
      startedAt: job.processedOn ?? null,
      finishedAt: Date.now(),
      workerId: options.workerId,
      error: failure
    })
  })

  async function stop(graceMs: number): Promise<void> {
    const closed = worker.close().catch(onError)
    const isIdle = await Promise.race([closed.then(() => true), sleep(graceMs, false, { ref: false })])
    if (!isIdle) for (const run of active) run.handBack()
    await withDeadline(closed, CLOSE_TIMEOUT_MS, 'The worker did not close').catch(async error => {
      onError(error as Error)
      await withDeadline(worker.disconnect(), 500, 'The worker did not disconnect').catch(() => {})
      worker.abandon()
    })
    await cpu?.close().catch(onError)
  }

  let stopping: Promise<void> | undefined
  return {
    get running() { return active.size },
    stop({ graceMs = DEFAULT_GRACE_MS } = {}) { return (stopping ??= stop(graceMs)) }
  }
}

/** A worker that waits for a broker that is gone never comes to the end of `close()`, and its timers would hold the process. */
class AbandonableWorker extends Worker<Partial<JobData> | null, unknown, string, IQueueBackend> {
  abandon(): void {
    void this.lockManager.close()
    // The stalled checker waits between its rounds; BullMQ wakes it at the end of `close()`.
    ;(this as unknown as { stalledCheckStopper?: () => void }).stalledCheckStopper?.()
  }
}

const HANDED_BACK = Symbol('handed back')

interface ActiveRun {
  readonly run: EngineRun
  /** Rejects when the run is over before its handler: at the timeout, or when it is handed back. */
  readonly interrupted: Promise<never>
  handBack(): void
  end(): void
}

function createActiveRun(job: Job, lockSignal: AbortSignal, timeoutMs: number | null): ActiveRun {
  const controller = new AbortController()
  let interrupt: (reason: unknown) => void = () => {}
  const interrupted = new Promise<never>((_resolve, reject) => { interrupt = reject })
  interrupted.catch(() => {})

  const abort = (reason: unknown, cause: AttemptError | Error): void => {
    controller.abort(cause)
    interrupt(reason)
  }
  // The lock was lost: another worker has the execution.
  const onLockLost = (): void => controller.abort(lockSignal.reason)
  lockSignal.addEventListener('abort', onLockLost, { once: true })
  const timer = timeoutMs === null ? undefined : setTimeout(() => {
    const error = createTaskDashboardError('EXECUTION_TIMEOUT', [timeoutMs])
    abort(error, error)
  }, timeoutMs)

  return {
    run: toEngineRun(job, controller.signal),
    interrupted,
    handBack: () => abort(HANDED_BACK, createTaskDashboardError('EXECUTION_ABORTED')),
    end() {
      clearTimeout(timer)
      lockSignal.removeEventListener('abort', onLockLost)
    }
  }
}

function toEngineRun(job: Job, signal: AbortSignal): EngineRun {
  const execution = executionFromJob(job, 'active')
  return {
    executionId: execution.executionId,
    taskName: execution.taskName,
    args: argsFromJob(job) ?? [],
    attempt: execution.attempt,
    maxAttempts: execution.maxAttempts,
    scheduleId: execution.scheduleId,
    isPlanned: job.repeatJobKey !== undefined,
    dueAt: dueAtFromJob(job),
    signal,
    async log(line) { await job.log(line) },
    async progress(value) { await job.updateProgress(toStorableJson(value)) }
  }
}

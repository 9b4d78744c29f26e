import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from 'bullmq'
import { STOP_GRACE_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { limitRepeats } from '../../time/limit-repeats.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { ActiveRun, ActiveRuns, HANDED_BACK } from './active-run.ts'
import { failureFromError, toAttemptError, toLastError } from '../jobs/attempt-error.ts'
import type { CancelWatch } from '../cancelling/cancel-watch.ts'
import type { BullmqConnection } from '../connection/bullmq-connection.ts'
import { createCpuRunner, type CpuRunner } from './cpu-runner.ts'
import { LEFT_OUT, type EngineWorker, type WorkOptions } from '../engine.ts'
import { cancelMarkOf } from '../jobs/job-cancellation.ts'
import { jobBackoffStrategy } from '../jobs/job-backoff.ts'
import { argsFromJob, executionFromJob, finishedExecutionFromJob } from '../jobs/job-mapper.ts'
import { PersistentWorker } from './persistent-worker.ts'
import { handBackLostTakes } from './lost-takes.ts'
import { queueNameFromTask } from '../jobs/queue-name.ts'
import { keepLog, keptLog } from './run-log.ts'
import { nextRunAt } from '../schedulers/schedulers.ts'
import { toStoredResult, type StoredResult } from '../jobs/stored-result.ts'

const KEPT = { count: -1 }
/** How long handing back and closing may take after the grace period, because the broker may be down. */
const CLOSE_TIMEOUT_MS = 5_000
/** A worker that holds no execution is only waiting for a response. After this long, the broker is considered down. */
const IDLE_CLOSE_MS = 4_000
const LOOKS_EVERY_MS = 50
/** How often the same error of a worker is reported. */
const REPORTED_EVERY_MS = 10_000
/** Characters shown of a job name that other code chose. */
const MAX_NAME_SHOWN = 100
/** How often a rate-limited worker asks again, because someone may lift the limit, and delayed executions become due. */
const LIMITED_ASKS_EVERY_MS = 1_000

/** Runs one task in this process. `readLog` reads the lines that earlier attempts logged. */
export function createEngineWorker(
  connection: BullmqConnection, cancels: CancelWatch, options: WorkOptions, readLog: (job: Job) => Promise<readonly string[]>
): EngineWorker {
  const { processor, timeoutMs } = options
  const cpu = processor.type === 'cpu' ? createCpuRunner(processor.module, processor.contextModule) : null
  const active = new ActiveRuns()
  const leftOut = new WeakSet<Job>()
  const onError = limitRepeats(options.onError, REPORTED_EVERY_MS)
  const queueName = queueNameFromTask(options.taskName)
  const runStarted = cancels.watch({ queueName, runs: () => active.all() })

  async function process(job: Job, token: string): Promise<StoredResult> {
    const run = new ActiveRun(job, timeoutMs)
    active.add(run)
    runStarted()
    try {
      // It may have been cancelled while another process held it that died, stopped or did not notice the request in time.
      const mark = cancelMarkOf(job)
      if (mark !== null) run.cancel(mark)
      if (run.isCancelled) throw createTaskDashboardError('EXECUTION_CANCELLED')
      if (!run.isOurs) throw toLastError(createTaskDashboardError('FOREIGN_JOB', [job.name.slice(0, MAX_NAME_SHOWN)]))
      // Only later attempts have lines already. Lines of a child process are written with `job.log` directly, so keeping them must begin
      // here.
      if (job.attemptsStarted > 1) keepLog(job, await readLog(job))
      else if (cpu !== null) keepLog(job, [])
      if (processor.type === 'io') {
        const result = await run.outcomeOf(processor.run(run))
        if (result !== LEFT_OUT) return reportUnstorable(toStoredResult(result))
      } else {
        const result = await run.outcomeOf(executeCpu(processor, job, token, run))
        if (result !== LEFT_OUT) return reportUnstorable(result)
      }
      // This run leaves no record, so the reconciler must not find the job either.
      leftOut.add(job)
      job.opts.removeOnComplete = true
      return toStoredResult(null)
    } catch (thrown) {
      if (thrown === HANDED_BACK) return await worker.handBack(job, token)
      throw await isCancelled(run) ? toLastError(thrown) : toAttemptError(thrown)
    } finally {
      if (run.isCancelled) cancels.forget(run.executionId)
      run.end()
      active.delete(run)
    }
  }

  /** Asks the broker too: this process may not have noticed yet. */
  async function isCancelled(run: ActiveRun): Promise<boolean> {
    if (run.isCancelled) return true
    const mark = await cancels.markOf(queueName, run.executionId)
    if (mark !== null) run.cancel(mark)
    return mark !== null
  }

  /** The reason may quote the value. So only the execution's record, after redaction, contains it. */
  function reportUnstorable(result: StoredResult): StoredResult {
    if (typeof result !== 'string') {
      onError(new Error(
        `The return value of task "${options.taskName}" cannot be stored. The execution succeeded, and its record says why (result_problem)`
      ))
    }
    return result
  }

  /** As returned by the child process. */
  async function executeCpu(
    { before, after }: CpuProcessor, job: Job, token: string, run: ActiveRun
  ): Promise<StoredResult | typeof LEFT_OUT> {
    if (await before?.(run) === false) return LEFT_OUT
    try {
      return await (cpu as CpuRunner).run(job, token, run.signal)
    } finally {
      await after?.(run)
    }
  }

  const worker = new PersistentWorker(queueName, (job: Job, token?: string) => process(job, token!), {
    connection: connection.workers,
    ...(connection.prefix === undefined ? {} : { prefix: connection.prefix }),
    name: options.workerId,
    concurrency: options.concurrency,
    maxStalledCount: options.maxLosses,
    ...options.rateLimit && { limiter: { max: options.rateLimit.max, duration: options.rateLimit.durationMs } },
    maximumRateLimitDelay: LIMITED_ASKS_EVERY_MS,
    // Finished jobs stay until the sweeper removes them. BullMQ's own removal by age uses this process's clock, runs when the queue's next
    // job finishes, and removes everything in one statement on PostgreSQL. It expects an object; this one means forever.
    removeOnComplete: KEPT,
    removeOnFail: KEPT,
    runRetryDelay: 1_000,
    settings: { repeatStrategy: nextRunAt, backoffStrategy: jobBackoffStrategy }
  }, connection.factory)

  handBackLostTakes(worker, connection.takenLocks)
  worker.on('error', onError)
  worker.on('lockRenewalFailed', executionIds => {
    for (const run of active.all()) if (executionIds.includes(run.executionId)) run.abort()
  })
  worker.on('completed', job => {
    if (leftOut.has(job)) return
    const execution = finishedExecutionFromJob(job, 'completed', keptLog(job))
    if (execution !== null) options.onFinished(execution)
  })
  worker.on('failed', (job, error) => {
    if (job === undefined) return
    const failure = failureFromError(error)
    const execution = finishedExecutionFromJob(job, 'failed', keptLog(job), failure)
    if (execution !== null) return options.onFinished(execution)
    options.onAttemptFailed({ ...executionFromJob(job, 'delayed'), error: failure }, {
      attempt: job.attemptsMade,
      startedAt: job.processedOn ?? null,
      finishedAt: Date.now(),
      workerId: options.workerId,
      error: failure
    }, argsFromJob(job))
  })

  async function stop(graceMs: number): Promise<void> {
    const over = new AbortController()
    const closed = worker.close().catch(onError).then(() => true)
    void closed.then(() => over.abort())
    const idle = idleOrOver(over.signal)
    // Running executions get the grace period. A worker that holds no execution and still has not closed is waiting for a broker that does
    // not respond.
    const isOver = await Promise.race([closed, idle.then(() => true), sleep(graceMs, false, { ref: false })])
    if (!isOver) for (const run of active.all()) run.handBack()
    const isClosed = await Promise.race([closed, idle.then(() => over.signal.aborted), sleep(CLOSE_TIMEOUT_MS, false, { ref: false })])
    // A handler may never end: stop waiting for it.
    over.abort()
    if (!isClosed) {
      onError(new Error('The broker does not answer: the worker was abandoned before it had closed'))
      await withDeadline(worker.disconnect(), 500, 'The worker did not disconnect').catch(() => {})
      worker.abandon()
    }
    await cpu?.close().catch(onError)
  }

  /** Resolves once the worker has held nothing for a while, or when the signal aborts. */
  async function idleOrOver(over: AbortSignal): Promise<void> {
    for (let idleMs = 0; idleMs < IDLE_CLOSE_MS && !over.aborted; idleMs = worker.held === 0 ? idleMs + LOOKS_EVERY_MS : 0) {
      await sleep(LOOKS_EVERY_MS, undefined, { signal: over }).catch(() => {})
    }
  }

  let stopping: Promise<void> | undefined
  return {
    get running() { return active.size },
    runs: () => active.all().map(({ executionId, startedAt }) => ({ executionId, startedAt })),
    get silentForMs() { return worker.contact.silentForMs() },
    get refusal() { return worker.contact.refusal() },
    stop({ graceMs = STOP_GRACE_MS } = {}) { return (stopping ??= stop(graceMs)) }
  }
}

type CpuProcessor = Extract<WorkOptions['processor'], { type: 'cpu' }>

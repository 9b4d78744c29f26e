import type { Job } from 'bullmq'
import { createTaskDashboardError } from '../../errors.ts'
import type { EngineRun } from '../engine.ts'
import { CANCEL_FIELD, type CancelMark } from '../jobs/job-cancellation.ts'
import { argsFromJob, dueAtFromJob, maxAttemptsFromJob, scheduleIdFromJob, taskNameFromJob } from '../jobs/job-mapper.ts'
import { keepLog } from './run-log.ts'
import { toStorableJson } from '../jobs/storable.ts'

export const HANDED_BACK = Symbol('handed back')

/** A run in this process. Everything optional is created on demand, which keeps runs cheap: few handlers use their signal. */
export class ActiveRun implements EngineRun {
  readonly executionId: string
  readonly taskName: string
  readonly args: readonly unknown[]
  /** Whether `enqueue` or a schedule created it. Other code can put any job into a queue, or damage one, and no handler can run that. */
  readonly isOurs: boolean
  readonly attempt: number
  readonly wasTaken: boolean
  readonly maxAttempts: number
  readonly scheduleId: string | null
  readonly isPlanned: boolean
  readonly dueAt: number
  /** Index among the runs of its worker, once it has one. */
  position: number | undefined
  isCancelled = false
  readonly #job: Job
  readonly #timer: NodeJS.Timeout | undefined
  #controller: AbortController | undefined
  #abortedBy: Error | undefined
  #interruption: { readonly reason: unknown } | undefined
  #interrupt: ((reason: unknown) => void) | undefined

  constructor(job: Job, timeoutMs: number | null) {
    this.executionId = job.id!
    this.taskName = taskNameFromJob(job)
    const args = argsFromJob(job)
    this.args = args ?? []
    this.isOurs = args !== null
    this.attempt = job.attemptsMade + 1
    this.wasTaken = job.attemptsStarted > 1 || job.stalledCounter > 0
    this.maxAttempts = maxAttemptsFromJob(job)
    this.scheduleId = scheduleIdFromJob(job)
    this.isPlanned = job.repeatJobKey !== undefined
    this.dueAt = dueAtFromJob(job)
    this.#job = job
    this.#timer = timeoutMs === null ? undefined : setTimeout(() => {
      const error = createTaskDashboardError('EXECUTION_TIMEOUT', [timeoutMs])
      this.#end(error, error)
    }, timeoutMs)
  }

  get startedAt(): number | null {
    return this.#job.processedOn ?? null
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#abortedBy !== undefined) this.#controller.abort(this.#abortedBy)
    }
    return this.#controller.signal
  }

  async log(line: string): Promise<void> {
    keepLog(this.#job, [])
    await this.#job.log(line)
  }

  async progress(value: unknown): Promise<void> {
    await this.#job.updateProgress(toStorableJson(value))
  }

  /** Settles as `work` does, unless the run ends first: on timeout, or when it is handed back. */
  outcomeOf<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#interrupt = reject
      if (this.#interruption !== undefined) this.#interrupt(this.#interruption.reason)
      work.then(resolve, reject)
    })
  }

  /** Another worker has the execution, so this one's return value no longer counts. */
  abort(): void {
    this.#abort(new Error('The broker gave the execution to another worker, because it lost contact with this one'))
  }

  /** Call it when someone has cancelled the run. The signal asks the handler to stop, and what the handler does then is the outcome. */
  cancel(mark: CancelMark): void {
    if (this.isCancelled) return
    this.isCancelled = true
    // The record is made from the job in memory, so the job gets the mark.
    Object.assign(this.#job.opts, { [CANCEL_FIELD]: mark })
    this.#abort(createTaskDashboardError('EXECUTION_CANCELLED'))
  }

  /** A run that was cancelled does not go back to its queue: it is not wanted any more. */
  handBack(): void {
    const cancelled = createTaskDashboardError('EXECUTION_CANCELLED')
    if (this.isCancelled) return this.#end(cancelled, cancelled)
    this.#end(HANDED_BACK, createTaskDashboardError('EXECUTION_ABORTED'))
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #abort(cause: Error): void {
    this.#abortedBy ??= cause
    this.#controller?.abort(this.#abortedBy)
  }

  #end(reason: unknown, cause: Error): void {
    this.#abort(cause)
    this.#interruption ??= { reason }
    this.#interrupt?.(reason)
  }
}

/**
 * The runs of a worker. An array, because a `Set` with as many deletions as insertions allocates a new table every few runs. An old table
 * keeps all later ones, with their runs, alive until a full garbage collection.
 */
export class ActiveRuns {
  readonly #runs: ActiveRun[] = []

  get size(): number {
    return this.#runs.length
  }

  add(run: ActiveRun): void {
    run.position = this.#runs.push(run) - 1
  }

  delete(run: ActiveRun): void {
    const last = this.#runs.pop()
    if (last === undefined || last === run || run.position === undefined) return
    this.#runs[run.position] = last
    last.position = run.position
  }

  all(): ActiveRun[] {
    return [...this.#runs]
  }
}

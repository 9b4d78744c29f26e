import { WaitingError, Worker, type IQueueBackend, type Job, type JobJson } from 'bullmq'
import { keepContact, type BrokerContact } from '../connection/broker-contact.ts'
import type { JobData } from '../jobs/job-fields.ts'
import { isTransientError } from '../connection/transient-error.ts'
import { pauseAfter, untilAccepted } from '../connection/until-accepted.ts'

type Data = Partial<JobData> | null
type BullmqWorker = Worker<Data, unknown, string, IQueueBackend>
type NextJob = ReturnType<BullmqWorker['handleCompleted']>

/**
 * BullMQ's worker releases a run's lock before it reports the outcome, and turns a success that the broker refused into a failed attempt.
 * This one keeps outcome and lock, and retries the report until it is accepted or the worker is abandoned.
 */
export class PersistentWorker extends Worker<Data, unknown, string, IQueueBackend> {
  declare contact: BrokerContact
  /** Executions it took whose outcome the broker has not accepted yet. */
  held = 0
  readonly #givenUp = new Set<string>()

  /** Called by BullMQ's constructor. */
  protected override createBackend(): void {
    super.createBackend()
    const { backend } = this
    this.contact = keepContact(backend)
    // If this were refused once, the schedule would have no next run, and the run just taken would stall.
    const { updateJobSchedulerNextMillis } = backend
    backend.updateJobSchedulerNextMillis = (...args) =>
      this.untilAccepted(() => updateJobSchedulerNextMillis.apply(backend, args))
  }

  /**
   * BullMQ would throw on data that is not JSON and leave the job to stall again and again. Without its data, it fails as a job that is not
   * ours.
   */
  protected override createJob(json: JobJson, jobId: string): Job<Data, unknown, string> {
    try {
      return super.createJob(json, jobId)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return super.createJob({ ...json, data: '{}' }, jobId)
    }
  }

  /** Retries a call of this worker while the broker refuses it; rejects with the refusal once the worker is abandoned. */
  untilAccepted<Result>(call: () => Promise<Result>): Promise<Result> {
    return untilAccepted(call, this.contact.abandoned.signal, error => { this.emit('error', error as Error) })
  }

  /**
   * Whether this worker runs the execution, or gave up reporting its outcome. An execution that it gave up only ends by counting as lost.
   */
  holds(executionId: string, token: string): boolean {
    return this.lockManager.getTrackedJobIds().includes(executionId) || this.#givenUp.has(`${executionId} ${token}`)
  }

  #giveUp(executionId: string, token: string): void {
    if (this.#givenUp.size >= MAX_GIVEN_UP) this.#givenUp.clear()
    this.#givenUp.add(`${executionId} ${token}`)
  }

  override async processJob(...run: Parameters<BullmqWorker['processJob']>): ReturnType<BullmqWorker['processJob']> {
    this.held++
    try {
      return await super.processJob(...run)
    } finally {
      this.held--
    }
  }

  // Hot path: an async function would cost every execution more.
  protected override handleCompleted(...report: Parameters<BullmqWorker['handleCompleted']>): NextJob {
    return super.handleCompleted(...report).catch(error =>
      this.#reportAgain(error, report[1], report[2], () => super.handleCompleted(...report)))
  }

  protected override handleFailed(...report: Parameters<BullmqWorker['handleFailed']>): NextJob {
    const [failure, job, token] = report
    // Already handed back: only ask for the next execution.
    if (failure instanceof WaitingError) return super.handleFailed(...report)
    const stacks = job.stacktrace?.length ?? 0
    const handle = (): NextJob => super.handleFailed(...report).catch(error => {
      // Each report adds the stack again.
      job.stacktrace?.splice(stacks)
      throw error
    })
    return handle().catch(error => this.#reportAgain(error, job, token, handle))
  }

  /** Keeps the lock of a taken run while its schedule's next run is planned, however long that is refused. */
  protected override async nextJobFromJobData(
    ...[data, id, token]: Parameters<BullmqWorker['nextJobFromJobData']>
  ): ReturnType<BullmqWorker['nextJobFromJobData']> {
    if (!data?.repeatJobKey) return await super.nextJobFromJobData(data, id, token)
    const begun = performance.now()
    this.lockManager.trackJob(id!, token!, Date.now())
    const job = await super.nextJobFromJobData(data, id, token)
    const isOurs = job !== undefined && (performance.now() - begun < this.opts.lockDuration! / 2 || await this.#hasLock(id!, token!))
    if (isOurs) return job
    this.lockManager.untrackJob(id!)
    this.#giveUp(id!, token!)
    return undefined as never
  }

  async #reportAgain(refusal: unknown, job: Job, token: string, report: () => NextJob): Promise<Awaited<NextJob>> {
    let error = refusal
    for (let refusals = 0; ; refusals++) {
      const isRefused = isTransientError(error)
      if (isRefused) {
        this.lockManager.trackJob(job.id!, token, job.processedOn ?? Date.now())
        this.emit('error', error as Error)
        await pauseAfter(refusals, { signal: this.contact.abandoned.signal })
        // The stalled check gives it to another worker; here it is neither a success nor a failure.
        if (this.contact.abandoned.signal.aborted) return undefined as never
      } else if (!isLockGone(error) || !await this.#hasLock(job.id!, token)) {
        // The report was accepted but its response was lost, or another worker has the execution. Nothing is left to report.
        if (refusals > 0 && isSettled(error)) return undefined as never
        this.#giveUp(job.id!, token)
        throw error
      }
      try {
        const next = await report()
        this.lockManager.untrackJob(job.id!)
        return next
      } catch (again) {
        error = again
      }
    }
  }

  /** Hands a run back to its queue and retries while that is refused. An abandoned worker leaves the run to stall. */
  async handBack(job: Job, token: string): Promise<never> {
    await this.untilAccepted(() => job.moveToWait(token)).catch((error: unknown) => {
      this.#giveUp(job.id!, token)
      this.emit('error', error as Error)
    })
    throw new WaitingError()
  }

  /** The lock may have expired while no one could renew it. Take it again unless someone else has the execution. */
  #hasLock(executionId: string, token: string): Promise<boolean> {
    return this.untilAccepted(() => this.extendJobLocks([executionId], [token], this.opts.lockDuration!))
      .then(lost => lost.length === 0, () => false)
  }

  /** For a worker whose broker is down: `close()` would never finish, and its timers would keep the process alive. */
  abandon(): void {
    this.contact.abandoned.abort()
    void this.lockManager.close()
    // The stalled checker sleeps between its rounds. BullMQ only wakes it at the end of `close()`.
    ;(this as unknown as { stalledCheckStopper?: () => void }).stalledCheckStopper?.()
  }
}

const MAX_GIVEN_UP = 1_000

/** BullMQ's codes, the same on every store: no such job, no lock, not active, lock of another worker. */
const GONE = -1
const NO_LOCK = -2
const NOT_ACTIVE = -3
const LOCK_OF_ANOTHER = -6

function isLockGone(error: unknown): boolean {
  return codeOf(error) === NO_LOCK
}

function isSettled(error: unknown): boolean {
  return [GONE, NO_LOCK, NOT_ACTIVE, LOCK_OF_ANOTHER].includes(codeOf(error))
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'code' in error ? Number(error.code) : NaN
}

import { createTaskDashboardError } from '../../../errors.ts'
import type { ObservedQueue } from '../observed-queue.ts'
import type { PriorityOutcome } from './change-priority.ts'
import type { PlanOutcome, RunOutcome } from './plan-scheduler.ts'
import type { RemoveOutcome } from './remove-job.ts'
import type { RetryOutcome } from './retry-job.ts'

/**
 * Changes existing queues. Each change is one atomic step, made as the owner's version of BullMQ would make it. Rejects with
 * BROKER_UNAVAILABLE or STORE_REFUSED, and with CONFLICT if the owner's version is not known.
 */
export interface ManagedQueues {
  retry(queue: ObservedQueue, jobId: string, failedAt: number): Promise<RetryOutcome>
  remove(queue: ObservedQueue, jobId: string): Promise<RemoveOutcome>
  /** Does nothing if the queue has a job with this id. */
  add(queue: ObservedQueue, job: NewJob): Promise<void>
  changePriority(queue: ObservedQueue, jobId: string, priority: number): Promise<PriorityOutcome>
  pause(queue: ObservedQueue): Promise<void>
  resume(queue: ObservedQueue): Promise<void>
  plan(queue: ObservedQueue, schedulerId: string, change: PlanChange): Promise<PlanOutcome>
  run(queue: ObservedQueue, schedulerId: string, run: RunOfScheduler): Promise<RunOutcome>
}

/** A job to add. */
export interface NewJob {
  readonly jobId: string
  readonly name: string
  /** As JSON. */
  readonly data: string
  /** Milliseconds since the epoch, by the server's clock. */
  readonly now: number
  readonly delayMs: number
  /** 0: none. */
  readonly priority: number
}

/** A change to a job scheduler. Times are in milliseconds since the epoch. */
export interface PlanChange {
  /** When its next run is planned, as it was read. */
  readonly plannedAt: number
  readonly to: number
  readonly now: number
  /** Options of the job of that run: as they were read, and the new ones. Default: unchanged. */
  readonly opts?: { readonly known: string; readonly next: string }
  /** As JSON. Default: unchanged. */
  readonly data?: string
  /** Fields of the scheduler; null removes one. Default: unchanged. */
  readonly fields?: Readonly<Record<string, string | null>>
}

export interface RunOfScheduler {
  readonly jobId: string
  readonly now: number
  /** Options of the scheduler's template as they were read; '' if there are none. */
  readonly knownOpts: string
  readonly opts: string
  readonly priority: number
}

/** Chooses the implementation by the kind of a queue's server. */
export function managedByKind(of: Readonly<Record<ObservedQueue['server']['kind'], ManagedQueues>>): ManagedQueues {
  const kindOf = ({ server }: ObservedQueue): ManagedQueues => of[server.kind]
  return {
    retry: (queue, ...rest) => kindOf(queue).retry(queue, ...rest),
    remove: (queue, ...rest) => kindOf(queue).remove(queue, ...rest),
    add: (queue, ...rest) => kindOf(queue).add(queue, ...rest),
    changePriority: (queue, ...rest) => kindOf(queue).changePriority(queue, ...rest),
    pause: queue => kindOf(queue).pause(queue),
    resume: queue => kindOf(queue).resume(queue),
    plan: (queue, ...rest) => kindOf(queue).plan(queue, ...rest),
    run: (queue, ...rest) => kindOf(queue).run(queue, ...rest)
  }
}

/** As JSON, as `queue.add()` stores them. */
export function jobOptionsOf({ jobId, delayMs, priority }: NewJob): string {
  return JSON.stringify({ attempts: 0, jobId, ...delayMs > 0 && { delay: delayMs }, ...priority > 0 && { priority } })
}

export function otherVersion({ taskName }: ObservedQueue): Error {
  return createTaskDashboardError('CONFLICT', [
    `The queue "${taskName}" was last opened by a version of BullMQ that is neither 5 nor 6, or unknown: use the code that owns it`
  ])
}

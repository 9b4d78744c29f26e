import type { BackoffOptions, Job } from 'bullmq'
import { delayAfter, type Backoff } from '../../time/backoff.ts'

/** BullMQ's own `exponential` has no cap. */
const EXPONENTIAL = 'capped-exponential'

interface JobBackoff extends BackoffOptions {
  maxDelay?: number
}

/** In the form of a job's options. */
export function toJobBackoff({ type, delayMs, maxDelayMs, jitter }: Backoff): JobBackoff {
  const common = { delay: delayMs, ...(jitter > 0 && { jitter }) }
  return type === 'fixed' ? { type, ...common } : { type: EXPONENTIAL, ...common, maxDelay: maxDelayMs }
}

/**
 * BullMQ's `backoffStrategy`. It is called for every type that BullMQ does not know, so never for `fixed`. A job of other code may name an
 * unknown type; its delay is used.
 */
export function jobBackoffStrategy(
  failures: number, type: string | undefined, _error: Error | undefined, job: Pick<Job, 'opts'> | undefined
): number {
  const backoff = job?.opts.backoff
  const { delay = 0, jitter = 0, maxDelay = delay }: Partial<JobBackoff> = typeof backoff === 'object' ? backoff : {}
  const ms = delayAfter(failures, { type: type === EXPONENTIAL ? 'exponential' : 'fixed', delayMs: delay, maxDelayMs: maxDelay, jitter })
  // -1 means "do not retry", and options of other code may hold anything.
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0
}

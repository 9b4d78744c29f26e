import type { ConnectionOptions, Job, JobsOptions } from 'bullmq'
import { FlowProducer as FlowProducer6, Queue as Queue6, Worker as Worker6 } from 'bullmq'
import { FlowProducer as FlowProducer5, Queue as Queue5, Worker as Worker5 } from 'bullmq5'
import type { TestScope } from '../servers/stores.ts'
import { waitFor } from '../wait-for.ts'

/** The BullMQ classes of queue owners, by major version. The types of 6 fit everything that tests use of 5. */
export const OWNERS = {
  5: { Queue: Queue5 as unknown as typeof Queue6, Worker: Worker5 as unknown as typeof Worker6, FlowProducer: FlowProducer5 as unknown as
    typeof FlowProducer6 },
  6: { Queue: Queue6, Worker: Worker6, FlowProducer: FlowProducer6 }
} as const
export type Major = keyof typeof OWNERS

/** Options for BullMQ from the URL of a test server. */
export function connectionOf(url: string): ConnectionOptions & { host: string; port: number; db: number } {
  const { hostname, port, pathname } = new URL(url)
  return { host: hostname, port: Number(port), db: Number(pathname.slice(1) || 0), maxRetriesPerRequest: null }
}

/** A queue of an owner; closed when the test ends. */
export function openQueue(t: TestScope, major: Major, name: string, url: string, options: object = {}): Queue6 {
  const queue = new OWNERS[major].Queue(name, { connection: connectionOf(url), ...options })
  queue.on('error', () => {})
  t.teardown(() => queue.close())
  return queue
}

/** Waits until a queue can be found. BullMQ stores it a moment after the queue is ready. */
export async function untilStored(queue: Queue6): Promise<void> {
  await waitFor('the queue to be stored', async () => (await queue.getVersion()) !== null)
}

/** What a worker says about a job that ended for good. */
export interface Outcome {
  readonly jobId: string
  readonly name: string
  readonly status: 'success' | 'failed'
  readonly startedAt: number
  readonly finishedAt: number
}

/**
 * A worker of an owner that does what the data says: waits `ms`, logs, then fails or returns.
 * @returns its own log of what ended
 */
export function startOwnersWorker(
  t: TestScope, major: Major, name: string, url: string, options: object = {}
): { readonly outcomes: Outcome[]; readonly worker: Worker6; close(): Promise<void> } {
  const outcomes: Outcome[] = []
  const worker = new OWNERS[major].Worker(name, async (job: Job<{ ms?: number; fail?: boolean; to?: unknown }>) => {
    if (job.data.ms) await new Promise(resolve => { setTimeout(resolve, job.data.ms) })
    if (job.data.fail) throw new TypeError(`cannot send ${String(job.data.to)}`)
    return { sent: job.data.to }
  }, { connection: connectionOf(url), concurrency: 5, ...options })
  worker.on('error', () => {})
  const note = (job: Job, status: Outcome['status']) => {
    outcomes.push({ jobId: job.id!, name: job.name, status, startedAt: job.processedOn!, finishedAt: job.finishedOn! })
  }
  worker.on('completed', job => note(job, 'success'))
  worker.on('failed', job => { if (job?.finishedOn) note(job, 'failed') })
  const close = () => worker.close()
  t.teardown(close)
  return { outcomes, worker, close }
}

export type { Job, JobsOptions }

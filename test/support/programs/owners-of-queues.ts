import type { ConnectionOptions, Job, JobsOptions } from 'bullmq'
import { createPostgresBackend, FlowProducer as FlowProducer6, Queue as Queue6, Worker as Worker6 } from 'bullmq'
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

/** Options for BullMQ from the URL of a Redis. */
export function connectionOf(url: string): ConnectionOptions & { host: string; port: number; db: number } {
  const { hostname, port, pathname } = new URL(url)
  return { host: hostname, port: Number(port), db: Number(pathname.slice(1) || 0), maxRetriesPerRequest: null }
}

/** The same from the URL of any test server, and what BullMQ 6 needs to use PostgreSQL. */
function placeOf(url: string): readonly [{ readonly connection: ConnectionOptions }, ...never[]] {
  if (!url.startsWith('postgres')) return [{ connection: connectionOf(url) }]
  // The types of BullMQ 5 know no backend.
  const backend: readonly unknown[] = [createPostgresBackend]
  return [{ connection: { connectionString: url, migrate: true } }, ...backend as never[]]
}

/** A queue of an owner, on Redis or PostgreSQL; closed when the test ends. */
export function openQueue(t: TestScope, major: Major, name: string, url: string, options: object = {}): Queue6 {
  const [place, ...backend] = placeOf(url)
  const queue = new OWNERS[major].Queue(name, { ...place, ...options }, ...backend)
  queue.on('error', () => {})
  t.teardown(() => queue.close())
  return queue
}

/** What an owner adds flows with; closed when the test ends. */
export function openFlow(t: TestScope, major: Major, url: string, options: object = {}): FlowProducer6 {
  const [place, ...backend] = placeOf(url)
  const flow = new OWNERS[major].FlowProducer({ ...place, ...options }, ...backend)
  flow.on('error', () => {})
  t.teardown(() => flow.close())
  return flow
}

/** Waits until a queue can be found. BullMQ stores it a moment after the queue is ready. */
export async function untilStored(queue: Queue6): Promise<void> {
  await waitFor('the queue to be stored', async () => (await queue.getVersion()) !== null)
}

/** What a worker says about a job that ended for good. Times are those of its clock. */
export interface Outcome {
  readonly jobId: string
  readonly name: string
  readonly status: 'success' | 'failed'
  readonly attempts: number
  /** From when it could start for the first time, and when it did. */
  readonly dueAt: number
  readonly firstStartedAt: number
  /** Start and end of the last attempt. */
  readonly startedAt: number
  readonly finishedAt: number
  readonly priority: number
  /** Its job scheduler; null if none. */
  readonly schedulerId: string | null
  /** The message of its error; null if it succeeded. */
  readonly error: string | null
  readonly logs: readonly string[]
}

export interface OwnersWorker {
  /** Its own log of what ended. */
  readonly outcomes: Outcome[]
  readonly worker: Worker6
  /** Ends the jobs that are held. */
  release(): void
  close(): Promise<void>
}

/** What a worker of an owner does with a job: it logs, waits `ms`, or until it is released, then fails or returns. */
interface OwnersJob {
  readonly to?: unknown
  readonly ms?: number
  /** What the first attempt logs. */
  readonly log?: string
  readonly isHeld?: boolean
  /** Every attempt fails. */
  readonly fail?: boolean
  /** So many first attempts fail. */
  readonly failures?: number
}

/** A worker of an owner, on Redis or PostgreSQL; closed when the test ends. */
export function startOwnersWorker(t: TestScope, major: Major, name: string, url: string, options: object = {}): OwnersWorker {
  const outcomes: Outcome[] = []
  const firstStarts = new Map<string, number>()
  let release = () => {}
  const released = new Promise<void>(resolve => { release = resolve })
  const [place, ...backend] = placeOf(url)
  const worker = new OWNERS[major].Worker(name, async (job: Job<OwnersJob>) => {
    const { ms, log, isHeld, fail, failures = 0, to } = job.data
    if (job.attemptsStarted <= 1) firstStarts.set(job.id!, job.processedOn!)
    if (log !== undefined && job.attemptsMade === 0) await job.log(log)
    if (ms) await new Promise(resolve => { setTimeout(resolve, ms) })
    if (isHeld) await released
    if (fail || job.attemptsMade < failures) throw new TypeError(`cannot send ${String(to)}`)
    return { sent: to }
  }, { ...place, concurrency: 5, ...options }, ...backend)
  worker.on('error', () => {})
  const note = (job: Job, status: Outcome['status']) => {
    const plannedFor = job.repeatJobKey === undefined ? undefined : Number(/:(\d+)$/.exec(job.id!)?.[1])
    outcomes.push({
      jobId: job.id!, name: job.name, status, attempts: job.attemptsMade, dueAt: plannedFor ?? job.timestamp + (job.opts.delay ?? 0),
      firstStartedAt: firstStarts.get(job.id!) ?? job.processedOn!, startedAt: job.processedOn!, finishedAt: job.finishedOn!,
      priority: job.priority, schedulerId: job.repeatJobKey ?? null, error: status === 'failed' ? job.failedReason : null,
      logs: job.data.log === undefined ? [] : [job.data.log]
    })
  }
  worker.on('completed', job => note(job, 'success'))
  worker.on('failed', job => { if (job?.finishedOn) note(job, 'failed') })
  const close = async () => {
    release()
    await worker.close()
  }
  t.teardown(close)
  return { outcomes, worker, release, close }
}

export type { Job, JobsOptions }

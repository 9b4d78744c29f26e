import { forgetOldest } from '../../collections/forget-oldest.ts'
import type { FinishedExecution, FinishedReference } from '../../execution.ts'
import { readFinished, readInBatches } from '../finished/finished-jobs.ts'
import { PER_QUEUE, type FinishedJob, type FinishedState } from '../finished/finished-sets.ts'
import type { Engine } from '../engine.ts'
import { executionDetailFromObserved, withListedFinish } from './observed-job.ts'
import { finishedIdOf, readObservedId } from './observed-id.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { FinishedOf } from './observed-server.ts'

interface Dependencies {
  readonly queueOf: (taskName: string) => ObservedQueue | undefined
  /** Puts a deadline on each call. */
  readonly request: <Result>(work: () => Promise<Result>) => Promise<Result>
}

const STATES: readonly FinishedState[] = ['completed', 'failed']
/** How many ids `moved` keeps. A job that is not in it is read again in each pass. */
const MAX_MOVED = 100_000

/** Reads finished jobs that observed queues still hold. Never removes them. */
export function createObservedFinished(
  { queueOf, request }: Dependencies
): Pick<Engine, 'finishedSince' | 'newestFinished' | 'readFinished'> {
  /**
   * For jobs whose queue lists them at a time that differs from their own finish time: the id with their own time, by the id with the time
   * of the list. The history has the former, because events lead to it too.
   */
  const moved = new Map<string, string>()
  const withOwnIds = (jobs: readonly FinishedJob[]): readonly FinishedJob[] =>
    moved.size === 0 ? jobs : jobs.map(job => ({ ...job, id: moved.get(job.id) ?? job.id }))
  const read = async (jobs: readonly FinishedJob[]) => (await Promise.all(jobs.map(job => request(() => readOne(job))))).flat()

  async function readOne({ queueName, id, state }: FinishedJob) {
    const queue = queueOf(queueName)
    const execution = queue === undefined ? null : await readFinishedJob(queue, id, state) ?? await readMoved(queue, id, state)
    // `readInBatches` estimates the size of a batch from these fields.
    return execution === null ? [] : [{ job: { data: { args: textOf(execution.args) }, returnvalue: textOf(execution.result) }, execution }]
  }

  async function readMoved(queue: ObservedQueue, id: string, state: FinishedState): Promise<FinishedExecution | null> {
    const ownId = await ownIdOf(queue, id, state)
    if (ownId === null) return null
    moved.set(id, ownId)
    forgetOldest(moved, MAX_MOVED)
    return await readFinishedJob(queue, ownId, state)
  }

  return {
    async * finishedSince(taskName, sinceMs, missing) {
      const queue = queueOf(taskName)
      if (queue === undefined) return
      const asked = new Set<string>()
      const batches = readFinished({
        sinceMs, read,
        page: (state, start, size) => request(async () => withOwnIds(await page(queue, state, start, size))),
        async missing(ids) {
          const found = await missing(ids)
          for (const id of found) asked.add(id)
          return found
        }
      })
      for await (const executions of batches) {
        // Most ids were looked up in the history before their jobs were read. Those of jobs with another time are only known now.
        const unasked = executions.map(({ executionId }) => executionId).filter(id => !asked.has(id))
        const added = new Set(unasked.length === 0 ? [] : await missing(unasked))
        const wanted = executions.filter(({ executionId }) => asked.has(executionId) || added.has(executionId))
        if (wanted.length > 0) yield wanted
      }
    },
    newestFinished: queries => request(() => Promise.all(queries.map(async ({ taskName, sinceMs }) => {
      const queue = queueOf(taskName)
      if (queue === undefined) return { executions: [], isAll: true }
      const lists = await Promise.all(STATES.map(async state => withOwnIds(await newest(queue, state, sinceMs))))
      return {
        executions: lists.flatMap(jobs => jobs.slice(0, PER_QUEUE)).map(toObservedReference),
        isAll: lists.every(jobs => jobs.length <= PER_QUEUE)
      }
    }))),
    readFinished: references => readInBatches(references.map(({ taskName, executionId, status, finishedAt }) => ({
      queueName: taskName, id: executionId, state: status === 'success' ? 'completed' as const : 'failed' as const, finishedOn: finishedAt
    })), read, async ids => ids)
  }
}

/** Null if the job is gone, or has run again since. */
export async function readFinishedJob(queue: ObservedQueue, executionId: string, state: FinishedState): Promise<FinishedExecution | null> {
  const [id] = readObservedId(executionId)
  if (id === undefined || id.finishedOn === null) return null
  const { jobs } = queue.server
  const job = await jobs.read(queue, id.jobId)
  if (job === null) return null
  const listedAt = (): Promise<number | null> => jobs.listedAt(queue, state, id.jobId)
  if ((job.finishedOn ?? await listedAt()) !== id.finishedOn) return null
  const payload = await jobs.payload(queue, id.jobId)
  // Its owner may have removed the job between the two reads. The payload would then be empty.
  const [last] = job.finishedOn === null ? [await listedAt()] : await jobs.finishedOn([{ queue, jobId: id.jobId }])
  if (last instanceof Error) throw last
  if (last !== id.finishedOn) return null
  const finished = job.finishedOn === null ? withListedFinish(job, id.finishedOn) : job
  return executionDetailFromObserved(finished, state, payload) as FinishedExecution
}

/**
 * The id of the execution of a job that its queue lists at the time in `id`, although the job has another time. Null if there is no such
 * job: it is gone, or has run again since.
 */
async function ownIdOf(queue: ObservedQueue, id: string, state: FinishedState): Promise<string | null> {
  const [listed] = readObservedId(id)
  if (listed === undefined || listed.finishedOn === null) return null
  const { jobId } = listed
  const { jobs } = queue.server
  const [finishedOn = null] = await jobs.finishedOn([{ queue, jobId }])
  if (finishedOn instanceof Error) throw finishedOn
  if (finishedOn === null || finishedOn === listed.finishedOn) return null
  return await jobs.listedAt(queue, state, jobId) === listed.finishedOn ? finishedIdOf(queue.taskName, jobId, finishedOn) : null
}

async function page(queue: ObservedQueue, state: FinishedState, start: number, size: number): Promise<FinishedJob[]> {
  return toJobs(queue, state, await queue.server.queues.finished(queue, state, start, size))
}

async function newest(queue: ObservedQueue, state: FinishedState, sinceMs: number): Promise<FinishedJob[]> {
  return toJobs(queue, state, await queue.server.queues.newestFinished(queue, state, sinceMs, PER_QUEUE + 1))
}

function toJobs({ taskName }: ObservedQueue, state: FinishedState, finished: readonly FinishedOf[]): FinishedJob[] {
  return finished.map(({ jobId, finishedOn }) =>
    ({ queueName: taskName, state, id: finishedIdOf(taskName, jobId, finishedOn), finishedOn }))
}

function toObservedReference({ queueName, id, state, finishedOn }: FinishedJob): FinishedReference {
  return { executionId: id, taskName: queueName, status: state === 'completed' ? 'success' : 'failed', finishedAt: finishedOn }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value) ?? ''
}

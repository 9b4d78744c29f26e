import type { FinishedExecution, FinishedReference } from '../../execution.ts'
import { readFinished, readInBatches } from '../finished/finished-jobs.ts'
import { PER_QUEUE, type FinishedJob, type FinishedState } from '../finished/finished-sets.ts'
import type { Engine } from '../engine.ts'
import { executionDetailFromObserved } from './observed-job.ts'
import { finishedIdOf, readObservedId } from './observed-id.ts'
import { jobKey, type ObservedQueue } from './observed-queue.ts'
import { readJobs, readPayload } from './read-jobs.ts'
import { readKey } from './read-key.ts'

interface Dependencies {
  readonly queueOf: (taskName: string) => ObservedQueue | undefined
  /** Puts a deadline on each call. */
  readonly request: <Result>(work: () => Promise<Result>) => Promise<Result>
}

const STATES: readonly FinishedState[] = ['completed', 'failed']

/** Finished jobs that observed queues still hold. Nothing removes them. */
export function createObservedFinished(
  { queueOf, request }: Dependencies
): Pick<Engine, 'finishedSince' | 'newestFinished' | 'readFinished'> {
  const read = async (jobs: readonly FinishedJob[]) => (await Promise.all(jobs.map(job => request(() => readOne(job))))).flat()

  async function readOne({ queueName, id, state }: FinishedJob) {
    const queue = queueOf(queueName)
    const execution = queue === undefined ? null : await readFinishedJob(queue, id, state)
    // The mapper of batches estimates their size by these fields.
    return execution === null ? [] : [{ job: { data: { args: textOf(execution.args) }, returnvalue: textOf(execution.result) }, execution }]
  }

  return {
    async * finishedSince(taskName, sinceMs, missing) {
      const queue = queueOf(taskName)
      if (queue === undefined) return
      yield * readFinished({ sinceMs, missing, page: (state, start, size) => request(() => page(queue, state, start, size)), read })
    },
    newestFinished: queries => request(() => Promise.all(queries.map(async ({ taskName, sinceMs }) => {
      const queue = queueOf(taskName)
      if (queue === undefined) return { executions: [], isAll: true }
      const lists = await Promise.all(STATES.map(state => newest(queue, state, sinceMs)))
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
  const [job] = await readJobs([{ queue, id: id.jobId, score: null }])
  if (job === null || job === undefined || job.finishedOn !== id.finishedOn) return null
  const payload = await readPayload(queue, id.jobId)
  // Its owner may have removed it in between, and what was read of it then would be empty.
  const finishedOn = await queue.client.read<string | null>('HGET', jobKey(queue, id.jobId), 'finishedOn')
  if (finishedOn === null || Number(finishedOn) !== id.finishedOn) return null
  return executionDetailFromObserved(job, state, payload) as FinishedExecution
}

async function page(queue: ObservedQueue, state: FinishedState, start: number, size: number): Promise<FinishedJob[]> {
  return toJobs(queue, state, await readKey(queue, state, [], 'ZREVRANGE', start, start + size - 1, 'WITHSCORES'))
}

async function newest(queue: ObservedQueue, state: FinishedState, sinceMs: number): Promise<FinishedJob[]> {
  return toJobs(queue, state, await readKey(
    queue, state, [], 'ZREVRANGEBYSCORE', '+inf', sinceMs, 'WITHSCORES', 'LIMIT', 0, PER_QUEUE + 1
  ))
}

function toJobs({ taskName }: ObservedQueue, state: FinishedState, flat: readonly string[]): FinishedJob[] {
  const jobs: FinishedJob[] = []
  for (let index = 0; index < flat.length; index += 2) {
    const finishedOn = Number(flat[index + 1])
    jobs.push({ queueName: taskName, state, id: finishedIdOf(taskName, flat[index]!, finishedOn), finishedOn })
  }
  return jobs
}

function toObservedReference({ queueName, id, state, finishedOn }: FinishedJob): FinishedReference {
  return { executionId: id, taskName: queueName, status: state === 'completed' ? 'success' : 'failed', finishedAt: finishedOn }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value) ?? ''
}

import type { Job, Queue } from 'bullmq'
import type { Store } from '../../stores/store.ts'
import type { Engine } from '../engine.ts'
import { executionOf, readFinished, readInBatches, toJob, toReference, type ReadJobs } from './finished-jobs.ts'
import { createFinishedSets } from './create-finished-sets.ts'
import type { FinishedSets } from './finished-sets.ts'
import { queueNameFromTask, taskFromQueueName } from '../jobs/queue-name.ts'

export interface FinishedExecutionsDependencies {
  readonly store: Store
  readonly queueFor: (taskName: string) => Queue
  readonly readLog: (queue: Queue, job: Job) => Promise<readonly string[]>
  /** Puts a deadline on each call. */
  readonly request: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** The engine's methods for the reconciler and the sweeper. */
export function createFinishedExecutions(
  { store, queueFor, readLog, request }: FinishedExecutionsDependencies
): Pick<Engine, 'finishedSince' | 'newestFinished' | 'finishedBefore' | 'readFinished' | 'removeFinished'> {
  // The store's clients exist only after it is opened.
  let opened: FinishedSets | undefined
  const sets = (): FinishedSets => (opened ??= createFinishedSets(store))

  const read: ReadJobs = async jobs => {
    const found = await Promise.all(jobs.map(async ({ queueName, id, state }) => {
      const queue = queueFor(taskFromQueueName(queueName))
      const job = await request(() => queue.getJob(id)) as Job | undefined
      return job === undefined ? [] : executionOf(job, state, await request(() => readLog(queue, job)))
    }))
    return found.flat()
  }

  return {
    async * finishedSince(taskName, sinceMs, missing) {
      const queueName = queueNameFromTask(taskName)
      yield * readFinished({
        sinceMs, missing, page: (state, start, size) => request(() => sets().page(queueName, state, start, size)), read
      })
    },
    newestFinished: queries => request(async () => {
      const found = await sets().newest(queries.map(({ taskName, sinceMs }) => ({ queueName: queueNameFromTask(taskName), sinceMs })))
      return found.map(({ jobs, isAll }) => ({ executions: jobs.map(toReference), isAll }))
    }),
    finishedBefore: (taskNames, beforeMs, limit) => request(async () => {
      const found = await sets().before(taskNames.map(queueNameFromTask), beforeMs, limit)
      return found.map(toReference)
    }),
    readFinished: references => readInBatches(references.map(toJob), read, async ids => ids),
    removeFinished: (references, beforeMs) => request(async () => {
      const { removed, ofFlows } = await sets().remove(references.map(toJob), beforeMs)
      const released = await Promise.all(ofFlows.map(position => {
        const { taskName, executionId } = references[position]!
        return queueFor(taskName).remove(executionId, { removeChildren: false })
      }))
      return removed + released.reduce((sum, one) => sum + one, 0)
    })
  }
}

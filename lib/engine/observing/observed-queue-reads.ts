import { readByGroup } from '../../collections/read-by-group.ts'
import type { QueueReads, StateCounts, StoredArgs } from '../queues/queue-reads.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { argsFromData, executionFromObserved, type ObservedJob } from './observed-job.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { ObservedServer } from './observed-server.ts'

/** The lists of observed queues, by the names of their tasks. Each server is read by itself, so each part has its own moment. */
export function createObservedQueueReads(queueOf: (taskName: string) => ObservedQueue | undefined): QueueReads<ObservedJob> {
  return {
    executionOf: executionFromObserved,

    async counts({ names }: QueueSelection, now) {
      const found = await ofServers(names.flatMap(name => queueOf(name) ?? []), (server, queues) => server.queues.counts(queues, now))
      return new Map([...found].filter(([, counts]) => holdsAny(counts)))
    },

    async ranges(requests, now) {
      const known = requests.flatMap(request => {
        const queue = queueOf(request.queueName)
        return queue === undefined ? [] : [{ request, queue }]
      })
      const ranges = await readByGroup(known, ({ queue }) => queue.server, (server, ofServer) => server.queues.ranges(ofServer, now))
      const found = new Map(known.map(({ request }, index) => [request, ranges[index]!]))
      return requests.map(request => found.get(request) ?? { jobs: [], next: request.offset, isEnd: true })
    },

    complete: jobs => Promise.all(jobs.map(async job => {
      const queue = queueOf(job.taskName)
      return queue === undefined ? null : await queue.server.jobs.complete(queue, job)
    })),

    args: (jobs, maxBytes) => Promise.all(jobs.map(async ({ queueName, id }): Promise<StoredArgs> => {
      const queue = queueOf(queueName)
      if (queue === undefined) return { args: null, bytes: 0 }
      const { data, bytes } = await queue.server.jobs.data(queue, id, maxBytes)
      if (data === undefined) return { args: undefined, bytes }
      const args = argsFromData(data)
      return { args: args === null ? null : JSON.stringify(args), bytes }
    }))
  }
}

/** What servers tell of their queues, by task. Each is asked once for all of its own. */
export async function ofServers<Value>(
  queues: readonly ObservedQueue[], read: (server: ObservedServer, queues: readonly ObservedQueue[]) => Promise<readonly Value[]>
): Promise<Map<string, Value>> {
  const values = await readByGroup(queues, ({ server }) => server, read)
  return new Map(queues.map(({ taskName }, index) => [taskName, values[index]!]))
}

function holdsAny({ waiting, prioritized, delayed, active, waitingChildren = 0 }: StateCounts): boolean {
  return waiting + prioritized + delayed + active + waitingChildren > 0
}

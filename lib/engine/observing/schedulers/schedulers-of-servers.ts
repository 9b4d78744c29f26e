import type { ObservedQueue } from '../observed-queue.ts'
import type { SchedulerReads } from './scheduler-reads.ts'

/** Reads the schedulers of queues on any server. */
export const SCHEDULERS: SchedulerReads<ObservedQueue> = {
  haveAny: async queues => await queues[0]?.server.schedulers.haveAny(queues) ?? [],
  list: queue => queue.server.schedulers.list(queue),
  find: (queue, id) => queue.server.schedulers.find(queue, id),
  optionsOfNext: (queue, scheduler) => queue.server.schedulers.optionsOfNext(queue, scheduler),
  hasJob: (queue, jobId) => queue.server.jobs.has(queue, jobId),
  now: ({ server }) => server.now(),
  serverOf: ({ server }) => server.identity
}

import type { QueueReads, InFlightState, JobRange, RangeRequest, StateCounts, StoredArgs } from '../queues/queue-reads.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { executionFromObserved, argsFromData, plannedTimeOfJob, type ObservedJob } from './observed-job.ts'
import { jobKey, type ObservedQueue, type QueueKey } from './observed-queue.ts'
import { readJobs, type JobAddress } from './read-jobs.ts'
import { readKey } from './read-key.ts'

/** Ids that one range skips, mostly planned runs, before it returns what it has. */
const PASSED_OVER = 2_000

/** The lists of observed queues, by the names of their tasks. Without scripts, so each command sees its own moment. */
export function createObservedQueueReads(queueOf: (taskName: string) => ObservedQueue | undefined): QueueReads<ObservedJob> {
  return {
    executionOf: executionFromObserved,

    async counts({ names }: QueueSelection, now) {
      const found = await Promise.all(names.map(async name => {
        const queue = queueOf(name)
        return queue === undefined ? null : [name, await countQueue(queue, now)] as const
      }))
      return new Map(found.filter(each => each !== null).filter(([, counts]) => holdsAny(counts)))
    },

    ranges: (requests, now) => Promise.all(requests.map(async request => {
      const queue = queueOf(request.queueName)
      return queue === undefined ? { jobs: [], next: request.offset, isEnd: true } : readRange(queue, request, now)
    })),

    args: (jobs, maxBytes) => Promise.all(jobs.map(async ({ queueName, id }): Promise<StoredArgs> => {
      const queue = queueOf(queueName)
      if (queue === undefined) return { args: null, bytes: 0 }
      const key = jobKey(queue, id)
      const bytes = await queue.client.read<number>('HSTRLEN', key, 'data')
      if (bytes > maxBytes) return { args: undefined, bytes }
      const args = argsFromData(await queue.client.read<string | null>('HGET', key, 'data'))
      return { args: args === null ? null : JSON.stringify(args), bytes }
    }))
  }
}

async function countQueue(queue: ObservedQueue, now: number): Promise<StateCounts> {
  const count = (command: 'LLEN' | 'ZCARD', kind: QueueKey) => readKey(queue, kind, 0, command)
  const [wait, paused, prioritized, delayed, active, waitingChildren, planned] = await Promise.all([
    count('LLEN', 'wait'), count('LLEN', 'paused'), count('ZCARD', 'prioritized'), count('ZCARD', 'delayed'), count('LLEN', 'active'),
    count('ZCARD', 'waiting-children'), readKey(queue, 'repeat', 0, 'ZCOUNT', `(${now}`, '+inf')
  ])
  // BullMQ 5 moves what waits to another list while a queue is paused.
  return { waiting: wait + paused, prioritized, delayed, active, planned: Math.min(planned, delayed), waitingChildren }
}

function holdsAny({ waiting, prioritized, delayed, active, waitingChildren = 0 }: StateCounts): boolean {
  return waiting + prioritized + delayed + active + waitingChildren > 0
}

async function readRange(queue: ObservedQueue, request: RangeRequest, now: number): Promise<JobRange<ObservedJob>> {
  const { state, order, size, from } = request
  const jobs: Array<{ job: ObservedJob; next: number }> = []
  let at = request.offset
  let isEnd = false
  for (let looked = 0; jobs.length < size && !isEnd && looked < PASSED_OVER;) {
    const wanted = looked === 0 ? size : 100
    const ids = await readIds(queue, request, at, wanted)
    isEnd = ids.length < wanted
    looked += ids.length
    const shown = ids.map((each, index) => ({ ...each, next: at + index + 1 }))
      .filter(({ id }) => state !== 'delayed' || (plannedTimeOfJob(id) ?? 0) <= now)
    const found = await readJobs(shown)
    for (const [index, job] of found.entries()) {
      if (job === null || isNear(job, state, order, from)) continue
      if (jobs.length === size) {
        isEnd = false
        break
      }
      jobs.push({ job, next: shown[index]!.next })
    }
    at = jobs.length === size && jobs.at(-1)!.next < at + ids.length ? jobs.at(-1)!.next : at + ids.length
  }
  return { jobs, next: at, isEnd }
}

/** Whether the order puts it before `from`. */
function isNear(job: ObservedJob, state: InFlightState, order: RangeRequest['order'], from: number | null): boolean {
  if (from === null) return false
  const at = state === 'active' && job.processedOn !== null ? job.processedOn : plannedTimeOfJob(job.id) ?? job.timestamp
  return order === 'newest' ? at > from : at < from
}

/** Lists have the newest at their head. */
async function readIds(
  queue: ObservedQueue, { state, order }: Pick<RangeRequest, 'state' | 'order'>, offset: number, size: number
): Promise<JobAddress[]> {
  if (state === 'active' || state === 'waiting') {
    const lists: readonly QueueKey[] = state === 'active' ? ['active'] : ['wait', 'paused']
    const ids = await readLists(queue, lists, order, offset, size)
    return ids.map(id => ({ queue, id, score: null }))
  }
  const flat = await readKey<string[]>(
    queue, state, [], order === 'newest' ? 'ZREVRANGE' : 'ZRANGE', offset, offset + size - 1, 'WITHSCORES'
  )
  const found: JobAddress[] = []
  for (let index = 0; index < flat.length; index += 2)
    found.push({ queue, id: flat[index]!, score: state === 'delayed' ? Number(flat[index + 1]) : null })
  return found
}

/** One list after the other. Usually one of them is empty. */
async function readLists(
  queue: ObservedQueue, kinds: readonly QueueKey[], order: RangeRequest['order'], offset: number, size: number
): Promise<string[]> {
  const ids: string[] = []
  let skipped = offset
  for (const kind of kinds) {
    const left = size - ids.length
    if (left <= 0) break
    const found = order === 'newest'
      ? await readKey<string[]>(queue, kind, [], 'LRANGE', skipped, skipped + left - 1)
      : (await readKey<string[]>(queue, kind, [], 'LRANGE', -skipped - left, -skipped - 1)).reverse()
    ids.push(...found)
    if (found.length < left) skipped = Math.max(0, skipped - await readKey(queue, kind, 0, 'LLEN'))
    if (found.length > 0) skipped = 0
  }
  return ids
}

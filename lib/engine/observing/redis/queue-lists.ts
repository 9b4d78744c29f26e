import { readByGroup } from '../../../collections/read-by-group.ts'
import type { FinishedState } from '../../finished/finished-sets.ts'
import type { InFlightState, JobRange, RangeRequest, StateCounts } from '../../queues/queue-reads.ts'
import { plannedTimeOfJob, type ObservedJob } from '../observed-job.ts'
import type { FinishedOf, QueueSettings } from '../observed-server.ts'
import type { ReadCommand } from '../../../stores/redis/observing/read-commands.ts'
import { readShortFields, type JobAddress } from './read-jobs.ts'
import { hasAny, readKey } from './read-key.ts'
import type { QueueKey, RedisQueue } from './redis-queue.ts'

/** Ids that one range skips, mostly planned runs, before it returns what it has. */
const PASSED_OVER = 2_000

const COUNTS = {
  'wait': 'LLEN', 'paused': 'LLEN', 'prioritized': 'ZCARD', 'delayed': 'ZCARD', 'active': 'LLEN', 'waiting-children': 'ZCARD',
  'repeat': 'ZCOUNT'
} as const satisfies Partial<Record<QueueKey, ReadCommand>>
type Counted = keyof typeof COUNTS
const COUNTED = Object.keys(COUNTS) as Counted[]

/** Each command sees its own moment, unless they are sent together. */
export async function countQueue(queue: RedisQueue, now: number): Promise<StateCounts> {
  const counts = new Map<Counted, number>()
  const count = async (kinds: readonly Counted[]): Promise<void> => {
    await Promise.all(kinds.map(async kind => {
      const found = await readKey(queue, kind, 0, COUNTS[kind], ...kind === 'repeat' ? [`(${now}`, '+inf'] : [])
      if (found > 0) queue.seen.add(kind)
      counts.set(kind, found)
    }))
  }
  const unseen = COUNTED.filter(kind => !queue.seen.has(kind))
  const [isMore] = await Promise.all([hasAny(queue, unseen), count(COUNTED.filter(kind => queue.seen.has(kind)))])
  if (isMore) await count(unseen)
  const of = (kind: Counted): number => counts.get(kind) ?? 0
  return {
    // BullMQ 5 moves what waits to another list while a queue is paused.
    waiting: of('wait') + of('paused'), prioritized: of('prioritized'), delayed: of('delayed'), active: of('active'),
    planned: Math.min(of('repeat'), of('delayed')), waitingChildren: of('waiting-children')
  }
}

/** In which keys the jobs of a state are. */
const LISTS: Readonly<Record<InFlightState, readonly QueueKey[]>> = {
  'waiting': ['wait', 'paused'], 'prioritized': ['prioritized'], 'delayed': ['delayed'], 'active': ['active'],
  'waiting-children': ['waiting-children']
}

/** The jobs lack their long fields. */
export async function rangesOf(
  wanted: ReadonlyArray<{ readonly queue: RedisQueue; readonly request: RangeRequest }>, now: number
): Promise<Array<JobRange<ObservedJob>>> {
  return await readByGroup(wanted, ({ queue }) => queue, (queue, ofQueue) =>
    readRanges(queue, ofQueue.map(({ request }) => request), now))
}

async function readRanges(queue: RedisQueue, requests: readonly RangeRequest[], now: number): Promise<Array<JobRange<ObservedJob>>> {
  const unseen = requests.flatMap(({ state }) => LISTS[state]).filter(kind => !queue.seen.has(kind))
  const isMore = hasAny(queue, unseen)
  return Promise.all(requests.map(async request => {
    const lists = LISTS[request.state]
    const seen = lists.filter(kind => queue.seen.has(kind))
    const read = seen.length < lists.length && await isMore ? lists : seen
    return read.length === 0 ? { jobs: [], next: request.offset, isEnd: true } : readRange(queue, read, request, now)
  }))
}

async function readRange(
  queue: RedisQueue, lists: readonly QueueKey[], request: RangeRequest, now: number
): Promise<JobRange<ObservedJob>> {
  const { state, order, size, from } = request
  const jobs: Array<{ job: ObservedJob; next: number }> = []
  let at = request.offset
  let isEnd = false
  for (let looked = 0; jobs.length < size && !isEnd && looked < PASSED_OVER;) {
    const wanted = looked === 0 ? size : 100
    const ids = await readIds(queue, lists, request, at, wanted)
    isEnd = ids.length < wanted
    looked += ids.length
    const shown = ids.map((each, index) => ({ ...each, next: at + index + 1 }))
      .filter(({ id }) => state !== 'delayed' || (plannedTimeOfJob(id) ?? 0) <= now)
    const found = await readShortFields(shown)
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
  queue: RedisQueue, lists: readonly QueueKey[], { state, order }: Pick<RangeRequest, 'state' | 'order'>, offset: number, size: number
): Promise<JobAddress[]> {
  if (state === 'active' || state === 'waiting') {
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
  queue: RedisQueue, kinds: readonly QueueKey[], order: RangeRequest['order'], offset: number, size: number
): Promise<string[]> {
  const ids: string[] = []
  let skipped = offset
  for (const [index, kind] of kinds.entries()) {
    const left = size - ids.length
    if (left <= 0) break
    const found = order === 'newest'
      ? await readKey<string[]>(queue, kind, [], 'LRANGE', skipped, skipped + left - 1)
      : (await readKey<string[]>(queue, kind, [], 'LRANGE', -skipped - left, -skipped - 1)).reverse()
    ids.push(...found)
    if (found.length < left && index < kinds.length - 1) skipped = Math.max(0, skipped - await readKey(queue, kind, 0, 'LLEN'))
    if (found.length > 0) skipped = 0
  }
  return ids
}

/** BullMQ 5 and 6 both mark a paused queue here; 5 moves its jobs as well. */
export async function readSettings(queue: RedisQueue): Promise<QueueSettings> {
  const [paused, concurrency = null, max = null, duration = null] = await readKey<Array<string | null>>(
    queue, 'meta', [null], 'HMGET', 'paused', 'concurrency', 'max', 'duration'
  )
  return { isPaused: paused !== null && paused !== undefined, concurrency, max, duration }
}

export async function finishedPage(queue: RedisQueue, state: FinishedState, start: number, size: number): Promise<FinishedOf[]> {
  return toFinished(await readKey<string[]>(queue, state, [], 'ZREVRANGE', start, start + size - 1, 'WITHSCORES'))
}

export async function newestFinished(queue: RedisQueue, state: FinishedState, sinceMs: number, limit: number): Promise<FinishedOf[]> {
  return toFinished(await readKey<string[]>(
    queue, state, [], 'ZREVRANGEBYSCORE', '+inf', sinceMs, 'WITHSCORES', 'LIMIT', 0, limit
  ))
}

function toFinished(flat: readonly string[]): FinishedOf[] {
  const finished: FinishedOf[] = []
  for (let index = 0; index < flat.length; index += 2) finished.push({ jobId: flat[index]!, finishedOn: Number(flat[index + 1]) })
  return finished
}

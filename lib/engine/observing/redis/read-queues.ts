import { groupBy } from '../../../collections/group-by.ts'
import { readByGroup } from '../../../collections/read-by-group.ts'
import type { FinishedState } from '../../finished/finished-sets.ts'
import type { InFlightState, JobRange, RangeRequest, StateCounts } from '../../queues/queue-reads.ts'
import { plannedTimeOfJob } from '../../schedulers/planned-job-id.ts'
import { isManagedVersion } from '../managing/managed-versions.ts'
import type { ObservedJob } from '../observed-job.ts'
import type { FinishedOf, QueueSettings } from '../observed-server.ts'
import type { ShortCommand } from '../../../stores/redis/observing/read-together.ts'
import { listedTimeOf } from './listed-at.ts'
import { readShortFields, type JobAddress } from './read-jobs.ts'
import { readKey, readKeys, whichHaveAny, type KeyRead } from './read-key.ts'
import { scoreFrom, type QueueKey, type RedisQueue } from './redis-queue.ts'

/** How many ids one range reads before it returns what it has. It may skip most of them: they are usually planned runs. */
const MAX_PASSED_OVER = 2_000
/** How many ids a range reads at a time after its first read. */
const READ_AFTER_SKIPS = 100

const COUNTS = {
  'wait': 'LLEN', 'paused': 'LLEN', 'prioritized': 'ZCARD', 'delayed': 'ZCARD', 'active': 'LLEN', 'waiting-children': 'ZCARD',
  'repeat': 'ZCOUNT'
} as const satisfies Partial<Record<QueueKey, ShortCommand>>
type Counted = keyof typeof COUNTS
const COUNTED = Object.keys(COUNTS) as Counted[]

/** All queues have the same client. The keys may be read a moment apart. */
export async function countQueues(queues: readonly RedisQueue[], now: number): Promise<StateCounts[]> {
  const counts = new Map(queues.map(queue => [queue, new Map<Counted, number>()]))
  const count = async (reads: ReadonlyArray<readonly [RedisQueue, Counted]>): Promise<void> => {
    const found = await readKeys(reads.map(([queue, kind]): KeyRead<number> =>
      ({ queue, kind, empty: 0, command: COUNTS[kind], ...kind === 'repeat' && { parameters: [`(${now}`, '+inf'] } })))
    for (const [index, [queue, kind]] of reads.entries()) {
      if (found[index]! > 0) queue.seen.add(kind)
      counts.get(queue)!.set(kind, found[index]!)
    }
  }
  const known = queues.flatMap(queue => COUNTED.filter(kind => queue.seen.has(kind)).map(kind => [queue, kind] as const))
  const unseen = queues.map(queue => ({ queue, kinds: COUNTED.filter(kind => !queue.seen.has(kind)) }))
  const [more] = await Promise.all([whichHaveAny(unseen), count(known)])
  await count(unseen.flatMap(({ queue, kinds }) => more.has(queue) ? kinds.map(kind => [queue, kind] as const) : []))
  return queues.map(queue => {
    const of = (kind: Counted): number => counts.get(queue)!.get(kind) ?? 0
    return {
      // BullMQ 5 moves waiting jobs to another list while a queue is paused.
      waiting: of('wait') + of('paused'), prioritized: of('prioritized'), delayed: of('delayed'), active: of('active'),
      planned: Math.min(of('repeat'), of('delayed')), waitingChildren: of('waiting-children')
    }
  })
}

/** The keys that hold the jobs of a state. */
const LISTS: Readonly<Record<InFlightState, readonly QueueKey[]>> = {
  'waiting': ['wait', 'paused'], 'prioritized': ['prioritized'], 'delayed': ['delayed'], 'active': ['active'],
  'waiting-children': ['waiting-children']
}

interface WantedRange { readonly queue: RedisQueue; readonly request: RangeRequest }

/** A range that is being read. */
interface Reading extends WantedRange {
  readonly lists: readonly QueueKey[]
  readonly jobs: Array<{ readonly job: ObservedJob; readonly next: number }>
  at: number
  looked: number
  isEnd: boolean
}

/** The jobs lack their long fields. All queues have the same client. */
export async function readRanges(wanted: readonly WantedRange[], now: number): Promise<Array<JobRange<ObservedJob>>> {
  const more = await whichHaveAny([...groupBy(wanted, ({ queue }) => queue)].map(([queue, ofQueue]) =>
    ({ queue, kinds: ofQueue.flatMap(({ request }) => LISTS[request.state]).filter(kind => !queue.seen.has(kind)) })))
  const ranges = wanted.map(({ queue, request }): Reading => {
    const lists = more.has(queue) ? LISTS[request.state] : LISTS[request.state].filter(kind => queue.seen.has(kind))
    return { queue, request, lists, jobs: [], at: request.offset, looked: 0, isEnd: lists.length === 0 }
  })
  const isOpen = ({ jobs, request, isEnd, looked }: Reading): boolean => jobs.length < request.size && !isEnd && looked < MAX_PASSED_OVER
  for (let open = ranges.filter(isOpen); open.length > 0; open = open.filter(isOpen)) await readOn(open, now)
  return ranges.map(({ jobs, at, isEnd }) => ({ jobs, next: at, isEnd }))
}

/** Reads the next jobs of each range. */
async function readOn(ranges: readonly Reading[], now: number): Promise<void> {
  const ids = await readIds(ranges)
  const shown = ranges.map((range, at) => ids[at]!
    .map((each, index) => ({ ...each, next: range.at + index + 1 }))
    .filter(({ id }) => range.request.state !== 'delayed' || (plannedTimeOfJob(id) ?? 0) <= now))
  const found = await readShortFields(shown.flat())
  let read = 0
  for (const [at, range] of ranges.entries()) {
    take(range, ids[at]!.length, shown[at]!.map(({ next }, index) => ({ job: found[read + index]!, next })))
    read += shown[at]!.length
  }
}

/** @param looked how many ids were read */
function take(range: Reading, looked: number, found: ReadonlyArray<{ readonly job: ObservedJob | null; readonly next: number }>): void {
  const { jobs, request: { state, order, size, from } } = range
  range.isEnd = looked < sizeOf(range)
  range.looked += looked
  for (const { job, next } of found) {
    if (job === null || isNear(job, state, order, from)) continue
    if (jobs.length === size) {
      range.isEnd = false
      break
    }
    jobs.push({ job, next })
  }
  const end = range.at + looked
  range.at = jobs.length === size && jobs.at(-1)!.next < end ? jobs.at(-1)!.next : end
}

function sizeOf({ looked, request }: Reading): number {
  return looked === 0 ? request.size : READ_AFTER_SKIPS
}

/** Whether a job comes before `from` in this order. */
function isNear(job: ObservedJob, state: InFlightState, order: RangeRequest['order'], from: number | null): boolean {
  if (from === null) return false
  const at = state === 'active' && job.processedOn !== null ? job.processedOn : plannedTimeOfJob(job.id) ?? job.timestamp
  return order === 'newest' ? at > from : at < from
}

/** The next ids of each range. */
async function readIds(ranges: readonly Reading[]): Promise<JobAddress[][]> {
  const found = await readByGroup(ranges, ({ lists }) => lists.length === 1, (isSingle, group) => isSingle
    ? readKeys(group.map((range): KeyRead<string[]> =>
      ({ queue: range.queue, kind: range.lists[0]!, empty: [], ...slice(range.request, range.at, sizeOf(range)) })))
    : Promise.all(group.map(readLists)))
  return ranges.map((range, at) => addressesOf(range, found[at]!))
}

/** Lists have the newest at their head. */
function slice({ state, order }: RangeRequest, at: number, size: number): Pick<KeyRead<string[]>, 'command' | 'parameters'> {
  if (state !== 'active' && state !== 'waiting')
    return { command: order === 'newest' ? 'ZREVRANGE' : 'ZRANGE', parameters: [at, at + size - 1, 'WITHSCORES'] }
  return { command: 'LRANGE', parameters: order === 'newest' ? [at, at + size - 1] : [-at - size, -at - 1] }
}

function addressesOf({ queue, request: { state, order } }: Reading, found: readonly string[]): JobAddress[] {
  if (state === 'active' || state === 'waiting')
    return (order === 'newest' ? found : found.toReversed()).map(id => ({ queue, id, score: null }))
  const addresses: JobAddress[] = []
  for (let index = 0; index < found.length; index += 2)
    addresses.push({ queue, id: found[index]!, score: state === 'delayed' ? scoreFrom(found[index + 1]) : null })
  return addresses
}

/** Reads one list after the other, as the server orders them. Usually one of them is empty. */
async function readLists(range: Reading): Promise<string[]> {
  const { queue, lists, request, at } = range
  const size = sizeOf(range)
  const found: string[] = []
  let skipped = at
  for (const [index, kind] of lists.entries()) {
    const left = size - found.length
    if (left <= 0) break
    const { command, parameters = [] } = slice(request, skipped, left)
    const ids = await readKey<string[]>(queue, kind, [], command, ...parameters)
    if (request.order === 'newest') found.push(...ids)
    else found.unshift(...ids)
    if (ids.length < left && index < lists.length - 1) skipped = Math.max(0, skipped - await readKey(queue, kind, 0, 'LLEN'))
    if (ids.length > 0) skipped = 0
  }
  return found
}

/** BullMQ 5 and 6 both mark a paused queue here; 5 moves its jobs as well. All queues have the same client. */
export async function readSettings(queues: readonly RedisQueue[]): Promise<QueueSettings[]> {
  const found = await readKeys(queues.map((queue): KeyRead<Array<string | null>> =>
    ({ queue, kind: 'meta', empty: [null], command: 'HMGET', parameters: ['paused', 'concurrency', 'max', 'duration', 'version'] })))
  return found.map(([paused, concurrency = null, max = null, duration = null, version = null], index) => {
    queues[index]!.noteVersion?.(version)
    return {
      isPaused: paused !== null && paused !== undefined, concurrency, max, duration, isKnownVersion: isManagedVersion(version, 'redis')
    }
  })
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
  for (let index = 0; index < flat.length; index += 2)
    finished.push({ jobId: flat[index]!, finishedOn: listedTimeOf(scoreFrom(flat[index + 1])) })
  return finished
}

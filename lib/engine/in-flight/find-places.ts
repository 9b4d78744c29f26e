import type { Execution } from '../../execution.ts'
import type { InFlightState, JobRange, QueueReads, RangeRequest } from '../queues/queue-reads.ts'
import { anchorOf, type Reached } from './in-flight-cursor.ts'
import { isBeyond } from './in-flight-order.ts'
import type { InFlightQuery } from './in-flight-query.ts'

/**
 * How many jobs are read to find the places of all sources together, and the least and the most for each source, on either side of its
 * place.
 */
const MAX_JOBS_READ = 1_000
const MIN_PER_SOURCE = 50
const MAX_PER_SOURCE = 200
/** The least on the side to which places seldom move. */
const MIN_PER_SELDOM_SIDE = 20

/** Where reading of a source continues. */
interface Place {
  readonly queueName: string
  readonly state: InFlightState
  readonly readTo: number
  /** The job before `readTo`, by `anchorOf`. */
  readonly anchor: number | null
  /** Executions beyond this were not read. */
  readonly seenTo: Reached | null
}

interface Options<Source, Listed> {
  readonly query: Pick<InFlightQuery, 'order'>
  readonly now: number
  readonly size: number
  /** Must stay the same for a source, because PostgreSQL counts offsets from it. */
  fromOf(source: Source): RangeRequest['from']
  executionOf(job: Listed, state: InFlightState): Execution
}

/** What follows in a source, and where the job before it is now; null if that job is gone. */
interface Found<Listed> { readonly range: JobRange<Listed>; readonly place: number | null }

/** Whether a source has not moved. The range begins with the job before its place. */
export function isInPlace<Listed extends { readonly id?: string }>(
  { anchor, readTo }: Place, { jobs: [before] }: JobRange<Listed>
): boolean {
  return anchor === null || before?.next === readTo && anchorOf(before.job.id ?? '') === anchor
}

/**
 * Reads what follows in sources in which jobs came or went before their place. With the newest first, added jobs move the place away from
 * the start. With the oldest first, jobs that workers take move it toward the start. The reverse is rare: jobs are cancelled, or jobs
 * become due before other delayed ones.
 *
 * The job before the place shows where the place is now. If that job is gone, the source steps back over the jobs that were certainly not
 * read. By their times, these are the jobs beyond the position reached. But times do not prove that other jobs were read: delayed and
 * prioritized jobs are in another order, and a job that is retried is in front of newer ones with an old time.
 */
export async function readFromPlaces<Source extends Place, Listed extends { readonly id?: string }>(
  reads: Pick<QueueReads<Listed>, 'ranges'>, sources: readonly Source[],
  { query: { order }, now, size, fromOf, executionOf }: Options<Source, Listed>
): Promise<Map<Source, Found<Listed>>> {
  if (sources.length === 0) return new Map()
  const share = Math.floor(MAX_JOBS_READ / sources.length)
  const [often, seldom] = [MIN_PER_SOURCE, MIN_PER_SELDOM_SIDE].map(least => Math.min(Math.max(share, least), MAX_PER_SOURCE))
  const [back, forth] = order === 'newest' ? [seldom!, often!] : [often!, seldom!]
  const windows = sources.map((source): RangeRequest => {
    const { queueName, state, readTo } = source
    const offset = Math.max(readTo - back, 0)
    return { queueName, state, order, offset, size: readTo - offset + forth + size, from: fromOf(source) }
  })
  const starts = windows.filter(({ offset }) => offset > 0).map((window): RangeRequest => ({ ...window, offset: 0, size }))
  // All ranges are read at one moment, so that nothing moves between the search and what follows.
  const ranges = await reads.ranges([...windows, ...starts], now)
  const startsOf = new Map(starts.map(({ queueName, state }, index) => [`${state}:${queueName}`, ranges[windows.length + index]!]))

  return new Map(sources.map((source, index): [Source, Found<Listed>] => {
    const { queueName, anchor, state, readTo, seenTo } = source
    const window = ranges[index]!
    const { jobs } = window
    type Each = (typeof jobs)[number]
    const isUnseen = ({ job }: Each): boolean => isBeyond(executionOf(job, state), seenTo, { order })
    const before = jobs.findLastIndex(({ next }) => next <= readTo)
    const at = nearestTo(before, jobs, each => anchorOf(each.job.id ?? '') === anchor && !isUnseen(each))
    if (at !== undefined) return [source, { range: startingAt(window, at + 1, size), place: jobs[at]!.next }]
    const lastSeen = jobs.findLastIndex((each, index) => index <= before && !isUnseen(each))
    const start = startsOf.get(`${state}:${queueName}`)
    // If all jobs of the window are unseen, and so is the first of all, then so are those between.
    const isAllUnseen = lastSeen < 0 && start?.jobs[0] !== undefined && isUnseen(start.jobs[0])
    // In a list that is not in time order, the job after the missing one may look as if it was seen. It is better to show it twice than
    // never.
    const first = state === 'waiting' ? lastSeen + 1 : Math.max(Math.min(lastSeen + 1, before), 0)
    return [source, { range: isAllUnseen ? start : startingAt(window, first, size), place: null }]
  }))
}

function nearestTo<Each>(place: number, items: readonly Each[], is: (item: Each) => boolean): number | undefined {
  const found = items.flatMap((item, index) => (is(item) ? [index] : []))
  return found.sort((one, other) => Math.abs(one - place) - Math.abs(other - place))[0]
}

function startingAt<Listed>({ jobs, next, isEnd }: JobRange<Listed>, first: number, size: number): JobRange<Listed> {
  const rest = jobs.slice(first, first + size)
  const isCut = first + size < jobs.length
  return { jobs: rest, next: isCut ? rest.at(-1)!.next : next, isEnd: isEnd && !isCut }
}

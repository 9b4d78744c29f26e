import type { Execution } from '../../execution.ts'
import type { InFlightState, JobRange, QueueReads, RangeRequest } from '../queues/queue-reads.ts'
import { anchorOf, type Reached } from './in-flight-cursor.ts'
import { isBeyond } from './in-flight-order.ts'
import type { InFlightQuery } from './in-flight-query.ts'

/** Jobs that are looked at for the places of all sources together, and the least and the most for each. */
const LOOKED_AT = 1_000
const LEAST = 50
const MOST = 200

/** Where a source continues. */
interface Place {
  readonly queueName: string
  readonly state: InFlightState
  readonly readTo: number
  /** The job before that. */
  readonly anchor: number | null
  /** What is beyond was not read. */
  readonly seenTo: Reached | null
}

interface Options<Listed> {
  readonly query: Pick<InFlightQuery, 'order'>
  readonly now: number
  readonly size: number
  executionOf(job: Listed, state: InFlightState): Execution
}

/** Whether a source is where it was. The range begins with the job before it. */
export function isInPlace<Listed extends { readonly id?: string }>(
  { anchor, readTo }: Place, { jobs: [before] }: JobRange<Listed>
): boolean {
  return anchor === null || before?.next === readTo && anchorOf(before.job.id ?? '') === anchor
}

/**
 * What follows in sources in which jobs came or went before their place. Newest first, jobs that were added move it away from the start,
 * and oldest first, jobs that were taken move it toward the start.
 *
 * The job before the place tells where it is now. It may be gone: then a source goes on at the same offset, and oldest first it steps back
 * over what was certainly not read. Times alone do not tell that: a job that is tried again is in front of newer ones with an old time.
 */
export async function readFromPlaces<Source extends Place, Listed extends { readonly id?: string }>(
  reads: Pick<QueueReads<Listed>, 'ranges'>, sources: readonly Source[], { query: { order }, now, size, executionOf }: Options<Listed>
): Promise<Map<Source, JobRange<Listed>>> {
  if (sources.length === 0) return new Map()
  const most = Math.min(Math.max(Math.floor(LOOKED_AT / sources.length), LEAST), MOST)
  const windows = sources.map(({ queueName, state, readTo }): RangeRequest => {
    const offset = order === 'newest' ? readTo : Math.max(readTo - most, 0)
    return { queueName, state, order, offset, size: (order === 'newest' ? most : readTo - offset) + size, from: null }
  })
  const starts = order === 'newest' ? [] : windows.map((window): RangeRequest => ({ ...window, offset: 0, size }))
  // One moment, so that nothing moves between the search and what follows.
  const ranges = await reads.ranges([...windows, ...starts], now)

  return new Map(sources.map((source, index): [Source, JobRange<Listed>] => {
    const { anchor, state, readTo, seenTo } = source
    const window = ranges[index]!
    const { jobs } = window
    const isAnchor = ({ job }: (typeof jobs)[number]): boolean => anchorOf(job.id ?? '') === anchor
    if (order === 'newest') return [source, startingAt(window, jobs.findIndex(isAnchor) + 1, size)]
    const isUnseen = ({ job }: (typeof jobs)[number]): boolean => isBeyond(executionOf(job, state), seenTo, { order })
    const before = jobs.findLastIndex(({ next }) => next <= readTo)
    const at = jobs.findLastIndex((each, index) => index <= before && isAnchor(each))
    if (at >= 0 || state !== 'waiting') return [source, startingAt(window, (at >= 0 ? at : before) + 1, size)]
    const lastSeen = jobs.findLastIndex((each, index) => index <= before && !isUnseen(each))
    const start = ranges[sources.length + index]!
    // If all of these are unseen, and so is the first of all, those between are too.
    const isAllUnseen = lastSeen < 0 && start.jobs[0] !== undefined && isUnseen(start.jobs[0])
    return [source, isAllUnseen ? start : startingAt(window, lastSeen + 1, size)]
  }))
}

function startingAt<Listed>({ jobs, next, isEnd }: JobRange<Listed>, first: number, size: number): JobRange<Listed> {
  const rest = jobs.slice(first, first + size)
  const isCut = first + size < jobs.length
  return { jobs: rest, next: isCut ? rest.at(-1)!.next : next, isEnd: isEnd && !isCut }
}

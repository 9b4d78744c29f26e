import type { Execution } from '../../execution.ts'
import type { InFlightQuery } from './in-flight-query.ts'
import { anchorOf, sourceKey, type InFlightPosition, type Reached } from './in-flight-cursor.ts'
import { isInPlace, readFromPlaces } from './find-places.ts'
import { compare, comparePlaces, placeOf, timeOf } from './in-flight-order.ts'
import type { JobFields } from '../jobs/job-fields.ts'
import { executionFromJob } from '../jobs/job-mapper.ts'
import {
  PENDING_STATES, RUNNING_STATES, type InFlightState, type JobPlace, type QueueReads, type RangeRequest, type StateCounts
} from '../queues/queue-reads.ts'
import { MAX_CLOCKS_DIFFER_MS } from '../../time/clocks-differ.ts'
import { SECOND_MS } from '../../time/units.ts'

/**
 * On Redis, running executions are listed in the order in which workers took them, but each has a time by its worker's clock. So an
 * execution that was not read yet can sort before one that was, by as much as the clocks differ: assumed to be at least this.
 */
const MIN_CLOCKS_DIFFER_MS = SECOND_MS

/** How much clocks differ, as far as the pages have shown. */
export interface Clocks { differMs: number }

export const UNREAD: unique symbol = Symbol('not read')

export interface Entry<Listed = unknown> {
  execution: Execution
  /** The job as it was listed, while the execution lacks fields that only executions on the page need; null once it is complete. */
  brief: { readonly job: Listed; readonly state: InFlightState } | null
  /** Its job was gone when it was completed. */
  isGone?: boolean
  readonly place: JobPlace
  /** The offset after it. */
  readonly next: number
  /** Undefined if the arguments are too large to read for a list. */
  args: readonly unknown[] | null | undefined | typeof UNREAD
}

/** The jobs of one queue in one state. */
export interface Source<Listed = unknown> {
  readonly queueName: string
  readonly state: InFlightState
  /** Whether it had any jobs when they were counted. */
  readonly isHeld: boolean
  /** Whether the cursor tracks it only by the time reached. */
  readonly isByPosition: boolean
  /** Where to read next. */
  readTo: number
  /** The job before `readTo`, by `anchorOf`; see `readFromPlaces`. Null if it is not known. */
  anchor: number | null
  isEnd: boolean
  /** Read but not used up, next first. */
  readonly buffer: Array<Entry<Listed>>
  /**
   * Running executions only: all ids that were read from `readTo` on. Any of these executions can end and shift those behind it, so they
   * are read again together with what follows.
   */
  readonly known: Set<string>
  /** The furthest time that was read, in the order of the page; null before the first. Running executions only. */
  furthest: number | null
  /** The furthest position that was read, or that earlier pages reached. */
  seenTo: Reached | null
}

/**
 * Opens all states of the queues that hold something, because a counted job may change its state before it is read. Queues with only
 * planned runs are skipped.
 */
export function openSources<Listed>(
  counts: ReadonlyMap<string, StateCounts>, { status }: InFlightQuery, { offsets, anchors, reached, isCut }: InFlightPosition,
  wasAway: (queueName: string) => boolean
): Array<Source<Listed>> {
  const all: readonly InFlightState[] = [...status === 'running' ? [] : PENDING_STATES, ...status === 'pending' ? [] : RUNNING_STATES]
  return [...counts].flatMap(([queueName, ofQueue]) => {
    const states = ofQueue.waitingChildren === undefined ? all.filter(state => state !== 'waiting-children') : all
    const held = states.map(state => heldIn(ofQueue, state))
    return held.some(count => count > 0) ? states.map((state, index) => toSource(queueName, state, held[index]! > 0)) : []
  })

  function toSource(queueName: string, state: InFlightState, isHeld: boolean): Source<Listed> {
    const offset = state === 'active' || offsets.size === 0 ? undefined : offsets.get(sourceKey(queueName, state))
    const isByPosition = state === 'active' || offset === undefined && (isCut || wasAway(queueName))
    const anchor = offset === undefined || offset === 0 ? null : anchors.get(sourceKey(queueName, state)) ?? null
    return {
      queueName, state, isHeld, isByPosition, readTo: offset ?? 0, anchor, isEnd: false, buffer: [], known: new Set(), furthest: null,
      seenTo: reached
    }
  }
}

function heldIn({ delayed, planned, waitingChildren = 0, ...counts }: StateCounts, state: InFlightState): number {
  return state === 'delayed' ? delayed - planned : state === 'waiting-children' ? waitingChildren : counts[state]
}

interface ReadOptions {
  readonly query: InFlightQuery
  readonly now: number
  readonly reached: Reached | null
  readonly clocks: Clocks
  /** Called with where the job before the place of a source is now; null if that job is gone. */
  placed(source: Source, offset: number | null): void
}

/**
 * Reads the next jobs of all sources at one moment.
 * @returns how many were read
 */
export async function refill<Listed extends { readonly id?: string }>(
  reads: QueueReads<Listed>, sources: ReadonlyArray<Source<Listed>>, size: number, options: ReadOptions
): Promise<number> {
  if (sources.length === 0) return 0
  const { query, now, reached, clocks, placed } = options
  const requests = sources.map((source): RangeRequest => {
    const { queueName, state, readTo, known, anchor } = source
    // Known executions are read again, so at least as many new ones are read. This keeps the repeated work a fixed share.
    const more = source.buffer.length > 0 ? Math.max(size, known.size) : size
    const before = anchor === null ? 0 : 1
    return {
      queueName, state, order: query.order, offset: readTo - before, size: known.size + more + before,
      from: nearSideOf(source, query, reached)
    }
  })
  const ranges = await reads.ranges(requests, now)
  const moved = await readFromPlaces(reads, sources.filter((source, index) => !isInPlace(source, ranges[index]!)), {
    query, now, size, fromOf: source => nearSideOf(source, query, reached), executionOf: (job, state) => executionOf(reads, job, state)
  })
  let count = 0
  for (const [index, range] of ranges.entries()) {
    const source = sources[index]!
    const found = moved.get(source)
    if (source.anchor !== null) placed(source, found === undefined ? source.readTo : found.place)
    const { jobs, next, isEnd } = found?.range ?? (source.anchor === null ? range : { ...range, jobs: range.jobs.slice(1) })
    const isShort = jobs.length < requests[index]!.size
    source.isEnd = isEnd
    for (const { job, next } of jobs) {
      if (source.known.has(job.id ?? '')) continue
      source.buffer.push({
        execution: executionOf(reads, job, source.state), brief: reads.complete ? { job, state: source.state } : null,
        place: { queueName: source.queueName, id: job.id ?? '' }, next, args: UNREAD
      })
      if (source.state === 'active') {
        source.known.add(job.id ?? '')
        seeTime(source, timeOf(source.buffer.at(-1)!.execution), query, clocks)
      }
      const place = placeOf(source.buffer.at(-1)!.execution)
      if (source.seenTo === null || comparePlaces(place, source.seenTo, query) > 0) source.seenTo = place
      count++
    }
    if (source.state === 'active') {
      source.buffer.sort((one, other) => compare(one.execution, other.execution, query))
      if (!isShort) continue
      source.known.clear()
    }
    source.readTo = next
    const last = jobs.at(-1)
    source.anchor = source.state === 'active' || last?.next !== next ? null : anchorOf(last.job.id ?? '')
  }
  return count
}

/** A time that sorts before an earlier one shows that clocks differ by at least that much. */
function seeTime(source: Source, at: number, { order }: InFlightQuery, clocks: Clocks): void {
  const differMs = source.furthest === null ? 0 : order === 'newest' ? at - source.furthest : source.furthest - at
  if (differMs <= 0) source.furthest = at
  else clocks.differMs = Math.min(Math.max(clocks.differMs, 2 * Math.ceil(differMs)), MAX_CLOCKS_DIFFER_MS)
}

/** Whether an unread execution of a source can come before `first`. */
export function canPrecede(
  { state, isEnd, buffer, furthest }: Source, first: Execution, { order }: InFlightQuery, clocks: Clocks
): boolean {
  if (state !== 'active' || isEnd || buffer.length === 0 || furthest === null) return false
  const differMs = Math.max(clocks.differMs, MIN_CLOCKS_DIFFER_MS)
  return order === 'newest' ? furthest + differMs >= timeOf(first) : furthest - differMs <= timeOf(first)
}

/** Completes entries. Marks those whose job is gone. */
export async function complete<Listed extends { readonly id?: string }>(
  reads: QueueReads<Listed>, entries: ReadonlyArray<Entry<Listed>>
): Promise<void> {
  const jobs = await reads.complete!(entries.map(({ brief }) => brief!.job))
  for (const [index, entry] of entries.entries()) {
    const job = jobs[index]
    if (job) entry.execution = executionOf(reads, job, entry.brief!.state)
    else entry.isGone = true
    entry.brief = null
  }
}

function executionOf<Listed extends { readonly id?: string }>(reads: QueueReads<Listed>, job: Listed, state: InFlightState): Execution {
  return listed(reads.executionOf?.(job, state) ?? executionFromJob(job as unknown as JobFields, state))
}

/** Sources with a buffered execution, ordered by their first one. */
export function inOrder<Listed>(sources: ReadonlyArray<Source<Listed>>, query: InFlightQuery): Array<Source<Listed>> {
  return sources.toSorted((one, other) => compare(one.buffer[0]!.execution, other.buffer[0]!.execution, query))
}

function listed(execution: Execution): Execution {
  return execution.error === null ? execution : { ...execution, error: { ...execution.error, stack: null } }
}

/** Everything before this was shown already or is outside the time range. */
function nearSideOf({ isByPosition }: Source, { order, from, to }: InFlightQuery, reached: Reached | null): number | null {
  const bounds = [order === 'newest' ? to : from, isByPosition ? reached?.at : undefined].filter(bound => bound !== undefined)
  if (bounds.length === 0) return null
  return order === 'newest' ? Math.min(...bounds) : Math.max(...bounds)
}

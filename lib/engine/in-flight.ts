import type { Execution } from '../execution.ts'
import type { InFlightPage, InFlightQuery } from './engine.ts'
import { CURSOR_SOURCES, decodeCursor, encodeCursor, sourceKey, type InFlightPosition, type Reached } from './in-flight-cursor.ts'
import { argsFromJob, executionFromJob } from './job-mapper.ts'
import { PENDING_STATES, RUNNING_STATES, type InFlightState, type JobPlace, type QueueReads, type StateCounts } from './queue-reads.ts'

/** Executions looked at for one page, beyond the first few of each source, without which nothing can be compared. */
const MAX_READ = 1_000
/** Read of a source at a time, at least. */
const MIN_CHUNK = 5
/** Arguments of one execution, and of all that are looked at for one page. */
const ARGS_MAX_BYTES = 256 * 1024
const ARGS_PAGE_BYTES = 8 * 1024 * 1024
const ARGS_AT_A_TIME = 32

const START: InFlightPosition = { offsets: new Map(), reached: null, isCut: false }

/** Merges the heads of the queues by time, see `Engine.inFlight`. */
export async function listInFlight(reads: QueueReads, queueNames: readonly string[], query: InFlightQuery, now: number): Promise<InFlightPage> {
  const position = query.cursor === undefined ? START : decodeCursor(query.cursor)
  const counts = await reads.counts(queueNames, now)
  const sources = openSources(counts, query, position)
  const budget = { left: MAX_READ, bytes: ARGS_PAGE_BYTES }
  const page = { executions: [] as Execution[], scanned: 0, skipped: 0 }
  let { reached } = position
  const end = (isLast: boolean): InFlightPage => toPage(page, isLast ? null : toPosition(sources, position, reached), query)

  const read = (ofSources: readonly Source[], size: number) => refill(reads, ofSources, size, { query, now, reached: position.reached })
  await readHeads(read, sources, query)
  for (;;) {
    const used = sources.filter(source => source.buffer.length === 0 && !source.isEnd)
    if (used.length > 0) {
      // With more to read but no budget to read it: what follows could belong before the others.
      if (budget.left <= 0) return end(false)
      // Others that come to their end soon are read along with it: not one round trip for each of many sources.
      const wanted = [...used, ...inOrder(sources.filter(source => source.buffer.length === 1 && !source.isEnd), query).slice(0, query.limit)]
      budget.left -= await read(wanted, Math.max(MIN_CHUNK, Math.min(Math.ceil(2 * query.limit / wanted.length), 100)))
      continue
    }
    const source = firstOf(sources, query)
    const entry = source?.buffer[0]
    if (source === undefined || entry === undefined) return end(true)
    if (page.executions.length === query.limit) return end(false)
    const isShown = source.isByPosition && !isBeyond(entry.execution, position.reached, query)
    const isAsked = !isShown && isWithin(entry.execution, query)
    if (isAsked && entry.args === UNREAD && needsArgs(entry.execution, query)) {
      if (budget.bytes <= 0) return end(false)
      budget.bytes -= await readArgs(reads, unreadOf(sources, source, query))
      continue
    }
    source.buffer.shift()
    source.offset = entry.next
    if (isShown) continue
    page.scanned++
    if (reached === null || isBeyond(entry.execution, reached, query)) reached = placeOf(entry.execution)
    if (!isAsked) continue
    const args = entry.args === UNREAD ? null : entry.args
    if (query.isWanted === undefined || query.isWanted(entry.execution, args)) page.executions.push(entry.execution)
    else if (args === undefined) page.skipped++
  }
}

const UNREAD: unique symbol = Symbol('not read')

interface Entry {
  readonly execution: Execution
  readonly place: JobPlace
  /** Offset behind it. */
  readonly next: number
  /** Undefined when they are too large to be read for a list. */
  args: readonly unknown[] | null | undefined | typeof UNREAD
}

interface Source {
  readonly queueName: string
  readonly state: InFlightState
  readonly key: string
  /** Whether the cursor tells of it by the time it reached alone. */
  readonly isByPosition: boolean
  /** When the page began. What came since is newer than all that is on it, or stands on a later page. */
  readonly count: number
  /** Used up. */
  offset: number
  /** Read. */
  readTo: number
  isEnd: boolean
  /** Read and not used up, the next first. */
  readonly buffer: Entry[]
}

/** Of what is there: a queue with nothing but planned runs costs nothing more. */
function openSources(counts: ReadonlyMap<string, StateCounts>, { status }: InFlightQuery, { offsets, isCut }: InFlightPosition): Source[] {
  const states: readonly InFlightState[] = status === 'pending' ? PENDING_STATES : RUNNING_STATES
  return [...counts].flatMap(([queueName, ofQueue]) => states.flatMap((state): Source[] => {
    const count = state === 'delayed' ? ofQueue.delayed - ofQueue.planned : ofQueue[state]
    if (count <= 0) return []
    const key = sourceKey(queueName, state)
    const offset = offsets.get(key)
    const used = offset ?? 0
    return [{ queueName, state, key, count: ofQueue[state], isByPosition: isCut && offset === undefined, offset: used, readTo: used, isEnd: false, buffer: [] }]
  }))
}

/** The first of each source; more only of those which can stand on the page: as many as it has places. */
async function readHeads(read: (sources: readonly Source[], size: number) => Promise<number>, sources: readonly Source[], query: InFlightQuery): Promise<void> {
  if (sources.length <= query.limit) {
    await read(sources, Math.max(MIN_CHUNK, Math.ceil(2 * query.limit / Math.max(sources.length, 1))))
    return
  }
  await read(sources, 1)
  await read(inOrder(sources.filter(source => source.buffer.length > 0 && !source.isEnd), query).slice(0, query.limit), MIN_CHUNK)
}

/** Sources that have something, by the first they have. */
function inOrder(sources: readonly Source[], query: InFlightQuery): Source[] {
  return sources.toSorted((one, other) => compare(one.buffer[0]!.execution, other.buffer[0]!.execution, query))
}

interface ReadOptions { readonly query: InFlightQuery; readonly now: number; readonly reached: Reached | null }

/** @returns how many were read */
async function refill(reads: QueueReads, sources: readonly Source[], size: number, { query, now, reached }: ReadOptions): Promise<number> {
  if (sources.length === 0) return 0
  const ranges = await reads.ranges(sources.map(source => {
    const { queueName, state, readTo } = source
    return { queueName, state, order: query.order, offset: readTo, size, from: nearSideOf(source, query, reached) }
  }), now)
  let count = 0
  for (const [index, { jobs, next, isEnd }] of ranges.entries()) {
    const source = sources[index]!
    source.readTo = next
    source.isEnd = isEnd || next >= source.count
    for (const { job, next } of jobs) {
      const execution = executionFromJob(job, source.state)
      const listed = execution.error === null ? execution : { ...execution, error: { ...execution.error, stack: null } }
      source.buffer.push({ execution: listed, place: { queueName: source.queueName, id: job.id ?? '' }, next, args: UNREAD })
    }
    count += jobs.length
  }
  return count
}

/** What is on the near side of it is out of the time asked for, or was shown. */
function nearSideOf({ isByPosition }: Source, { order, from, to }: InFlightQuery, reached: Reached | null): number | null {
  const bounds = [order === 'newest' ? to : from, isByPosition ? reached?.at : undefined].filter(bound => bound !== undefined)
  if (bounds.length === 0) return null
  return order === 'newest' ? Math.min(...bounds) : Math.max(...bounds)
}

/** Those that come next, of which the arguments are wanted. */
function unreadOf(sources: readonly Source[], first: Source, query: InFlightQuery): Entry[] {
  const others = sources.filter(source => source !== first).flatMap(source => source.buffer.slice(0, MIN_CHUNK))
  return [...first.buffer, ...others]
    .filter(entry => entry.args === UNREAD && isWithin(entry.execution, query) && needsArgs(entry.execution, query))
    .sort((one, other) => compare(one.execution, other.execution, query))
    .slice(0, ARGS_AT_A_TIME)
}

/** @returns bytes that were read */
async function readArgs(reads: QueueReads, entries: readonly Entry[]): Promise<number> {
  const stored = await reads.args(entries.map(({ place }) => place), ARGS_MAX_BYTES)
  let sum = 0
  for (const [index, { args, bytes }] of stored.entries()) {
    entries[index]!.args = args === undefined ? undefined : argsFromJob({ data: args === null ? null : { args } })
    sum += args === undefined ? 0 : bytes
  }
  return sum
}

function needsArgs(execution: Execution, { isWanted, needsArgs }: InFlightQuery): boolean {
  return isWanted !== undefined && (needsArgs?.(execution) ?? true)
}

function isWithin(execution: Execution, { scheduleId, from, to }: InFlightQuery): boolean {
  const at = timeOf(execution)
  return (scheduleId === undefined || execution.scheduleId === scheduleId) && (from === undefined || at >= from) && (to === undefined || at < to)
}

function firstOf(sources: readonly Source[], query: InFlightQuery): Source | undefined {
  let first: Source | undefined
  for (const source of sources) {
    if (source.buffer.length === 0) continue
    if (first === undefined || compare(source.buffer[0]!.execution, first.buffer[0]!.execution, query) < 0) first = source
  }
  return first
}

/** Offsets of what was used up; where there are too many sources, of those that were used up the furthest. */
function toPosition(sources: readonly Source[], before: InFlightPosition, reached: Reached | null): InFlightPosition {
  const offsets = new Map(before.offsets)
  for (const { key, offset, isByPosition } of sources) if (!isByPosition && offset > 0) offsets.set(key, offset)
  if (offsets.size <= CURSOR_SOURCES) return { offsets, reached, isCut: before.isCut }
  const furthest = [...offsets].sort(([, one], [, other]) => other - one).slice(0, CURSOR_SOURCES)
  return { offsets: new Map(furthest), reached, isCut: true }
}

function toPage(page: { executions: Execution[]; scanned: number; skipped: number }, position: InFlightPosition | null, query: InFlightQuery): InFlightPage {
  page.executions.sort((one, other) => compare(one, other, query))
  return { ...page, next: position && encodeCursor(position) }
}

function placeOf(execution: Execution): Reached {
  return { at: timeOf(execution), executionId: execution.executionId }
}

/** Whether it comes after what was reached, in the order asked for. */
function isBeyond(execution: Execution, reached: Reached | null, query: InFlightQuery): boolean {
  return reached === null || comparePlaces(placeOf(execution), reached, query) > 0
}

function compare(one: Execution, other: Execution, query: InFlightQuery): number {
  return comparePlaces(placeOf(one), placeOf(other), query)
}

function comparePlaces(one: Reached, other: Reached, { order }: Pick<InFlightQuery, 'order'>): number {
  const oldestFirst = one.at - other.at || (one.executionId < other.executionId ? -1 : one.executionId > other.executionId ? 1 : 0)
  return order === 'oldest' ? oldestFirst : -oldestFirst
}

function timeOf(execution: Execution): number {
  return execution.status === 'running' ? execution.startedAt ?? execution.submittedAt : execution.submittedAt
}

import type { Execution } from '../../execution.ts'
import type { InFlightPage, InFlightQuery } from './in-flight-query.ts'
import { decodeCursor, type InFlightPosition } from './in-flight-cursor.ts'
import { compare, isBeyond, isWithin, needsArgs, placeOf } from './in-flight-order.ts'
import { createProgress, START } from './in-flight-progress.ts'
import {
  canPrecede, complete, inOrder, openSources, refill, UNREAD, type Clocks, type Entry, type Source
} from './in-flight-sources.ts'
import { argsFromJob } from '../jobs/job-mapper.ts'
import { inFlightOf, type QueueReads, type StateCounts } from '../queues/queue-reads.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'

/** How many executions are read per page, in addition to the first few of each source, without which nothing can be compared. */
const MAX_READ = 1_000
/**
 * How many running executions are read because they may come before others; see `canPrecede`. After that, they come in the order in which
 * they are listed.
 */
const MAX_UNSURE = 5_000
/** Minimum to read from a source at a time. */
const MIN_CHUNK = 5
/** Maximum size of one execution's arguments, and of all arguments read for a page. */
const MAX_SEARCHED_ARGS_BYTES = 256 * 1024
const ARGS_PAGE_BYTES = 8 * 1024 * 1024
/** Time for reading arguments per page: PostgreSQL must decompress them to find out that they are too large. */
const ARGS_PAGE_MS = 300
const ARGS_AT_A_TIME = 32
const COMPLETED_AT_A_TIME = 50

/** Merges the heads of the queues by time; see `Engine.inFlight`. */
export async function listInFlight<Listed extends { readonly id?: string }>(
  reads: QueueReads<Listed>, queues: QueueSelection, query: InFlightQuery, now: number, { position, wasAway }: PageStart = startOf(query)
): Promise<InFlightPage> {
  const counts = await reads.counts(queues, now)
  const sources = openSources<Listed>(counts, query, position, wasAway)
  const budget = { left: MAX_READ, unsure: MAX_UNSURE, bytes: ARGS_PAGE_BYTES, ms: ARGS_PAGE_MS }
  const page = { executions: [] as Execution[], scanned: 0, skipped: 0 }
  const clocks: Clocks = { differMs: position.differMs }
  const seen = new Set<string>()
  const progress = createProgress(position, query, clocks)
  const end = (isLast: boolean): InFlightPage => ({
    ...page, next: isLast ? null : progress.cursorAfter(page.executions.length + 1), after: progress.cursorAfter,
    held: countHeld(counts, query)
  })

  const read = (ofSources: ReadonlyArray<Source<Listed>>, size: number) =>
    refill(reads, ofSources, size, { query, now, reached: position.reached, clocks, placed: progress.placed })
  await readHeads(read, sources, query)
  /** Since the last read. */
  const takenFrom = new Set<Source<Listed>>()
  for (;;) {
    const used = sources.filter(source => source.buffer.length === 0 && !source.isEnd)
    // There is more to read, but no budget left: what follows could come before the others. But each page must get further than the one
    // before.
    if (used.length > 0 && budget.left <= 0 && progress.hasMoved()) return end(false)
    const source = firstOf(sources, query)
    const entry = source?.buffer[0]
    const unsure = entry !== undefined && budget.unsure > 0 && page.executions.length < query.limit
      ? sources.filter(each => canPrecede(each, entry.execution, query, clocks))
      : []
    if (used.length + unsure.length > 0) {
      // If the last executions came from many sources, other sources are about to run out too, and each would take a round trip of its own.
      const others = inOrder(sources.filter(source => source.buffer.length === 1 && !source.isEnd), query)
      const wanted = [...new Set([...used, ...unsure, ...others.slice(0, Math.min(takenFrom.size - 1, query.limit))])]
      takenFrom.clear()
      const count = await read(wanted, Math.max(MIN_CHUNK, Math.min(Math.ceil(2 * query.limit / wanted.length), 100)))
      budget[used.length > 0 ? 'left' : 'unsure'] -= count
      continue
    }
    if (source === undefined || entry === undefined) return end(true)
    if (page.executions.length === query.limit) return end(false)
    const { execution } = entry
    const isShown = source.isByPosition && !isBeyond(execution, position.reached, query)
    // An execution that moved while the page was read can appear twice.
    const isAsked = !isShown && !seen.has(execution.executionId) && isWithin(execution, query)
    if (isAsked && entry.brief !== null) {
      await complete(reads, briefsOf(sources, query))
      continue
    }
    if (isAsked && !entry.isGone && entry.args === UNREAD && needsArgs(execution, query)) {
      if (budget.bytes <= 0 || budget.ms <= 0) return end(false)
      const begun = performance.now()
      budget.bytes -= await readArgs(reads, unreadOf(sources, source, query))
      budget.ms -= performance.now() - begun
      continue
    }
    source.buffer.shift()
    takenFrom.add(source)
    progress.use(source, { jobId: entry.place.id, offset: entry.next }, isShown ? null : placeOf(execution), page.executions.length)
    if (isShown || entry.isGone || seen.has(execution.executionId)) continue
    seen.add(execution.executionId)
    page.scanned++
    if (!isAsked) continue
    const args = entry.args === UNREAD ? null : entry.args
    if (query.isWanted === undefined || query.isWanted(execution, args)) page.executions.push(execution)
    else if (args === undefined) page.skipped++
  }
}

/** Where a page starts. */
export interface PageStart {
  readonly position: InFlightPosition
  /** Whether a queue's server was unavailable when an earlier page was read, so that the position does not include its place. */
  wasAway(queueName: string): boolean
}

function startOf({ cursor }: InFlightQuery): PageStart {
  return { position: cursor === undefined ? START : decodeCursor(cursor), wasAway: () => false }
}

/**
 * Reads the first execution of each source. It reads more only of sources that can be on the page, at most as many as the page has places.
 */
async function readHeads<Listed>(
  read: (sources: ReadonlyArray<Source<Listed>>, size: number) => Promise<number>, sources: ReadonlyArray<Source<Listed>>,
  query: InFlightQuery
): Promise<void> {
  const held = sources.filter(source => source.isHeld).length
  if (held <= query.limit) {
    await read(sources, Math.max(MIN_CHUNK, Math.min(query.limit, Math.ceil(2 * query.limit / Math.max(held, 1)))))
    return
  }
  await read(sources, 1)
  await read(inOrder(sources.filter(source => source.buffer.length > 0 && !source.isEnd), query).slice(0, query.limit), MIN_CHUNK)
}

/**
 * The next entries that are not complete. These are the entries that certainly follow until a source has to be read again, and at least a
 * few.
 */
function briefsOf<Listed>(sources: ReadonlyArray<Source<Listed>>, query: InFlightQuery): Array<Entry<Listed>> {
  const found: Array<Entry<Listed>> = []
  const left = new Map(sources.filter(({ buffer }) => buffer.length > 0).map(source => [source, 0]))
  let isSure = true
  for (let looked = 0; looked < COMPLETED_AT_A_TIME && (isSure || found.length < MIN_CHUNK); looked++) {
    let next: Source<Listed> | undefined
    const headOf = (source: Source<Listed>): Execution => source.buffer[left.get(source)!]!.execution
    for (const source of left.keys()) if (next === undefined || compare(headOf(source), headOf(next), query) < 0) next = source
    if (next === undefined) break
    const at = left.get(next)!
    const entry = next.buffer[at]!
    if (entry.brief !== null && isWithin(entry.execution, query)) found.push(entry)
    if (at + 1 < next.buffer.length) left.set(next, at + 1)
    else {
      left.delete(next)
      isSure &&= next.isEnd
    }
  }
  return found
}

/** The next entries whose arguments are needed. */
function unreadOf<Listed>(sources: ReadonlyArray<Source<Listed>>, first: Source<Listed>, query: InFlightQuery): Array<Entry<Listed>> {
  const others = sources.filter(source => source !== first).flatMap(source => source.buffer.slice(0, MIN_CHUNK))
  return [...first.buffer, ...others]
    .filter(({ args, brief, execution }) =>
      args === UNREAD && brief === null && isWithin(execution, query) && needsArgs(execution, query))
    .sort((one, other) => compare(one.execution, other.execution, query))
    .slice(0, ARGS_AT_A_TIME)
}

/** @returns bytes read */
async function readArgs(reads: Pick<QueueReads, 'args'>, entries: readonly Entry[]): Promise<number> {
  const stored = await reads.args(entries.map(({ place }) => place), MAX_SEARCHED_ARGS_BYTES)
  let sum = 0
  for (const [index, { args, bytes }] of stored.entries()) {
    entries[index]!.args = args === undefined ? undefined : argsFromJob({ data: args === null ? null : { args } })
    sum += args === undefined ? 0 : bytes
  }
  return sum
}

function firstOf<Listed>(sources: ReadonlyArray<Source<Listed>>, query: InFlightQuery): Source<Listed> | undefined {
  let first: Source<Listed> | undefined
  for (const source of sources) {
    if (source.buffer.length === 0) continue
    if (first === undefined || compare(source.buffer[0]!.execution, first.buffer[0]!.execution, query) < 0) first = source
  }
  return first
}

function countHeld(counts: ReadonlyMap<string, StateCounts>, { status }: InFlightQuery): number {
  let sum = 0
  for (const ofQueue of counts.values()) {
    const { pending, running } = inFlightOf(ofQueue)
    sum += status === undefined ? pending + running : status === 'pending' ? pending : running
  }
  return sum
}

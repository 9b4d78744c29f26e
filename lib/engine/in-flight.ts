import type { Job, Queue } from 'bullmq'
import type { Execution } from '../execution.ts'
import type { InFlightCounts, InFlightPage, InFlightQuery } from './engine.ts'
import { decodeCursor, encodeCursor, sourceKey, type Offsets } from './in-flight-cursor.ts'
import { argsFromJob, executionFromJob } from './job-mapper.ts'
import { plannedJobIds } from './schedulers.ts'

const PENDING_STATES = ['waiting', 'prioritized', 'delayed'] as const
const RUNNING_STATES = ['active'] as const
/** Executions looked at for one page, beyond the first few of each source, without which nothing can be compared. */
const MAX_READ = 1_000

type State = (typeof PENDING_STATES)[number] | (typeof RUNNING_STATES)[number]

/** How many jobs of a queue are in each state. */
export interface StateCounts {
  readonly waiting: number
  readonly prioritized: number
  readonly delayed: number
  readonly active: number
  /** Of the delayed ones: runs that a schedule planned and that are not due. */
  readonly planned: number
}

export async function countQueue(queue: Queue, now: number): Promise<StateCounts> {
  const counts = await queue.getJobCounts(...PENDING_STATES, ...RUNNING_STATES)
  const { waiting = 0, prioritized = 0, delayed = 0, active = 0 } = counts
  const planned = delayed > 0 ? (await plannedJobIds(queue, now)).size : 0
  return { waiting, prioritized, delayed, active, planned }
}

/** Pending and running of a queue. What a schedule planned waits for its instant, not for a worker: it is neither. */
export function inFlightOf({ waiting, prioritized, delayed, active, planned }: StateCounts): InFlightCounts {
  return { pending: waiting + prioritized + Math.max(delayed - planned, 0), running: active }
}

/** Merges the heads of the queues by time, see `Engine.inFlight`. */
export async function listInFlight(queues: readonly Queue[], query: InFlightQuery, now: number): Promise<InFlightPage> {
  const offsets: Offsets = query.cursor === undefined ? new Map<string, number>() : decodeCursor(query.cursor)
  const sources = (await Promise.all(queues.map(queue => openSources(queue, query, offsets, now)))).flat()
  const open = sources.filter(source => source.offset < source.count).length
  const chunk = Math.max(Math.ceil(2 * query.limit / Math.max(open, 1)), 5)
  const allowed = MAX_READ + open * chunk
  const budget = { left: allowed }
  const page = (isLast = false) => toPage({ executions, sources, query, before: offsets, scanned: allowed - budget.left, isLast })
  const executions: Execution[] = []

  for (;;) {
    await Promise.all(sources.map(source => refill(source, query, chunk, budget)))
    // A source with more to read but no budget to read it: what follows could belong before the others.
    if (sources.some(source => source.buffer.length === 0 && source.offset < source.count)) return page()
    const source = firstOf(sources, query)
    if (source === undefined) return page(true)
    if (executions.length === query.limit) return page()
    executions.push(source.buffer.shift()!.execution!)
    source.offset++
  }
}

interface Source {
  readonly queue: Queue
  readonly state: State
  readonly key: string
  readonly count: number
  readonly planned: ReadonlySet<string>
  /** Used up, counted from the head. */
  offset: number
  /** Read and not used up, the next first; null for one that is filtered out. */
  buffer: Array<{ execution: Execution | null }>
}

async function openSources(queue: Queue, query: InFlightQuery, offsets: Offsets, now: number): Promise<Source[]> {
  const states: readonly State[] = query.status === 'pending' ? PENDING_STATES : RUNNING_STATES
  const counts = await queue.getJobCounts(...states)
  const planned = (counts.delayed ?? 0) > 0 ? await plannedJobIds(queue, now) : new Set<string>()
  return states.map(state => {
    const key = sourceKey(queue.name, state)
    return { queue, state, key, count: counts[state] ?? 0, planned, offset: offsets.get(key) ?? 0, buffer: [] }
  })
}

/** Reads on until the source has something for this page, or is at its end, or the budget is. */
async function refill(source: Source, query: InFlightQuery, chunk: number, budget: { left: number }): Promise<void> {
  dropFiltered(source)
  while (source.buffer.length === 0 && source.offset < source.count && budget.left > 0) {
    const size = Math.min(chunk, source.count - source.offset, budget.left)
    budget.left -= size
    const jobs = await readRange(source, size, query)
    // Fewer than asked for when some left meanwhile; none: the rest left.
    if (jobs.length === 0) source.offset = source.count
    source.buffer = jobs.map(job => {
      const execution = executionFromJob(job, source.state)
      return { execution: !source.planned.has(job.id ?? '') && isWanted(execution, job, query) ? execution : null }
    })
    dropFiltered(source)
  }
}

/** In the order wanted. Lists are always read from the newest: read from the oldest, the datastores disagree on what the range means. */
async function readRange({ queue, state, offset, count }: Source, size: number, { order }: InFlightQuery): Promise<Job[]> {
  const isList = state === 'waiting' || state === 'active'
  if (!isList || order === 'newest') return await queue.getJobs([state], offset, offset + size - 1, order === 'oldest')
  const jobs = await queue.getJobs([state], count - offset - size, count - offset - 1, false)
  return jobs.reverse()
}

function dropFiltered(source: Source): void {
  while (source.buffer.length > 0 && source.buffer[0]!.execution === null) {
    source.buffer.shift()
    source.offset++
  }
}

function isWanted(execution: Execution, job: Job, query: InFlightQuery): boolean {
  const { scheduleId, from, to } = query
  const at = timeOf(execution)
  return (scheduleId === undefined || execution.scheduleId === scheduleId) && (from === undefined || at >= from) && (to === undefined || at < to) &&
    (query.isWanted === undefined || query.isWanted(execution, argsFromJob(job)))
}

function firstOf(sources: readonly Source[], query: InFlightQuery): Source | undefined {
  let first: Source | undefined
  for (const source of sources) {
    if (source.buffer.length === 0) continue
    if (first === undefined || compare(source.buffer[0]!.execution!, first.buffer[0]!.execution!, query) < 0) first = source
  }
  return first
}

interface Merged {
  readonly executions: Execution[]
  readonly sources: readonly Source[]
  readonly query: InFlightQuery
  readonly before: Offsets
  readonly scanned: number
  readonly isLast: boolean
}

function toPage({ executions, sources, query, before, scanned, isLast }: Merged): InFlightPage {
  executions.sort((one, other) => compare(one, other, query))
  if (isLast) return { executions, next: null, scanned }
  const offsets: Offsets = new Map(before)
  for (const source of sources) offsets.set(source.key, source.offset)
  return { executions, next: encodeCursor(offsets), scanned }
}

function compare(one: Execution, other: Execution, { order }: InFlightQuery): number {
  const oldestFirst = timeOf(one) - timeOf(other) || (one.executionId < other.executionId ? -1 : one.executionId > other.executionId ? 1 : 0)
  return order === 'oldest' ? oldestFirst : -oldestFirst
}

function timeOf(execution: Execution): number {
  return execution.status === 'running' ? execution.startedAt ?? execution.submittedAt : execution.submittedAt
}

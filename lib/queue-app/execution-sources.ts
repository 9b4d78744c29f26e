import type { FinishedPosition, FinishedQuery, ResultBackend } from '../backend/result-backend.ts'
import type { Engine } from '../engine/engine.ts'
import { createTaskDashboardError } from '../errors.ts'
import type { Execution } from '../execution.ts'
import { hasText, lastChangeOf, type ExecutionFilter } from './execution-filter.ts'

export const SOURCE_NAMES = ['running', 'pending', 'finished'] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

/** Position before the first execution of a source. */
export const START = ''
export const END = '-'

/** Where executions of a list come from, each in order of time. */
export interface ExecutionSource {
  read(position: string, limit: number): Promise<SourcePage>
  /** The position after the first items of a page that was not used up; null at the end. */
  positionAfter(position: string, taken: readonly Execution[]): Promise<string | null>
}

export interface SourcePage {
  readonly executions: Execution[]
  /** Position after the page, null when there is no more. Only its source understands it. */
  readonly next: string | null
  /** What is left is not before this time, in the order asked for. Null when that is not known. */
  readonly reachedMs: number | null
  /** Executions looked through; null when an index answered. */
  readonly scanned: number | null
  /** False when it stopped looking before it had `limit`. */
  readonly complete: boolean
  /** Executions that it could not look at as a whole. */
  readonly skipped: number
  /** Null when the source cannot count. */
  readonly total: { readonly value: number; readonly relation: 'exact' | 'at_least' } | null
}

export interface SourcesQuery {
  readonly filter: ExecutionFilter
  readonly order: 'newest' | 'oldest'
  readonly taskNames: readonly string[]
  /** When the first page of this list was read; null on that page. */
  readonly asOf: number | null
}

/** The sources that can have anything of what is asked for: what has not finished has no error group and no duration, what waits has no worker. */
export function sourcesWanted({ status, workerId, errorGroup, minDurationMs, maxDurationMs }: ExecutionFilter): SourceName[] {
  const ofStatus = status === undefined ? SOURCE_NAMES : status === 'running' || status === 'pending' ? [status] : ['finished' as const]
  const isOfFinished = errorGroup !== undefined || minDurationMs !== undefined || maxDurationMs !== undefined
  return ofStatus.filter(name => name === 'finished' || (!isOfFinished && (name === 'running' || workerId === undefined)))
}

/** Whether the filter asks more of what is in flight than the broker counts. */
export function isBeyondCounts({ scheduleId, workerId, from, to, text }: ExecutionFilter): boolean {
  return scheduleId !== undefined || workerId !== undefined || from !== undefined || to !== undefined || text.length > 0
}

export function createSources(engine: Pick<Engine, 'inFlight'>, backend: Pick<ResultBackend, 'list'>, query: SourcesQuery): Record<SourceName, ExecutionSource> {
  const { filter, order, taskNames, asOf } = query
  return {
    running: inFlightSource('running'),
    pending: inFlightSource('pending'),
    finished: { read: readFinished, positionAfter: async (_, taken) => toPosition(taken.at(-1)!) }
  }

  function inFlightSource(status: 'running' | 'pending'): ExecutionSource {
    const { scheduleId, workerId, from, text } = filter
    // What was submitted or started since is newer than all that was shown.
    const to = order === 'oldest' || asOf === null ? filter.to : Math.min(filter.to ?? Infinity, asOf + 1)
    const isNarrow = workerId !== undefined || text.length > 0
    const read = async (position: string, limit: number): Promise<SourcePage> => {
      const { executions, next, scanned, skipped } = await engine.inFlight({
        taskNames,
        status,
        order,
        limit,
        ...(scheduleId !== undefined && { scheduleId }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(isNarrow && {
          isWanted: (execution, args) => (workerId === undefined || execution.workerId === workerId) && hasText(filter, execution, args ?? null),
          needsArgs: () => text.length > 0
        }),
        ...(position !== START && { cursor: position })
      })
      return {
        executions, next, reachedMs: null, scanned: isBeyondCounts(filter) ? scanned - skipped : null, total: null,
        complete: next === null || executions.length >= limit, skipped
      }
    }
    // The engine's positions are its own: a shorter page is asked for, to learn where it ends.
    return { read, positionAfter: async (position, taken) => (await read(position, taken.length)).next }
  }

  async function readFinished(position: string, limit: number): Promise<SourcePage> {
    const { executions, next, total, scanned, complete } = await backend.list({
      ...toFinishedFilter(filter),
      order,
      limit,
      ...(position !== START && { after: fromPosition(position) })
    })
    return { executions, next: next && toPosition(next), reachedMs: next && next.finishedAt, scanned, complete, skipped: 0, total }
  }
}

export function toFinishedFilter({ status, executionId: _, ...filter }: ExecutionFilter): Omit<FinishedQuery, 'order' | 'limit'> {
  return { ...filter, ...((status === 'success' || status === 'failed') && { status }) }
}

/**
 * Where the finished go on behind a page of all sources: at a position of theirs, or at the time that the page reached. What is recorded
 * meanwhile on the other side of it would break the order, or be what was shown before it finished.
 */
export function positionBehind(shown: readonly Execution[], order: 'newest' | 'oldest', { before, next }: { before: string; next: string }): string {
  const at = lastChangeOf(shown.at(-1)!)
  const finished = shown.findLast(each => each.finishedAt !== null)
  const own = next !== END ? next : finished ? toPosition(finished) : before
  const ownAt = own === START ? null : fromPosition(own).finishedAt
  if (ownAt !== null && (order === 'newest' ? ownAt <= at : ownAt >= at)) return own
  // No id stands before all of its millisecond.
  return toPosition({ finishedAt: order === 'newest' ? at + 1 : at, executionId: '' })
}

function toPosition({ finishedAt, executionId }: Pick<Execution, 'finishedAt' | 'executionId'>): string {
  return `${finishedAt}:${executionId}`
}

function fromPosition(position: string): FinishedPosition {
  const colon = position.indexOf(':')
  const finishedAt = Number(position.slice(0, colon))
  if (colon < 1 || !Number.isSafeInteger(finishedAt)) throw createTaskDashboardError('INVALID_CURSOR')
  return { finishedAt, executionId: position.slice(colon + 1) }
}

import type { FinishedPosition, FinishedQuery, ResultBackend } from '../backend/result-backend.ts'
import type { Engine } from '../engine/engine.ts'
import { createTaskDashboardError } from '../errors.ts'
import type { Execution } from '../execution.ts'
import { hasText, type ExecutionFilter } from './execution-filter.ts'

export const SOURCE_NAMES = ['running', 'pending', 'finished'] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

/** Position before the first execution of a source. */
export const START = ''

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
  /** Null when the source cannot count. */
  readonly total: { readonly value: number; readonly relation: 'exact' | 'at_least' } | null
}

export interface SourcesQuery {
  readonly filter: ExecutionFilter
  readonly order: 'newest' | 'oldest'
  readonly taskNames: readonly string[]
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
  const { filter, order, taskNames } = query
  return {
    running: inFlightSource('running'),
    pending: inFlightSource('pending'),
    finished: { read: readFinished, positionAfter: async (_, taken) => toPosition(taken.at(-1)!) }
  }

  function inFlightSource(status: 'running' | 'pending'): ExecutionSource {
    const { scheduleId, workerId, from, to, text } = filter
    const isNarrow = workerId !== undefined || text.length > 0
    const read = async (position: string, limit: number): Promise<SourcePage> => {
      const { executions, next, scanned } = await engine.inFlight({
        taskNames,
        status,
        order,
        limit,
        ...(scheduleId !== undefined && { scheduleId }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(isNarrow && {
          isWanted: (execution, args) => (workerId === undefined || execution.workerId === workerId) && hasText(filter, execution, args)
        }),
        ...(position !== START && { cursor: position })
      })
      return {
        executions, next, reachedMs: null, scanned: isBeyondCounts(filter) ? scanned : null, complete: next === null || executions.length >= limit, total: null
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
    return { executions, next: next && toPosition(next), reachedMs: next && next.finishedAt, scanned, complete, total }
  }
}

export function toFinishedFilter({ status, executionId: _, ...filter }: ExecutionFilter): Omit<FinishedQuery, 'order' | 'limit'> {
  return { ...filter, ...((status === 'success' || status === 'failed') && { status }) }
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

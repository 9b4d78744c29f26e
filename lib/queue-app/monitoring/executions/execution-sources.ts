import type { FinishedPosition, FinishedQuery, ResultBackend } from '../../../backend/result-backend.ts'
import type { Engine } from '../../../engine/engine.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { Execution } from '../../../execution.ts'
import { ofTasks } from '../../tasks/parts-of-tasks.ts'
import { hasText, lastChangeOf, type ExecutionFilter } from './execution-filter.ts'

export type SourceName = 'inFlight' | 'finished'

/** A source's bookmark: the engine's cursor, or the position of a finished execution. */
export type Mark = string | FinishedPosition

/** Where a source continues. */
export type Position<At = Mark> = typeof START | typeof END | typeof LOST | { readonly is: 'behind'; readonly mark: At }
/** Before its first execution. */
export const START = { is: 'start' } as const
/** After its last execution. */
export const END = { is: 'end' } as const
/** Its store was down, so the list continues without it. */
export const LOST = { is: 'lost' } as const

export function behind<At>(mark: At): Position<At> {
  return { is: 'behind', mark }
}

/** A source of executions for a list, in time order. */
export interface ExecutionSource {
  /** Rejects with INVALID_CURSOR if the position does not belong to this source. */
  read(position: Position, limit: number): Promise<SourcePage>
}

export interface SourcePage {
  /** In the order in which they are taken. */
  readonly executions: Execution[]
  /** The mark after the first `count` executions, if not all of the page is taken. */
  after(count: number): Mark
  /** The mark after the page; null if there is no more. */
  readonly next: Mark | null
  /** No further execution comes before this time, in the requested order. Null if that is unknown. */
  readonly reachedMs: number | null
  /** Executions scanned; null if only an index was used. */
  readonly scanned: number | null
  /** False if the scan stopped before it had `limit`. */
  readonly complete: boolean
  /** Executions whose arguments were too large to check. */
  readonly skipped: number
  /** Why some executions are missing from this page. */
  readonly lost?: Error
  /** Null when the source cannot count. */
  readonly total: { readonly value: number; readonly relation: 'exact' | 'at_least' } | null
}

export interface SourcesQuery {
  readonly filter: ExecutionFilter
  readonly order: 'newest' | 'oldest'
  readonly taskNames: readonly string[]
  /** Whether the broker counts the requested in-flight executions. */
  readonly isCounted: boolean
  /** When the first page of this list was read; null for that page. */
  readonly asOf: number | null
}

/**
 * The sources that can have matches. Unfinished executions have no error group and no duration, and pending ones have no worker. They are
 * listed in reading order, so that executions that finish during the read are found in the history.
 */
export function sourcesWanted({ status, workerId, errorGroup, minDurationMs, maxDurationMs }: ExecutionFilter): SourceName[] {
  const isInFlight = status === 'running' || status === 'pending'
  const isOfFinished = errorGroup !== undefined || minDurationMs !== undefined || maxDurationMs !== undefined
  const hasInFlight = !isOfFinished && (status === undefined || isInFlight) && !(status === 'pending' && workerId !== undefined)
  return [...hasInFlight ? ['inFlight' as const] : [], ...isInFlight ? [] : ['finished' as const]]
}

/** The status to request from the in-flight source; undefined for both. */
export function inFlightStatus({ status, workerId }: ExecutionFilter): 'pending' | 'running' | undefined {
  if (status === 'pending' || status === 'running') return status
  return workerId === undefined ? undefined : 'running'
}

/** Whether the filter on in-flight executions goes beyond what the broker counts. */
export function isBeyondCounts({ scheduleId, workerId, from, to, text }: ExecutionFilter): boolean {
  return scheduleId !== undefined || workerId !== undefined || from !== undefined || to !== undefined || text.length > 0
}

export function createSources(
  engine: Pick<Engine, 'inFlight'>, backend: Pick<ResultBackend, 'list'>, query: SourcesQuery
): Record<SourceName, ExecutionSource> {
  const { filter, order, taskNames, isCounted, asOf } = query
  return {
    inFlight: { read: readInFlight },
    finished: { read: readFinished }
  }

  async function readInFlight(position: Position, limit: number): Promise<SourcePage> {
    const { scheduleId, workerId, from, text } = filter
    const status = inFlightStatus(filter)
    // Anything submitted or started since then is newer than all executions shown before.
    const to = order === 'oldest' || asOf === null ? filter.to : Math.min(filter.to ?? Infinity, asOf + 1)
    const isNarrow = workerId !== undefined || text.length > 0
    const { executions, next, after, held, scanned, skipped, lost } = await engine.inFlight({
      taskNames,
      order,
      limit,
      ...(status !== undefined && { status }),
      ...(scheduleId !== undefined && { scheduleId }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(isNarrow && {
        isWanted: (execution, args) =>
          (workerId === undefined || execution.workerId === workerId) && hasText(filter, execution, args ?? null),
        needsArgs: () => text.length > 0
      }),
      ...(position.is === 'behind' && { cursor: cursorOf(position.mark) })
    })
    return {
      executions, next, after, reachedMs: null, scanned: isCounted ? null : scanned - skipped,
      total: isCounted ? { value: held, relation: 'exact' } : null,
      complete: next === null || executions.length >= limit, skipped, ...lost && { lost }
    }
  }

  async function readFinished(position: Position, limit: number): Promise<SourcePage> {
    const { executions, next, total, scanned, complete } = await backend.list({
      ...toFinishedFilter(filter, taskNames),
      order,
      limit,
      ...(position.is === 'behind' && { after: finishedOf(position.mark) })
    })
    return {
      executions, next, after: count => toMark(executions[count - 1]!), reachedMs: next && next.finishedAt,
      scanned, complete, skipped: 0, total
    }
  }
}

/** @param taskNames the tasks that the filter's task covers. Default: itself. */
export function toFinishedFilter(
  { status, taskName, executionId: _, ...filter }: ExecutionFilter, taskNames: readonly string[] = []
): Omit<FinishedQuery, 'order' | 'limit'> {
  return {
    ...filter,
    ...taskName !== undefined && ofTasks(taskName, taskNames),
    ...(status !== 'pending' && status !== 'running' && status !== undefined && { status })
  }
}

/**
 * Where finished executions continue after a merged page: at their own position, or at the time that the page reached. Executions recorded
 * since then on the other side of that time would break the order, or were already shown before they finished.
 */
export function positionBehind(
  shown: readonly Execution[], order: 'newest' | 'oldest', { before, next }: { before: Position; next: Position }
): Position {
  const at = lastChangeOf(shown.at(-1)!)
  const finished = shown.findLast(each => each.finishedAt !== null)
  const own = next.is !== 'end' ? next : finished ? behind(toMark(finished)) : before
  const ownAt = own.is === 'behind' ? finishedOf(own.mark).finishedAt : null
  if (ownAt !== null && (order === 'newest' ? ownAt <= at : ownAt >= at)) return own
  return behind({ finishedAt: order === 'newest' ? at + 1 : at, executionId: null })
}

function toMark({ finishedAt, executionId }: Execution): FinishedPosition {
  return { finishedAt: finishedAt!, executionId }
}

function cursorOf(mark: Mark): string {
  if (typeof mark !== 'string') throw createTaskDashboardError('INVALID_CURSOR')
  return mark
}

function finishedOf(mark: Mark): FinishedPosition {
  if (typeof mark === 'string') throw createTaskDashboardError('INVALID_CURSOR')
  return mark
}

import type { BulkAction } from '../../../../schemas/bulk.ts'
import type { TaskDashboardError } from '../../../errors.ts'
import type { ExecutionFilter } from '../../monitoring/executions/execution-filter.ts'
import { toFinishedFilter } from '../../monitoring/executions/execution-sources.ts'
import type { BulkPosition, PlannedItem } from '../bulk-records.ts'
import { WORKS_ON } from './bulk-filter.ts'

/** What an operation searches for. */
export interface Wanted {
  readonly action: BulkAction
  /** Null if nothing can match. */
  readonly filter: ExecutionFilter | null
  /** Leaves out what is newer, unless the filter lists it. Milliseconds since the epoch. */
  readonly before: number
  readonly taskNames: readonly string[]
  /** Whether `taskNames` are all that the filter covers. */
  readonly isAllTasks: boolean
  /** If set, only these. */
  readonly executionIds?: readonly string[] | undefined
}

export interface NextItems {
  readonly items: readonly PlannedItem[]
  readonly position: BulkPosition
  readonly isEnd: boolean
  /**
   * Whether a server responded and there is more to read, on servers that responded or were not tried yet. If none responded, the operation
   * waits first.
   */
  readonly goesOn?: boolean
  /** Why tasks were skipped: the error of a server that is down or refuses. The position still includes these tasks. */
  readonly away?: TaskDashboardError
}

/** The ids of the only executions that can match. Null if the filter lists none. */
export function namedIn({ filter, executionIds }: Wanted): readonly string[] | null {
  const one = filter?.executionId
  if (executionIds === undefined) return one === undefined ? null : [one]
  const all = [...new Set(executionIds)]
  return one === undefined ? all : all.filter(id => id === one)
}

export function finishedFilter({ action, filter, before, taskNames, isAllTasks }: Wanted, taskName?: string) {
  const asked = taskName === undefined ? filter! : { ...filter!, taskName }
  return {
    ...toFinishedFilter(asked, taskName === undefined ? taskNames : [taskName]),
    ...WORKS_ON[action] !== 'finished' && { status: 'failed' as const }, to: Math.min(filter!.to ?? Infinity, before),
    ...asked.taskName === undefined && !isAllTasks && { taskNames }
  }
}

/** Drops the task from the filter: tasks are already checked by name, and the task that the filter names can have parts. */
export function ofAnyTask({ taskName: _task, ...filter }: ExecutionFilter): ExecutionFilter {
  return filter
}

import type { BulkFilter, BulkInput, Execution, ExecutionStatus } from '../../../../schemas/index.ts'
import type { ExecutionFilter } from '../executions/execution-filter.ts'
import { statusWord } from '../executions/status.ts'
import { withParameters } from '../places/address.ts'
import { formatDuration } from '../time/duration.ts'
import { MINUTE_MS } from '../time/units.ts'
import { formatClock } from '../time/time.ts'
import { MAX_RANGE_MS, rangeBounds, rangeParameters, rangeWordsInside, type TimeRange } from '../time/time-range.ts'
import { bulkTexts } from '../../texts/bulk.ts'

export type BulkAction = BulkInput['action']

/** The right that each action needs, in addition to the right to the bulk operation itself. */
export const ITEM_ACTIONS: Readonly<Record<BulkAction, string>> = {
  retry: 'executions:retry', cancel: 'executions:cancel', delete: 'executions:delete', resolve: 'failures:resolve'
}

/** The actions to offer, the most likely first, with the statuses of the executions that they apply to. */
const STATUSES: Readonly<Record<BulkAction, readonly ExecutionStatus[]>> = {
  retry: ['failed'], cancel: ['pending', 'running'], resolve: ['failed'], delete: ['success', 'failed', 'cancelled']
}
const ACTIONS = Object.keys(STATUSES) as BulkAction[]

/** What can be done with single executions. A failure group is resolved as a whole. */
export const ACTIONS_ON_SELECTED = ACTIONS.filter(action => action !== 'resolve')

/** The actions for the executions of a list, the most likely first. */
export function actionsFor(filter: ExecutionFilter): readonly BulkAction[] {
  const { status } = filter
  return (isOfGroups(filter) ? ACTIONS : ACTIONS_ON_SELECTED).filter(action => status === null || STATUSES[action].includes(status))
}

/** A failure group is resolved as a whole: other filters would be refused. */
function isOfGroups({ scheduleId, workerId, minDurationMs, search }: ExecutionFilter): boolean {
  return [scheduleId, workerId, minDurationMs, search].every(value => value === null)
}

/** The filter as the server takes it. The last hours begin at a fixed time, so that the operation covers what the dry run counted. */
export function toBulkFilter(filter: ExecutionFilter, now: number): BulkFilter {
  const { from, to } = rangeBounds(filter.range, now)
  return {
    ...filter.status !== null && { status: filter.status },
    ...filter.taskName !== null && { task_name: filter.taskName },
    ...filter.scheduleId !== null && { schedule_id: filter.scheduleId },
    ...filter.workerId !== null && { worker_id: filter.workerId },
    ...filter.errorGroup !== null && { error_group: filter.errorGroup },
    ...filter.minDurationMs !== null && { min_duration_ms: filter.minDurationMs },
    ...filter.search !== null && { search: filter.search },
    ...from !== null && { from },
    ...to !== null && { to }
  }
}

/** The actions for executions in these statuses, the most likely first. */
export function actionsForStatuses(statuses: ReadonlySet<ExecutionStatus>): readonly BulkAction[] {
  return ACTIONS_ON_SELECTED.filter(action => STATUSES[action].some(status => statuses.has(status)))
}

/** The filter for exactly these executions, even if they change in the meantime. */
export function selectionFilter(executions: readonly Execution[]): BulkFilter {
  const names = new Set(executions.map(each => each.task_name))
  return {
    ...names.size === 1 && { task_name: executions[0]!.task_name }, execution_ids: executions.map(each => each.execution_id)
  }
}

/** The executions that match the filter of an operation now; null if no list shows just these. */
export function matchesHref(filter: BulkFilter, action: BulkAction, now: number): string | null {
  if (filter.execution_ids) return null
  const range = rangeOf(filter, now)
  return `/executions${withParameters('', {
    status: filter.status ?? (action === 'retry' || action === 'resolve' ? 'failed' : null),
    task: filter.task_name ?? null, schedule: filter.schedule_id ?? null, worker: filter.worker_id ?? null,
    group: filter.error_group ?? null, took: filter.min_duration_ms === undefined ? null : String(filter.min_duration_ms),
    search: filter.search ?? null,
    ...range && rangeParameters(range)
  })}`
}

/**
 * The filter in words, on one line.
 * @param selected how many executions the filter names. Lists of operations leave out their ids.
 */
export function filterWords(filter: BulkFilter, now: number, selected: number | null = filter.execution_ids?.length ?? null): string {
  const words = bulkTexts.filterWords
  const { from, to } = filter
  return [
    filter.status && statusWord(filter.status),
    filter.task_name !== undefined && isolated(filter.task_name),
    filter.schedule_id !== undefined && words.schedule(isolated(filter.schedule_id)),
    filter.worker_id !== undefined && words.worker(isolated(filter.worker_id)),
    filter.error_group !== undefined && words.group(isolated(filter.error_group)),
    filter.min_duration_ms !== undefined && words.took(formatDuration(filter.min_duration_ms)),
    filter.search !== undefined && words.search(isolated(filter.search)),
    selected !== null && words.selected(selected),
    from !== undefined
      ? rangeWordsInside(between(from, to), now)
      : to !== undefined && words.until(formatClock(Date.parse(to), now))
  ].filter(Boolean).join(' · ') || words.everything
}

/** Isolates text that changes the writing direction, because it would also affect the words after it. */
function isolated(text: string): string {
  return /[\u202a-\u202e\u2066-\u2069]/.test(text) ? `\u2068${text}\u2069` : text
}

/** A page needs a start for its range: an open range starts as early as a page can show. */
function rangeOf({ from, to }: BulkFilter, now: number): TimeRange | null {
  if (from === undefined && to === undefined) return null
  return between(from ?? new Date(Math.floor((now - MAX_RANGE_MS) / MINUTE_MS) * MINUTE_MS).toISOString(), to)
}

function between(from: string, to: string | undefined): TimeRange {
  return { kind: 'between', from: Date.parse(from), to: to === undefined ? null : Date.parse(to) }
}

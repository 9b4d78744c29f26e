import type { Task } from '../../../../schemas/index.ts'
import { sortedBy, type Sorting } from '../lists/sorting.ts'
import { taskTexts } from '../../texts/tasks.ts'

type Value = string | number | null

/** What the list of tasks can be sorted by. It is never cut, so it is sorted here. */
const VALUES: Readonly<Record<string, (task: Task) => Value>> = {
  name: ({ name }) => name,
  workers: ({ workers }) => workers,
  backlog: ({ executions }) => executions.pending,
  finished: ({ executions }) => executions.success + executions.failed,
  success: ({ executions, success_rate: rate }) => (executions.success + executions.failed === 0 ? null : rate),
  p95: ({ duration_ms: ms }) => ms?.p95 ?? null,
  last: ({ last_execution: last }) => (last ? Date.parse(last.finished_at) : null),
  schedules: ({ schedules }) => schedules
}

export const TASK_SORTINGS: readonly string[] = Object.keys(VALUES)

/** `billing:` of `billing:reconcile`; null of a name that has no parts. */
export function prefixOf({ name }: Pick<Task, 'name'>): string | null {
  return /^[^:/.]+[:/.](?=.)/.exec(name)?.[0] ?? null
}

export interface TaskListing {
  /** Part of the name or the description, in any case. */
  readonly find: string
  readonly sorting: Sorting | null
  /** Tasks with the same prefix are grouped, in the order of the first of each group. */
  readonly isGrouped: boolean
}

export function toTaskList(tasks: readonly Task[], { find, sorting, isGrouped }: TaskListing): readonly Task[] {
  const wanted = find.trim().toLowerCase()
  const found = tasks.filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(wanted))
  const valueOf = sorting && VALUES[sorting.column]
  const sorted = valueOf ? sortedBy(found, sorting.isDescending, valueOf) : found
  if (!isGrouped) return sorted
  const groups = new Map<string | null, Task[]>()
  for (const task of sorted) groups.set(prefixOf(task), [...groups.get(prefixOf(task)) ?? [], task])
  return [...groups.values()].flat()
}

export interface TaskGroup {
  /** `billing:*`, or what the tasks without a prefix are called. */
  readonly name: string
  readonly tasks: number
  readonly pending: number
  readonly withoutWorker: number
}

/** Totals of the tasks of each prefix. */
export function toTaskGroups(tasks: readonly Task[]): ReadonlyMap<string | null, TaskGroup> {
  const groups = new Map<string | null, TaskGroup>()
  for (const task of tasks) {
    const prefix = prefixOf(task)
    const before = groups.get(prefix) ?? {
      name: prefix === null ? taskTexts.withoutPrefix : `${prefix}*`, tasks: 0, pending: 0, withoutWorker: 0
    }
    groups.set(prefix, {
      ...before, tasks: before.tasks + 1, pending: before.pending + (task.executions.pending ?? 0),
      withoutWorker: before.withoutWorker + Number(task.workers === 0)
    })
  }
  return groups
}

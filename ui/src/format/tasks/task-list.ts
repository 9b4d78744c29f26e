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

/** `billing:` of `billing:reconcile`; null for a name without parts. The name of a job has the prefix of its queue. */
export function prefixOf({ name, part_of: whole }: Pick<Task, 'name' | 'part_of'>): string | null {
  return /^[^:/.]+[:/.](?=.)/.exec(whole ?? name)?.[0] ?? null
}

/** The number of tasks. A job name does not count as a task if the task of its queue is listed, because that covers all its executions. */
export function countTasks(tasks: readonly Task[]): { readonly tasks: number; readonly jobNames: number } {
  const names = new Set(tasks.map(({ name }) => name))
  const jobNames = tasks.filter(task => task.part_of !== null && names.has(task.part_of)).length
  return { tasks: tasks.length - jobNames, jobNames }
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
  const sorted = underTheirQueues(valueOf ? sortedBy(found, sorting.isDescending, valueOf) : found)
  if (!isGrouped) return sorted
  const groups = new Map<string | null, Task[]>()
  for (const task of sorted) groups.set(prefixOf(task), [...groups.get(prefixOf(task)) ?? [], task])
  return [...groups.values()].flat()
}

/** Moves job names behind the task of their queue, in their order. A job name whose queue is not found stays where it is. */
function underTheirQueues(tasks: readonly Task[]): readonly Task[] {
  const parts = new Map<string, Task[]>()
  for (const task of tasks) {
    if (task.part_of === null) continue
    const others = parts.get(task.part_of)
    if (others === undefined) parts.set(task.part_of, [task])
    else others.push(task)
  }
  if (parts.size === 0) return tasks
  const wholes = new Set(tasks.filter(task => task.part_of === null).map(({ name }) => name))
  return tasks.flatMap(task => {
    if (task.part_of !== null) return wholes.has(task.part_of) ? [] : [task]
    return [task, ...parts.get(task.name) ?? []]
  })
}

export interface TaskGroup {
  /** `billing:*`, or the name for the tasks without a prefix. */
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
      ...before, tasks: before.tasks + Number(task.part_of === null), pending: before.pending + (task.executions.pending ?? 0),
      withoutWorker: before.withoutWorker + Number(task.workers === 0)
    })
  }
  return groups
}

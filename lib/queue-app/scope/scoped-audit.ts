import { MAX_TASKS_PER_GROUP } from '../../../schemas/limits.ts'
import type { BulkOperation } from '../../../schemas/bulk.ts'
import type { AuditEntry } from '../audit/audit-entry.ts'
import type { Scope } from './scope.ts'

/** Whether an entry names a task, and every task that it is about is known to be in the scope. */
export function isEntryInScope(entry: AuditEntry, { sees }: Scope): boolean {
  const { action, resource, before, after } = entry
  if (action.startsWith('bulk:') && !isOfOneTask(after)) return false
  const [ofBefore, ofAfter] = [namesIn(before), namesIn(after)]
  if (ofBefore === null || ofAfter === null) return false
  const names = [...resource.taskName === undefined ? [] : [resource.taskName], ...ofBefore, ...ofAfter]
  return names.length > 0 && names.every(sees)
}

/** The tasks that a value names: a resource names its task, a failure group all of its tasks. Null if there may be more. */
function namesIn(value: unknown): string[] | null {
  if (typeof value !== 'object' || value === null) return []
  const { task_name: taskName, tasks } = value as { task_name?: unknown; tasks?: unknown }
  if (Array.isArray(tasks) && tasks.length >= MAX_TASKS_PER_GROUP) return null
  const several = Array.isArray(tasks) ? tasks.map((task: unknown) => (task as { name?: unknown } | null)?.name) : []
  return [taskName, ...several].filter(name => typeof name === 'string')
}

/** Whether a bulk operation touches only the task that its filter names. One that resolves groups reads all tasks. */
function isOfOneTask(operation: unknown): boolean {
  if (typeof operation !== 'object' || operation === null) return false
  const { action, filter, task_count: count } = operation as Partial<BulkOperation>
  return action !== 'resolve' && typeof filter?.task_name === 'string' && count === 1
}

import type { AuditEntry } from '../audit/audit-entry.ts'
import type { Scope } from './scope.ts'

/** Whether an entry names a task, and every task that it names is in the scope. */
export function isEntryInScope({ resource, before, after }: AuditEntry, { sees }: Scope): boolean {
  const names = [...resource.taskName === undefined ? [] : [resource.taskName], ...namesIn(before), ...namesIn(after)]
  return names.length > 0 && names.every(sees)
}

/** A resource names its task, a failure group all of its tasks. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { task_name: taskName, tasks } = value as { task_name?: unknown; tasks?: unknown }
  const several = Array.isArray(tasks) ? tasks.map((task: unknown) => (task as { name?: unknown } | null)?.name) : []
  return [taskName, ...several].filter(name => typeof name === 'string')
}

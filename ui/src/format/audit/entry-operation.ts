import type { AuditEntry } from '../../../../schemas/index.ts'

/** The id of the bulk operation that a write started or changed; null if there is none. */
export function entryOperation({ action, path, after }: Pick<AuditEntry, 'action' | 'path' | 'after'>): string | null {
  if (!action.startsWith('bulk:')) return null
  const { operation_id: made } = (after ?? {}) as { operation_id?: unknown }
  if (typeof made === 'string') return made
  const [, named] = /^\/api\/bulk\/([^/]+)\/[a-z]+$/.exec(path) ?? []
  try {
    return named === undefined ? null : decodeURIComponent(named)
  } catch {
    return null
  }
}

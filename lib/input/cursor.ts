import { createTaskDashboardError } from '../errors.ts'

/** An API cursor is a position: its parts as JSON in base64url. A position, unlike a page number, stays valid after deletions. */
export function toCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/**
 * Throws INVALID_CURSOR.
 * @param read validates the parts, which anyone may have made up, and returns the position; null if they are not one
 */
export function fromCursor<Position>(cursor: string, read: (parts: readonly unknown[]) => Position | null): Position {
  const position = read(partsOf(cursor))
  if (position === null) throw createTaskDashboardError('INVALID_CURSOR')
  return position
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

import { fromCursor, toCursor } from '../../../input/cursor.ts'

/** Schedules are ordered by creation, then id; a cursor holds the position of the last one shown. */
interface Position { readonly createdAt: number; readonly scheduleId: string }

export function cursorAfter({ createdAt, scheduleId }: Position): string {
  return toCursor([createdAt, scheduleId])
}

/** @throws INVALID_CURSOR */
export function positionFrom(cursor: string): Position {
  return fromCursor(cursor, ([createdAt, scheduleId]) =>
    typeof createdAt === 'number' && typeof scheduleId === 'string' ? { createdAt, scheduleId } : null)
}

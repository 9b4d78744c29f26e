import { createTaskDashboardError } from '../../../errors.ts'

/** Schedules are ordered by creation, then id; a cursor holds the position of the last one shown, so that it outlives deletions. */
interface Position { readonly createdAt: number; readonly scheduleId: string }

export function cursorAfter({ createdAt, scheduleId }: Position): string {
  return Buffer.from(JSON.stringify([createdAt, scheduleId])).toString('base64url')
}

/** Throws INVALID_CURSOR. */
export function positionFrom(cursor: string): Position {
  try {
    const [createdAt, scheduleId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (typeof createdAt === 'number' && typeof scheduleId === 'string') return { createdAt, scheduleId }
  } catch {
    // Answered below, as every other cursor that we did not make.
  }
  throw createTaskDashboardError('INVALID_CURSOR')
}

import type { ExecutionChanges, ExecutionDetail } from '../../../../schemas/index.ts'
import { MAX_PRIORITY } from '../../../../schemas/limits.ts'
import { instantOfInput, toLocalInput } from '../time/time.ts'
import { isWholeNumber } from './whole-number.ts'

/** As typed. An empty `dueAt` means as soon as possible. */
export interface ChangeDraft {
  readonly priority: string
  readonly dueAt: string
}

export function changeDraftOf({ priority, state, next_attempt_at: dueAt }: ExecutionDetail): ChangeDraft {
  const isLater = dueAt !== null && (state === 'delayed' || state === 'retrying')
  return { priority: String(priority), dueAt: isLater ? toLocalInput(Date.parse(dueAt)) : '' }
}

/**
 * What differs between two drafts.
 * @param now milliseconds since the epoch
 * @returns null if nothing differs, or something is not a number or a time
 */
export function changesBetween(before: ChangeDraft, after: ChangeDraft, now: number): ExecutionChanges | null {
  if (!isWholeNumber(after.priority, MAX_PRIORITY)) return null
  const dueAt = after.dueAt === '' ? new Date(now).toISOString() : instantOfInput(after.dueAt)
  if (dueAt === null) return null
  const isReordered = Number(after.priority) !== Number(before.priority)
  const isMoved = after.dueAt !== before.dueAt
  return isReordered || isMoved ? { ...isReordered && { priority: Number(after.priority) }, ...isMoved && { due_at: dueAt } } : null
}

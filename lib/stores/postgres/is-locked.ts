import { errorCodeOf } from '../failures/error-code.ts'

/** Whether a statement ended because it waited too long for a lock (SQLSTATE lock_not_available). Its session can be used again. */
export function isLocked(error: unknown): boolean {
  return errorCodeOf(error) === '55P03'
}

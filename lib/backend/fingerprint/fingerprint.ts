import { createHash } from 'node:crypto'
import type { ExecutionFailure } from '../../execution.ts'
import { LIMITS } from '../entry/limits.ts'
import { normalizeMessage } from './normalize-message.ts'
import { topOwnFrame } from './own-frame.ts'

/**
 * The failure group of an error. Errors that differ only in ids, numbers, dates, addresses, paths and quoted values get the same one. Built
 * from the type, the message without those, and the innermost application frame without line numbers.
 * @returns 12 hexadecimal digits
 */
export function errorGroupOf(error: ExecutionFailure): string {
  // An id may consist of digits only.
  const message = normalizeMessage(error.message).replaceAll('<number>', '<id>')
  const parts = [error.type.slice(0, LIMITS.errorTypeCharacters), message, topOwnFrame(error.stack) ?? '']
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

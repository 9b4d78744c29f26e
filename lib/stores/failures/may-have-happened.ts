import { errorCodeOf } from './error-code.ts'
import { isRefusedMidway, storeRefusalOf } from './store-refusal.ts'

/**
 * Whether a failed call to a datastore may have taken effect, or still may: it was sent and no response came, or a script was refused
 * midway. False only if the datastore refused it or it was never sent.
 */
export function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  const { name, message } = error
  const code = errorCodeOf(error)
  if (isRefusedMidway(error)) return true
  if (error.cause === undefined && storeRefusalOf(error) !== null) return false
  // A SQLSTATE: the statement was rolled back. Classes 08 and 57P concern the connection, which may have ended after the commit.
  if (code !== null && /^[0-9A-Z]{5}$/.test(code)) return code.startsWith('08') || code.startsWith('57P')
  if (name === 'ReplyError') return false
  if (NEVER_SENT.some(text => message.includes(text)) || code === 'ECONNREFUSED') return false
  return error.cause === undefined || mayHaveHappened(error.cause)
}

/** ioredis without a connection or offline queue; `pg`'s pool, which found no free connection and opened none. */
export const NO_CONNECTION = 'timeout exceeded when trying to connect'
const NEVER_SENT = ["Stream isn't writeable and enableOfflineQueue options is false", NO_CONNECTION]

import { errorCodeOf } from './error-code.ts'
import { isRefusedMidway, storeRefusalOf } from './store-refusal.ts'

/**
 * Whether what a failed call asked a datastore for may have been done all the same, or may yet be: the call was sent and no answer
 * came, or a script was refused midway. False only where the datastore itself refused it, or it was never sent.
 */
export function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  const { name, message } = error
  const code = errorCodeOf(error)
  if (isRefusedMidway(error)) return true
  if (error.cause === undefined && storeRefusalOf(error) !== null) return false
  // A SQLSTATE: the statement was rolled back. Classes 08 and 57P are about the connection, which may have ended after the commit.
  if (code !== null && /^[0-9A-Z]{5}$/.test(code)) return code.startsWith('08') || code.startsWith('57P')
  if (name === 'ReplyError') return false
  if (NEVER_SENT.some(text => message.includes(text)) || code === 'ECONNREFUSED') return false
  return error.cause === undefined || mayHaveHappened(error.cause)
}

/** ioredis without a connection and an offline queue; the pool of `pg`, which found no free connection or made none. */
export const NO_CONNECTION = 'timeout exceeded when trying to connect'
const NEVER_SENT = ["Stream isn't writeable and enableOfflineQueue options is false", NO_CONNECTION]

import { errorCodeOf } from '../../failures/error-code.ts'

/** SQLSTATE too_many_connections: of the server, of the database or of the user. */
const FULL = '53300'

/** Whether a server, or the pooler before it, has no connection left. */
export function isServerFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  // PgBouncer says 08P01 for all that it refuses.
  return code === FULL || code === '08P01' && /no more connections allowed/.test(error.message)
}

/** The same in PostgreSQL's own code, by which it is known elsewhere. */
export function serverFull(cause: Error): Error {
  return Object.assign(new Error('The server has no connection left', { cause }), { code: FULL })
}

/** Whether a server or a pooler ended a connection because nobody used it for a while, as it was told to: no trouble of anybody. */
export function isIdleCut(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  return code === IDLE_SESSION_TIMEOUT || code === '08P01' && /client_idle_timeout/.test(error.message)
}

/** SQLSTATE. */
const IDLE_SESSION_TIMEOUT = '57P05'

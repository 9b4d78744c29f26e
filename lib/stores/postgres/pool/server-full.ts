import { errorCodeOf } from '../../failures/error-code.ts'

/** SQLSTATE too_many_connections, for the server, the database or the user. */
const FULL = '53300'

/** Whether a server, or the pooler in front of it, has no connection left. */
export function isServerFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  // PgBouncer uses 08P01 for everything it refuses.
  return code === FULL || code === '08P01' && /no more connections allowed/.test(error.message)
}

/** The same with PostgreSQL's own code, which other code checks for. */
export function serverFull(cause: Error): Error {
  return Object.assign(new Error('The server has no connection left', { cause }), { code: FULL })
}

/** Whether a server or a pooler closed an idle connection because it is configured to: not a problem. */
export function isIdleCut(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  return code === IDLE_SESSION_TIMEOUT || code === '08P01' && /client_idle_timeout/.test(error.message)
}

/** SQLSTATE. */
const IDLE_SESSION_TIMEOUT = '57P05'

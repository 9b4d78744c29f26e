import { SCRIPT_ERROR } from '../script-error.ts'

/** Replies of a server that is no longer the primary: to a command, a script or EXEC. */
const DEMOTED = new RegExp(`^(?:${SCRIPT_ERROR}|EXECABORT Transaction discarded because of: )?(?:READONLY|MASTERDOWN)\\b`)

/** While the address still leads to a replica, each connection reopens at most this often. */
const FIRST_PAUSE_MS = 500
const MAX_RETRY_PAUSE_MS = 4_000
/** A connection that was not refused for this long starts over. */
const FORGOTTEN_AFTER_MS = 30_000

interface Refused { readonly at: number; readonly pauseMs: number }

const refusedBy = new WeakMap<object, Refused>()

/**
 * ioredis' option `reconnectOnError`. A failover may move the primary's address and leave connections to the old server open, which refuses
 * writes on them forever. The command fails with the server's own words, and the next one goes to whichever server has the address by then.
 * ioredis calls this on a connection's options object, which identifies the connection.
 */
export function reconnectWhenDemoted(this: object, error: Error): boolean {
  if (!DEMOTED.test(error.message)) return false
  const now = performance.now()
  const before = refusedBy.get(this)
  if (before === undefined || now - before.at > FORGOTTEN_AFTER_MS) {
    refusedBy.set(this, { at: now, pauseMs: FIRST_PAUSE_MS })
    return true
  }
  if (now - before.at < before.pauseMs) return false
  refusedBy.set(this, { at: now, pauseMs: Math.min(before.pauseMs * 2, MAX_RETRY_PAUSE_MS) })
  return true
}

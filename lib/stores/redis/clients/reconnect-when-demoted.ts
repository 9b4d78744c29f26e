import { SCRIPT_ERROR } from '../script-error.ts'

/** Replies of a server that is no longer the primary: to a command, to a script, to EXEC. */
const DEMOTED = new RegExp(`^(?:${SCRIPT_ERROR}|EXECABORT Transaction discarded because of: )?(?:READONLY|MASTERDOWN)\\b`)

/** Where the address still leads to a replica, each connection asks for the new primary this often, and no more. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 4_000
/** A connection that was not refused for so long begins anew. */
const FORGOTTEN_AFTER_MS = 30_000

interface Refused { readonly at: number; readonly pauseMs: number }

const refusedBy = new WeakMap<object, Refused>()

/**
 * ioredis' option `reconnectOnError`. A failover may move the address of the primary and leave the connections to the old one open: it
 * refuses writes on them for ever. The command fails, with the server's own words, and the next one goes to whoever has the address then.
 * ioredis calls it on the options of one connection, which tell the connections apart.
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
  refusedBy.set(this, { at: now, pauseMs: Math.min(before.pauseMs * 2, LONGEST_PAUSE_MS) })
  return true
}

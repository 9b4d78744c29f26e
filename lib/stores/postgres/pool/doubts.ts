import type { Client } from 'pg'
import { withDeadline } from '../../../time/deadline.ts'
import { MINUTE_MS } from '../../../time/units.ts'

/** Connections that may lead to a standby. During a failover some are opened before the address moves, and some after. */
export interface Doubts {
  /** Adds these connections, and those opened in the next minute. */
  add(clients: Iterable<Client>): void
  opened(client: Client): void
  has(client: Client): boolean
  /** Asks its server whether it accepts writes. False if the connection should be replaced. */
  isFit(client: Client): Promise<boolean>
}

const KEPT_FOR_MS = MINUTE_MS
const REPLACED_EVERY_MS = 500
const ASKED_FOR_MS = 1_000

export function createDoubts(): Doubts {
  const doubted = new WeakSet<Client>()
  let beganAt = -Infinity
  /** Reset when a server that accepts writes was found. */
  let replacedAt = -Infinity

  return {
    add(clients) {
      beganAt = performance.now()
      for (const client of clients) doubted.add(client)
    },
    opened(client) { if (performance.now() - beganAt < KEPT_FOR_MS) doubted.add(client) },
    has: client => doubted.has(client),
    async isFit(client) {
      doubted.delete(client)
      const isWritable = await acceptsWrites(client)
      if (isWritable === null) return false
      if (isWritable) replacedAt = -Infinity
      // Without a primary the connection still serves reads; more connections would not help.
      else if (performance.now() - replacedAt < REPLACED_EVERY_MS) doubted.add(client)
      else {
        replacedAt = performance.now()
        return false
      }
      return true
    }
  }
}

/**
 * Also detects a role or a database that is read-only: its sessions notice that this has ended only when they are reopened. Null if no
 * response comes.
 */
async function acceptsWrites(client: Client): Promise<boolean | null> {
  const asked = client.query<{ yes: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND NOT current_setting('default_transaction_read_only')::boolean AS yes`
  )
  return await withDeadline(asked, ASKED_FOR_MS, 'no answer').then(({ rows }) => rows[0]!.yes, () => null)
}

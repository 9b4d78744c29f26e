import type { Client } from 'pg'
import { POSTGRES_FIRST_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import type { ConnectionPool } from '../pool/connection-pool.ts'

export interface ServerFacts {
  /** In the format of `server_version_num`: 150004. */
  readonly version: number
  /** Whether it is behind a pooler, which may give each transaction a different session. */
  readonly isPooled: boolean
}

/**
 * A process's first statement. Waits for a server that is full.
 * @param within a limit, or what is left of the start if that is less
 */
export async function inspectServer(connections: ConnectionPool, within: (ms: number) => number): Promise<ServerFacts> {
  const { client, release } = await connections.take('rest', within(POSTGRES_FIRST_MS))
  try {
    const asked = client.query<{ version: number; pid: number }>(
      `SELECT current_setting('server_version_num')::int AS version, pg_backend_pid() AS pid`
    )
    const { rows } = await withDeadline(asked, within(POSTGRES_FIRST_MS), 'the database did not answer')
    const { version, pid } = rows[0]!
    release()
    return { version, isPooled: isPooled(client, pid) }
  } catch (error) {
    release(true)
    throw error
  }
}

/** Poolers make up the process id that is used to cancel a statement. A statement returns the real one. */
export function isPooled(client: Client, pid: number): boolean {
  return (client as Client & { processID: number | null }).processID !== pid
}

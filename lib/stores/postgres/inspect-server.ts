import type { Client } from 'pg'
import { withDeadline } from '../../time/deadline.ts'
import type { ConnectionPool } from './pool/connection-pool.ts'

export interface ServerFacts {
  /** In the format of `server_version_num`: 150004. */
  readonly version: number
  /** Whether it is behind a pooler, which may give each transaction a different session. */
  readonly isPooled: boolean
}

/** A process's first statement. Rejects within `timeoutMs`; until then it waits for a server that is full. */
export async function inspectServer(connections: ConnectionPool, timeoutMs: number): Promise<ServerFacts> {
  const { client, release } = await connections.take('rest', timeoutMs)
  try {
    const asked = client.query<{ version: number; pid: number }>(
      `SELECT current_setting('server_version_num')::int AS version, pg_backend_pid() AS pid`
    )
    const { rows } = await withDeadline(asked, timeoutMs, 'the database did not answer')
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

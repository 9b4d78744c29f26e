import type { Client } from 'pg'
import type { ConnectionPool } from './pool/connection-pool.ts'

export interface ServerFacts {
  /** As `server_version_num`: 150004. */
  readonly version: number
  /** A pooler stands before it, which may give each transaction another session. */
  readonly isPooled: boolean
}

/** The first statement of a process. Rejects within `timeoutMs`, during which it waits for a server that is full. */
export async function inspectServer(connections: ConnectionPool, timeoutMs: number): Promise<ServerFacts> {
  const { client, release } = await connections.take('rest', timeoutMs)
  try {
    const query = {
      text: `SELECT current_setting('server_version_num')::int AS version, pg_backend_pid() AS pid`, query_timeout: timeoutMs
    }
    const { rows } = await client.query<{ version: number; pid: number }>(query)
    const { version, pid } = rows[0]!
    release()
    return { version, isPooled: isPooled(client, pid) }
  } catch (error) {
    release(true)
    throw error
  }
}

/** Poolers invent the number of the process by which a statement is cancelled; the server's own is told by a statement. */
export function isPooled(client: Client, pid: number): boolean {
  return (client as Client & { processID: number | null }).processID !== pid
}

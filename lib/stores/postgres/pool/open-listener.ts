import type { Client, ClientConfig } from 'pg'
import { withDeadline } from '../../../time/deadline.ts'
import type { SqlPoolClient } from '../../store.ts'
import { closeClient } from './client-state.ts'
import { isPooled } from '../checks/inspect-server.ts'

const QUICK_TIMEOUT_MS = 3_000

/** A separate connection that keeps its session, for LISTEN. Null behind a pooler that would not keep it. */
export async function openListener(ClientOfPg: typeof Client, config: ClientConfig): Promise<SqlPoolClient | null> {
  const client = new ClientOfPg(config)
  // An error before anyone listens for errors shows up in the next statement.
  client.on('error', () => {})
  const close = (): void => { void closeClient(client) }
  try {
    await client.connect()
    const asked = client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const { rows } = await withDeadline(asked, QUICK_TIMEOUT_MS, 'the database did not answer')
    if (!isPooled(client, rows[0]!.pid)) return toPoolClient(client, close)
    close()
    return null
  } catch (error) {
    close()
    throw error
  }
}

/** The client with the interface of a pooled one. */
export function toPoolClient(client: Client, release: (isBroken?: boolean) => void): SqlPoolClient {
  const shaped: SqlPoolClient = {
    query: (text, parameters) => client.query(text, parameters === undefined ? undefined : [...parameters]) as never,
    release,
    on(event: string, listener: (...values: never[]) => void) {
      client.on(event as 'error', listener as never)
      return shaped
    },
    removeListener(event: string, listener: (...values: never[]) => void) {
      client.removeListener(event, listener as never)
      return shaped
    },
    removeAllListeners(event?: string) {
      client.removeAllListeners(event)
      return shaped
    }
  }
  return shaped
}

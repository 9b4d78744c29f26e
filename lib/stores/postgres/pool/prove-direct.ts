import { randomUUID } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { withDeadline } from '../../../time/deadline.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import type { SqlStore } from '../../store.ts'
import { closeClient } from './client-state.ts'
import { isPooled } from '../inspect-server.ts'
import { isServerFull } from './server-full.ts'

const CONNECTED_WITHIN_MS = 2_000
const HEARD_WITHIN_MS = 2_000

/** What is wrong with `directUrl`; has a cause if it cannot be reached. */
export class DirectUrlError extends Error {}

/**
 * Checks that notifications sent through `url` arrive through `directUrl`. If it were a different database, they would silently be lost.
 * Rejects with a DirectUrlError. If the server is full, nothing is checked; the next attempt to listen connects again.
 */
export async function proveDirect(ClientOfPg: typeof Client, config: ClientConfig, query: SqlStore['query']): Promise<void> {
  const client = new ClientOfPg(config)
  client.on('error', () => {})
  try {
    await withDeadline(client.connect(), CONNECTED_WITHIN_MS, 'no connection')
    const channel = `task_dashboard_${randomUUID().replaceAll('-', '')}`
    const heard = new Promise<void>(resolve => { client.on('notification', message => { if (message.channel === channel) resolve() }) })
    const { rows } = await withDeadline(client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'), HEARD_WITHIN_MS, 'no answer')
    if (isPooled(client, rows[0]!.pid))
      throw new DirectUrlError('directUrl is a pooler too: use the URL of the server itself')
    await withDeadline(client.query(`LISTEN ${channel}`), HEARD_WITHIN_MS, 'no answer')
    await query('SELECT pg_notify($1, $2)', [channel, ''])
    await withDeadline(heard, HEARD_WITHIN_MS, () =>
      new DirectUrlError('directUrl is another database: a notification sent through url does not arrive there'))
  } catch (error) {
    if (!isServerFull(error))
      throw error instanceof DirectUrlError ? error : new DirectUrlError(`directUrl: ${failureReason(error)}`, { cause: error })
  } finally {
    void closeClient(client)
  }
}

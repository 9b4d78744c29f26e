import { randomUUID } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import { DIRECT_STEP_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import type { SqlStore } from '../../store.ts'
import { closeClient } from './client-state.ts'
import { isPooled } from '../checks/inspect-server.ts'
import { isServerFull } from './server-full.ts'

/** What is wrong with `directUrl`; has a cause if it cannot be reached. */
export class DirectUrlError extends Error {}

/**
 * Checks that notifications sent through `url` arrive through `directUrl`. If it were a different database, they would silently be lost.
 * Rejects with a DirectUrlError. If the server is full, nothing is checked; the next attempt to listen connects again.
 * @param within a limit, or what is left of the start if that is less
 */
export async function proveDirect(
  ClientOfPg: typeof Client, config: ClientConfig, query: SqlStore['query'], within: (ms: number) => number
): Promise<void> {
  const client = new ClientOfPg(config)
  client.on('error', () => {})
  const inTime = <Result>(step: Promise<Result>): Promise<Result> => withDeadline(step, within(DIRECT_STEP_MS), 'no answer')
  try {
    await inTime(client.connect())
    const channel = `task_dashboard_${randomUUID().replaceAll('-', '')}`
    const heard = new Promise<void>(resolve => { client.on('notification', message => { if (message.channel === channel) resolve() }) })
    const { rows } = await inTime(client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))
    if (isPooled(client, rows[0]!.pid))
      throw new DirectUrlError('directUrl is a pooler too: use the URL of the server itself')
    await inTime(client.query(`LISTEN ${channel}`))
    await query('SELECT pg_notify($1, $2)', [channel, ''])
    const waitMs = within(DIRECT_STEP_MS)
    // In less time, a notification over a slow network may still be under way.
    await withDeadline(heard, waitMs, waitMs < DIRECT_STEP_MS
      ? 'no answer'
      : () => new DirectUrlError('directUrl is another database: a notification sent through url does not arrive there'))
  } catch (error) {
    if (!isServerFull(error))
      throw error instanceof DirectUrlError ? error : new DirectUrlError(`directUrl: ${failureReason(error)}`, { cause: error })
  } finally {
    void closeClient(client)
  }
}

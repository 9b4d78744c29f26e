import type { Client } from 'pg'
import { withDeadline } from '../../../time/deadline.ts'
import { NO_CONNECTION } from '../../failures/may-have-happened.ts'

const PROBE_TIMEOUT_MS = 1_000
const CLOSED_WITHIN_MS = 1_000

export async function answers(client: Client): Promise<boolean> {
  return await withDeadline(client.query('SELECT 1'), PROBE_TIMEOUT_MS, 'no answer').then(() => true, () => false)
}

/** Marks that nothing was sent, which the client's own message does not say. */
export function toNoConnection(error: Error): Error {
  return error.message === 'timeout expired' ? new Error(NO_CONNECTION, { cause: error }) : error
}

/**
 * Closes the connection politely, and gives the server a second to close its side. A server that hangs never does, and the socket would
 * keep the process alive, so it is then destroyed. Never rejects.
 */
export async function closeClient(client: Client): Promise<void> {
  await withDeadline(client.end(), CLOSED_WITHIN_MS, 'no answer').catch(() => { destroySocket(client) })
}

export function destroySocket(client: Client): void {
  (client as Client & { connection?: { stream?: { destroy?(): void } } }).connection?.stream?.destroy?.()
}

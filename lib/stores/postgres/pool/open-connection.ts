import type { Client } from 'pg'
import { MINUTE_MS } from '../../../time/units.ts'

/** An open connection. */
export interface OpenConnection {
  readonly client: Client
  idleSince: number
  /** Time in use since `countedSince`. */
  busyMs: number
  countedSince: number
  isSuspect: boolean
  isLost: boolean
}

export function toOpenConnection(client: Client): OpenConnection {
  const now = performance.now()
  return { client, idleSince: now, busyMs: 0, countedSince: now, isSuspect: false, isLost: false }
}

/**
 * A connection used for less than a fiftieth of this time is closed. The last one stays open longer, so that the next caller need not wait.
 */
const IDLE_MS = 10_000
const LEAST_USE = 0.02
const LAST_IDLE_MS = 5 * MINUTE_MS
/** On a slow network, where opening one takes long, it is kept for this many times as long. */
const IDLE_PER_CONNECT = 100

/** Whether an idle connection may be closed. If not, its use is counted from now on. */
export function isSpare(connection: OpenConnection, now: number, { connectMs, isLast }: { connectMs: number; isLast: boolean }): boolean {
  const idleMs = Math.max(IDLE_MS, connectMs * IDLE_PER_CONNECT)
  if (isLast) return now - connection.idleSince > Math.max(idleMs, LAST_IDLE_MS)
  if (now - connection.countedSince <= idleMs) return false
  if (connection.busyMs < idleMs * LEAST_USE) return true
  connection.busyMs = 0
  connection.countedSince = now
  return false
}

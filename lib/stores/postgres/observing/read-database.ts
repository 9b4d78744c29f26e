import { createTaskDashboardError } from '../../../errors.ts'
import { POSTGRES_FIRST_MS } from '../../../time/budgets.ts'
import { DeadlineError } from '../../../time/deadline.ts'
import { isLocked } from '../is-locked.ts'
import type { PostgresSource } from '../source/postgres-source.ts'
import { createObservedSessions } from './observed-sessions.ts'

/** Connections to someone else's PostgreSQL database, in sessions that can only read. */
export interface ReadDatabase {
  /** The URL without credentials. */
  readonly label: string
  /** Equal for two sources that open the same database. Reveals no credentials. */
  readonly identity: string
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /**
   * Runs one statement. Rejects within 1.5 s, and the server ends it then. Rejects earlier, also with a DeadlineError, if another session
   * has locked a table.
   */
  read<Row extends object>(text: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** The server's clock, milliseconds since the epoch. */
  now(): Promise<number>
  /** One round trip in milliseconds. */
  ping(timeoutMs?: number): Promise<number>
  version(): Promise<string | null>
}

const MAX_CONNECTIONS = 6
/**
 * How long a read waits for a locked table. It occupies a connection, and only a few are shared by all schemas of the database.
 */
const LOCK_WAIT_MS = 250

export function createReadDatabase(source: PostgresSource, onError: (error: Error) => void): ReadDatabase {
  const { label, identity } = source
  const { start, stop, query } = createObservedSessions(source, {
    // Every write is refused.
    settings: `-c default_transaction_read_only=on -c lock_timeout=${LOCK_WAIT_MS}`,
    maxConnections: MAX_CONNECTIONS,
    async check(ask) {
      const [row] = await ask<{ is_read_only: string }>(
        `SELECT current_setting('transaction_read_only') AS is_read_only`, [], POSTGRES_FIRST_MS
      )
      if (row?.is_read_only === 'on') return
      throw createTaskDashboardError('STORE_UNSUITABLE', ['broker', label, 'a pooler takes away the setting that makes sessions ' +
        'read-only: use the address of the server itself'])
    }
  }, onError)

  return {
    label,
    identity,
    start,
    stop,
    async read<Row extends object>(text: string, parameters?: readonly unknown[]) {
      try {
        return await query<Row>(text, parameters)
      } catch (error) {
        if (!isLocked(error)) throw error
        throw new DeadlineError('another session has locked its tables', { cause: error })
      }
    },
    async now() {
      const [row] = await query<{ at: string }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at')
      return Number(row!.at)
    },
    async ping(timeoutMs) {
      const startedAt = performance.now()
      await query('SELECT 1', [], timeoutMs)
      return performance.now() - startedAt
    },
    async version() {
      const [row] = await query<{ version: string }>(`SELECT current_setting('server_version') AS version`)
      return row?.version ?? null
    }
  }
}

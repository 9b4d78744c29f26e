import { POSTGRES_FIRST_MS } from '../../../time/budgets.ts'
import type { PostgresSource } from '../source/postgres-source.ts'
import { createObservedSessions } from './observed-sessions.ts'

/** Connections to someone else's PostgreSQL database. They run the statements that they were created with and change nothing else. */
export interface ChangeDatabase {
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /**
   * Runs one of its statements in a schema, in one step. Rejects within 1.5 s. The server may have run the statement by then, or may still
   * run it during the next 1.5 s.
   */
  run<Row extends object>(statement: ChangeStatement, schema: string, parameters: readonly unknown[]): Promise<Row[]>
}

/** @param schema quoted */
export type ChangeStatement = (schema: string) => string

/** The lane used here gets two of these. Changes are rare. */
const MAX_CONNECTIONS = 4
/** How long to wait for the lock of a row that someone else is changing. */
const LOCK_WAIT_MS = 1_000

export function createChangeDatabase(
  source: PostgresSource, statements: ReadonlySet<ChangeStatement>, onError: (error: Error) => void
): ChangeDatabase {
  const { start, stop, query } = createObservedSessions(source, {
    settings: `-c lock_timeout=${LOCK_WAIT_MS}`,
    maxConnections: MAX_CONNECTIONS,
    async check(ask) { await ask('SELECT 1', [], POSTGRES_FIRST_MS) }
  }, onError)

  return {
    start,
    stop,
    async run<Row extends object>(statement: ChangeStatement, schema: string, parameters: readonly unknown[]): Promise<Row[]> {
      if (!statements.has(statement)) throw new TypeError('This statement is not sent: this database is only observed')
      return await query<Row>(statement(schema), parameters)
    }
  }
}

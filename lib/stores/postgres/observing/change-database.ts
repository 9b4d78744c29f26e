import { POSTGRES_START_MS } from '../../../time/budgets.ts'
import type { PostgresSource } from '../source/postgres-source.ts'
import { createObservedSessions } from './observed-sessions.ts'

/** Connections to a PostgreSQL database of others, which run the statements they were created with and change nothing else. */
export interface ChangeDatabase {
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /**
   * Runs one of its statements in a schema, in one step. Rejects within 1.5 s; the server may have run it then, or may still do so for as
   * long again.
   */
  run<Row extends object>(statement: ChangeStatement, schema: string, parameters: readonly unknown[]): Promise<Row[]>
}

/** @param schema quoted */
export type ChangeStatement = (schema: string) => string

/** Of these, the lane that is used here has two: changes are rare. */
const MAX_CONNECTIONS = 4
/** Of a row that somebody else is changing. */
const LOCK_WAIT_MS = 1_000

export function createChangeDatabase(
  source: PostgresSource, statements: ReadonlySet<ChangeStatement>, onError: (error: Error) => void
): ChangeDatabase {
  const { start, stop, query } = createObservedSessions(source, {
    settings: `-c lock_timeout=${LOCK_WAIT_MS}`,
    maxConnections: MAX_CONNECTIONS,
    async check(ask) { await ask('SELECT 1', [], POSTGRES_START_MS) }
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

import { POSTGRES_FIRST_MS } from '../../../time/budgets.ts'
import type { SqlStore } from '../../store.ts'
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
  /**
   * The same while no other session can read or write a table. Rejects at once, without a change, if one is using it. The table is locked
   * only while the server runs the statement, never while it waits for this process.
   * @param table in the schema
   * @param given what the statement finds in `GIVEN`
   */
  runAlone<Text extends string>(statement: ChangeStatement, schema: string, table: string, given: object): Promise<Text>
}

/** @param schema quoted */
export type ChangeStatement = (schema: string) => string

/** SQL in a statement for `runAlone`: what it was given, as `jsonb`. */
export const GIVEN = `current_setting('task_dashboard.given')::jsonb`
/** SQL in a statement for `runAlone`, which must select this: returns a text to the caller. */
export const toCaller = (text: string): string => `set_config('task_dashboard.outcome', ${text}, false)`

/** The lane used here gets two of these. Changes are rare. */
const MAX_CONNECTIONS = 4
/** How long to wait for the lock of a row that someone else is changing. */
const LOCK_WAIT_MS = 1_000

export function createChangeDatabase(
  source: PostgresSource, statements: ReadonlySet<ChangeStatement>, onError: (error: Error) => void
): ChangeDatabase {
  const { start, stop, query, transaction } = createObservedSessions(source, {
    settings: `-c lock_timeout=${LOCK_WAIT_MS}`,
    maxConnections: MAX_CONNECTIONS,
    async check(ask) { await ask('SELECT 1', [], POSTGRES_FIRST_MS) }
  }, onError)

  function textOf(statement: ChangeStatement, schema: string): string {
    if (!statements.has(statement)) throw new TypeError('This statement is not sent: this database is only observed')
    return statement(schema)
  }

  return {
    start,
    stop,
    run: async <Row extends object>(statement: ChangeStatement, schema: string, parameters: readonly unknown[]): Promise<Row[]> =>
      await query<Row>(textOf(statement, schema), parameters),
    async runAlone<Text extends string>(statement: ChangeStatement, schema: string, table: string, given: object): Promise<Text> {
      const text = textOf(statement, schema)
      return await transaction(ask => alone<Text>(ask, text, `${schema}.${table}`, given))
    }
  }
}

/**
 * Runs a statement while no other session can use a table, and commits the transaction in which it is called. The lock and everything
 * until the commit are one message to the server: otherwise owners would wait for the table while this process is frozen or the network is
 * slow. The transaction that begins then, for the caller to end, holds no lock. Such a message has no parameters, so they are sent before.
 * That also keeps them out of the server's log if the lock is refused.
 */
export async function alone<Text extends string>(
  ask: SqlStore['query'], statement: string, table: string, given: object
): Promise<Text> {
  await ask(`SELECT set_config('task_dashboard.given', $1, true)`, [JSON.stringify(given)])
  const { rows } = await ask<{ outcome: Text }>(`
    LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE NOWAIT;
    ${statement};
    COMMIT AND CHAIN;
    SELECT current_setting('task_dashboard.outcome') AS outcome, set_config('task_dashboard.outcome', '', false)`)
  return rows[0]!.outcome
}

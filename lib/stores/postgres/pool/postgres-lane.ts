import type { Client, Connection, QueryConfig } from 'pg'
import { DeadlineError, withDeadline } from '../../../time/deadline.ts'
import type { SqlResult, SqlStore } from '../../store.ts'
import { cancelStatement } from './cancel-statement.ts'
import type { ConnectionPool, TakenConnection } from './connection-pool.ts'
import { isLocked } from '../is-locked.ts'
import { isReadOnly } from '../is-read-only.ts'
import type { Lane } from './shares.ts'

/** Statements of one kind of caller. Callers in a lane wait for each other and, as long as there are connections, for no other lane. */
export interface PostgresLane {
  /**
   * Runs one statement; parameters are `$1`, `$2`, … After `timeoutMs` it is cancelled, here and in the server. Then it rejects with a
   * DeadlineError.
   */
  query<Row extends object>(text: string, parameters: readonly unknown[] | undefined, timeoutMs: number): Promise<SqlResult<Row>>
  transaction<Result>(work: (query: SqlStore['query']) => Promise<Result>, timeoutMs: number): Promise<Result>
  connect(): Promise<TakenConnection>
  isBusy(): boolean
}

export interface LaneOptions {
  /** Milliseconds that a transaction, or a caller that needs a connection of its own, waits for one. */
  readonly waitMs: number
  /** A statement got no response: the server is slow, or its connections were cut off silently. */
  onSilence(): void
}

const CANCEL_TIMEOUT_MS = 1_000
/** If this process was blocked, the time of a transaction is over although the server has not been asked for its next statement. */
const MIN_STATEMENT_MS = 200

export function createPostgresLane(
  pool: ConnectionPool, lane: Lane, ConnectionOfPg: typeof Connection, { waitMs, onSilence }: LaneOptions
): PostgresLane {
  /** A statement that nobody waits for would keep running in the server and hold its locks. */
  function cancel(client: Client): Promise<void> {
    onSilence()
    return cancelStatement(ConnectionOfPg, client, CANCEL_TIMEOUT_MS)
  }

  /**
   * A server that refuses writes is a standby, and the address may lead to a different server by now. So the pool checks its connections
   * before it reuses them.
   */
  function isRefusedWrite(error: unknown): boolean {
    if (isReadOnly(error)) pool.doubt()
    return isReadOnly(error)
  }

  return {
    async query<Row extends object>(text: string, parameters: readonly unknown[] | undefined, timeoutMs: number) {
      const { client, release } = await pool.take(lane, timeoutMs)
      try {
        const result = await run<Row>(client, text, parameters, timeoutMs)
        release()
        return result
      } catch (error) {
        if (error instanceof GivenUpError) void cancel(client).finally(() => { release(true) })
        else release(!isRefusedWrite(error) && !isLocked(error))
        throw error
      }
    },
    async transaction(work, timeoutMs) {
      const deadline = Date.now() + timeoutMs
      const { client, release } = await pool.take(lane, Math.min(waitMs, timeoutMs))
      let failure: unknown
      try {
        const query: SqlStore['query'] = (text, parameters, options) =>
          run(client, text, parameters, Math.min(options?.timeoutMs ?? timeoutMs, Math.max(deadline - Date.now(), MIN_STATEMENT_MS)))
        // Independent of the database's default. The statements of a transaction see concurrent changes, and none of them fails because of
        // one.
        await query('BEGIN ISOLATION LEVEL READ COMMITTED')
        const result = await work(query)
        await query('COMMIT')
        return result
      } catch (error) {
        failure = error
        isRefusedWrite(error)
        if (error instanceof GivenUpError) await cancel(client)
        await client.query({ text: 'ROLLBACK', query_timeout: 1_000 } as QueryConfig).then(() => { failure = undefined }, () => {})
        throw error
      } finally {
        // A session that could not roll back is discarded.
        release(failure !== undefined)
      }
    },
    connect: () => pool.take(lane, waitMs),
    isBusy: () => pool.isBusy(lane)
  }
}

/**
 * Does not use `query_timeout` of `pg`: after the process was blocked, that timer fires before the response is read. A query that times out
 * discards its connection, so that a silent server does not occupy the pool's slots.
 */
async function run<Row extends object>(
  client: Client, text: string, parameters: readonly unknown[] | undefined, timeoutMs: number
): Promise<SqlResult<Row>> {
  const config: QueryConfig = { text }
  // Without parameters, pg uses the simple protocol, which accepts several statements.
  if (parameters !== undefined && parameters.length > 0) config.values = [...parameters]
  const late = (): Error => new GivenUpError(`the database did not answer within ${timeoutMs} ms`)
  const result = await withDeadline(client.query(config), timeoutMs, late)
  return Array.isArray(result) ? result.at(-1) as SqlResult<Row> : result
}

/** Nobody waits for the statement any longer. */
class GivenUpError extends DeadlineError {}

import type { Client, Connection, QueryConfig } from 'pg'
import type { SqlResult, SqlStore } from '../../store.ts'
import { cancelStatement } from './cancel-statement.ts'
import type { ConnectionPool, TakenConnection } from './connection-pool.ts'
import { isReadOnly } from '../is-read-only.ts'
import type { Lane } from './shares.ts'

/** Statements of one kind of callers, who wait for each other and, while there are connections, for nobody else. */
export interface PostgresLane {
  /** One statement; parameters are `$1`, `$2`, … After `timeoutMs` it is given up, here and in the server. */
  query<Row extends object>(text: string, parameters: readonly unknown[] | undefined, timeoutMs: number): Promise<SqlResult<Row>>
  transaction<Result>(work: (query: SqlStore['query']) => Promise<Result>, timeoutMs: number): Promise<Result>
  connect(): Promise<TakenConnection>
  isBusy(): boolean
}

export interface LaneOptions {
  /** Milliseconds that a transaction, or who wants a connection of his own, waits for one. */
  readonly waitMs: number
  /** A statement got no answer: the server is slow, or its connections were cut off without a word. */
  onSilence(): void
}

const CANCEL_TIMEOUT_MS = 1_000

export function createPostgresLane(
  pool: ConnectionPool, lane: Lane, ConnectionOfPg: typeof Connection, { waitMs, onSilence }: LaneOptions
): PostgresLane {
  /** What nobody waits for any more would go on in the server, with its locks. */
  function cancel(client: Client): Promise<void> {
    onSilence()
    return cancelStatement(ConnectionOfPg, client, CANCEL_TIMEOUT_MS)
  }

  /** A server that refuses writes is a standby, and the address may lead to another one by now: the pool looks before it is used again. */
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
        if (isGivenUp(error)) void cancel(client).finally(() => { release(true) })
        else release(!isRefusedWrite(error))
        throw error
      }
    },
    async transaction(work, timeoutMs) {
      const deadline = Date.now() + timeoutMs
      const { client, release } = await pool.take(lane, Math.min(waitMs, timeoutMs))
      let failure: unknown
      try {
        const query: SqlStore['query'] = (text, parameters, options) =>
          run(client, text, parameters, Math.max(1, Math.min(options?.timeoutMs ?? timeoutMs, deadline - Date.now())))
        // Whatever the database's default is: the statements of a transaction see what others did meanwhile, and none fails for it.
        await query('BEGIN ISOLATION LEVEL READ COMMITTED')
        const result = await work(query)
        await query('COMMIT')
        return result
      } catch (error) {
        failure = error
        isRefusedWrite(error)
        if (isGivenUp(error)) await cancel(client)
        await client.query({ text: 'ROLLBACK', query_timeout: 1_000 } as QueryConfig).then(() => { failure = undefined }, () => {})
        throw error
      } finally {
        // A session that could not roll back is thrown away.
        release(failure !== undefined)
      }
    },
    connect: () => pool.take(lane, waitMs),
    isBusy: () => pool.isBusy(lane)
  }
}

/** `query_timeout` gives up on the connection too, so that a silent server does not keep the pool's places. */
async function run<Row extends object>(
  client: Client, text: string, parameters: readonly unknown[] | undefined, timeoutMs: number
): Promise<SqlResult<Row>> {
  const config: QueryConfig & { query_timeout: number } = { text, query_timeout: timeoutMs }
  // Without parameters the simple protocol is used, which takes several statements.
  if (parameters !== undefined && parameters.length > 0) config.values = [...parameters]
  const result = await client.query(config)
  return Array.isArray(result) ? result.at(-1) as SqlResult<Row> : result
}

function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

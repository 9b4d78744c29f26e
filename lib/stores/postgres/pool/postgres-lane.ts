import type { Client, Connection, QueryConfig } from 'pg'
import { DeadlineError, startDeadline, withDeadline } from '../../../time/deadline.ts'
import type { SqlResult, SqlStore } from '../../store.ts'
import { cancelStatement } from './cancel-statement.ts'
import type { ConnectionPool, TakenConnection } from './connection-pool.ts'
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
const ROLLBACK_TIMEOUT_MS = 1_000

export function createPostgresLane(
  pool: ConnectionPool, lane: Lane, ConnectionOfPg: typeof Connection, { waitMs, onSilence }: LaneOptions
): PostgresLane {
  /** A statement that no one waits for would keep running in the server and hold its locks. */
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
        else release(!isRefusedWrite(error))
        throw error
      }
    },
    async transaction(work, timeoutMs) {
      // One deadline for the connection and all statements, so that the next statement still has time after the process was blocked.
      const deadline = deadlineIn(timeoutMs)
      let taken: TakenConnection | undefined
      let failure: unknown
      let isOver = false
      try {
        const { client } = taken = await pool.take(lane, Math.min(waitMs, timeoutMs))
        const query: SqlStore['query'] = async (text, parameters, options) => {
          if (isOver) throw noAnswer(timeoutMs)
          return await run(client, text, parameters, options?.timeoutMs ?? timeoutMs)
        }
        const whole = (async () => {
          // Independent of the database's default. The statements of a transaction see concurrent changes, and none of them fails because
          // of one.
          await query('BEGIN ISOLATION LEVEL READ COMMITTED')
          const result = await work(query)
          await query('COMMIT')
          return result
        })()
        return await Promise.race([whole, deadline.late])
      } catch (error) {
        isOver = true
        if (taken === undefined) throw error
        failure = error
        isRefusedWrite(error)
        if (error instanceof GivenUpError) await cancel(taken.client)
        await withDeadline(taken.client.query('ROLLBACK'), ROLLBACK_TIMEOUT_MS, 'no answer').then(() => { failure = undefined }, () => {})
        throw error
      } finally {
        deadline.end()
        // A session that could not roll back is discarded.
        taken?.release(failure !== undefined)
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
  const result = await withDeadline(client.query(config), timeoutMs, () => noAnswer(timeoutMs))
  return Array.isArray(result) ? result.at(-1) as SqlResult<Row> : result
}

/** No one waits for the statement any longer. */
class GivenUpError extends DeadlineError {}

function deadlineIn(timeoutMs: number): { readonly late: Promise<never>; end(): void } {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    startDeadline(timeoutMs, { onTimer: next => { timer = next }, onLate: () => { reject(noAnswer(timeoutMs)) } })
  })
  late.catch(() => {})
  return { late, end: () => { clearTimeout(timer) } }
}

function noAnswer(timeoutMs: number): Error {
  return new GivenUpError(`the database did not answer within ${timeoutMs} ms`)
}

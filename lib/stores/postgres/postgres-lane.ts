import type { Pool, PoolClient, PoolConfig, QueryConfig } from 'pg'
import { withDeadline } from '../../deadline.ts'
import { NO_CONNECTION } from '../may-have-happened.ts'
import type { SqlResult, SqlStore } from '../store.ts'

/** Connections to PostgreSQL for one kind of callers, who wait for each other and for nobody else. */
export interface PostgresLane {
  /** One statement; parameters are `$1`, `$2`, … After `timeoutMs` it is given up, here and in the server. */
  query<Row extends object>(text: string, parameters: readonly unknown[] | undefined, timeoutMs: number): Promise<SqlResult<Row>>
  transaction<Result>(work: (query: SqlStore['query']) => Promise<Result>, timeoutMs: number): Promise<Result>
  connect(): Promise<PoolClient>
  /** Opens all its connections, as far as the server has some left. Never rejects. */
  warm(): Promise<void>
  /** Connections that stand may be dead: each is asked before it is used again. */
  suspect(): void
  end(): Promise<void>
  /** Lets go of connections whose server does not hang up either, and which would hold the process. */
  abandon(): void
}

export interface LaneOptions {
  /** Milliseconds that a transaction, or who wants a connection of his own, waits for one. */
  readonly waitMs: number
  onError(error: Error): void
  /** A statement got no answer: the server is slow, or its connections were cut off without a word. */
  onSilence(): void
}

const CANCEL_TIMEOUT_MS = 1_000
const PROBE_TIMEOUT_MS = 1_000

export function createPostgresLane(PoolOfPg: typeof Pool, config: PoolConfig, { waitMs, onError, onSilence }: LaneOptions): PostgresLane {
  const pool = new PoolOfPg(config)
  const connections = new Set<PoolClient>()
  const suspects = new Set<PoolClient>()
  const condemned = new Set<PoolClient>()
  pool.on('error', onError)
  // Between check-out and release pg reports a lost connection on the client alone, where nobody listens.
  pool.on('connect', client => {
    client.on('error', onError)
    connections.add(client)
  })
  pool.on('remove', client => {
    for (const set of [connections, suspects, condemned]) set.delete(client)
  })

  /** Whoever waits has a limit of his own. A connection that comes later is opened all the same, and is there for the next one. */
  async function checkOut(withinMs: number): Promise<PoolClient> {
    let isLate = false
    const connecting = standing()
    const client = await withDeadline(connecting, withinMs, () => {
      isLate = true
      return new Error(NO_CONNECTION)
    }).catch((error: unknown) => {
      // Nothing was sent, which the words of the pool do not always say.
      throw error instanceof Error && /timeout/.test(error.message) ? new Error(NO_CONNECTION, { cause: error }) : error
    }).finally(() => { if (isLate) connecting.then(late => { late.release() }, () => {}) })
    return client
  }

  async function standing(): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (!condemned.has(client) && (!suspects.has(client) || await answers(client))) return client
      client.release(true)
    }
  }

  /** One speaks for all that came under suspicion: a second each would be too long. */
  async function answers(client: PoolClient): Promise<boolean> {
    try {
      await run(client, 'SELECT 1', [], PROBE_TIMEOUT_MS)
      suspects.clear()
      return true
    } catch {
      for (const each of suspects) condemned.add(each)
      suspects.clear()
      return false
    }
  }

  /** What nobody waits for any more would go on in the server, with its locks. */
  async function cancel(client: PoolClient & { processID?: number | null }): Promise<void> {
    onSilence()
    // Ours alone, by the name that the URL may have changed: the process may have ended, and its number be another's.
    const text = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND application_name = current_setting('application_name')`
    await runOnce(text, [client.processID ?? null], CANCEL_TIMEOUT_MS).catch(() => {})
  }

  async function runOnce<Row extends object>(
    text: string, parameters: readonly unknown[] | undefined, timeoutMs: number, givenUp?: (client: PoolClient) => unknown
  ): Promise<SqlResult<Row>> {
    const client = await checkOut(timeoutMs)
    let failure: unknown
    try {
      return await run<Row>(client, text, parameters, timeoutMs)
    } catch (error) {
      failure = error
      if (isGivenUp(error)) givenUp?.(client)
      throw error
    } finally {
      client.release(failure !== undefined)
    }
  }

  return {
    query: (text, parameters, timeoutMs) => runOnce(text, parameters, timeoutMs, client => { void cancel(client) }),
    async transaction(work, timeoutMs) {
      const deadline = Date.now() + timeoutMs
      const client = await checkOut(Math.min(waitMs, timeoutMs))
      let failure: unknown
      try {
        const query: SqlStore['query'] = (text, parameters, options) =>
          run(client, text, parameters, Math.max(1, Math.min(options?.timeoutMs ?? timeoutMs, deadline - Date.now())))
        await query('BEGIN')
        const result = await work(query)
        await query('COMMIT')
        return result
      } catch (error) {
        failure = error
        if (isGivenUp(error)) await cancel(client)
        await client.query({ text: 'ROLLBACK', query_timeout: 1_000 } as QueryConfig).then(() => { failure = undefined }, () => {})
        throw error
      } finally {
        // A session that could not roll back is thrown away.
        client.release(failure !== undefined)
      }
    },
    connect: () => checkOut(waitMs),
    async warm() {
      const opened = await Promise.allSettled(Array.from({ length: config.max ?? 1 }, () => pool.connect()))
      for (const each of opened) if (each.status === 'fulfilled') each.value.release()
    },
    suspect() { for (const client of connections) suspects.add(client) },
    end: () => pool.end(),
    abandon() { for (const client of connections) (client as PoolClient & { connection?: { stream?: { destroy?(): void } } }).connection?.stream?.destroy?.() }
  }
}

/** `query_timeout` gives up on the connection too, so that a silent server does not keep the pool's places. */
async function run<Row extends object>(
  client: PoolClient, text: string, parameters: readonly unknown[] | undefined, timeoutMs: number
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

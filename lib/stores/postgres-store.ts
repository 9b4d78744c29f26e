import type { Pool, PoolClient, PoolConfig, QueryConfig } from 'pg'
import { createTaskDashboardError } from '../errors.ts'
import { withDeadline } from '../deadline.ts'
import { createSqlDocuments, migrateDocuments } from './documents/sql-documents.ts'
import { failureReason } from './failure-reason.ts'
import { loadPackage } from './load-package.ts'
import { sqlNow } from './sql-now.ts'
import type { SqlPool, SqlResult, SqlStore, StoreOptions } from './store.ts'
import type { ServerUrl } from './store-url.ts'

/** PostgreSQL 13 or newer, at most `MAX_CONNECTIONS` connections a process. */
export function createPostgresStore(storeUrl: ServerUrl<'postgres'>, options: StoreOptions): SqlStore {
  const { label } = storeUrl
  const schema = options.namespace
  let pool: Pool | undefined
  const connections = new Set<PoolClient>()
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const opened = (): Pool => {
    if (pool === undefined) throw createTaskDashboardError('NOT_STARTED')
    return pool
  }

  const query: SqlStore['query'] = (text, parameters, { timeoutMs = REQUEST_TIMEOUT_MS } = {}) =>
    withDeadline(runOne(opened(), text, parameters, timeoutMs), timeoutMs, 'the database did not answer')

  async function open(): Promise<void> {
    const { default: pg } = await loadPackage(() => import('pg'), 'pg', storeUrl.scheme)
    pool = new pg.Pool(toPoolConfig(storeUrl.url, `${schema}_queue`))
    pool.on('error', options.onError)
    // Between check-out and release pg reports a lost connection on the client alone, where nobody listens.
    pool.on('connect', client => {
      client.on('error', options.onError)
      connections.add(client)
    })
    pool.on('remove', client => connections.delete(client))
    try {
      const { rows } = await withDeadline(run<{ version: number }>(pool, 'SELECT current_setting(\'server_version_num\')::int AS version', [], START_TIMEOUT_MS), START_TIMEOUT_MS, 'no answer')
      checkVersion(rows[0]!.version, options, label)
      await migrateDocuments(store)
    } catch (error) {
      void pool.end().catch(() => {})
      if (error instanceof Error && 'code' in error && error.code === 'STORE_UNSUITABLE') throw error
      throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, label, failureReason(error)], { cause: error })
    }
  }

  const store: SqlStore = {
    kind: 'postgres',
    label,
    schema,
    get pool() { return opened() as unknown as SqlPool },
    requestPool: { query: (text, parameters) => runOne(opened(), text, parameters, REQUEST_TIMEOUT_MS) },
    documents: createSqlDocuments(() => store),
    query,
    transaction: (work, { timeoutMs = TRANSACTION_TIMEOUT_MS } = {}) => transact(opened(), work, timeoutMs),
    start() {
      if (stopping !== undefined) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= open())
    },
    stop() {
      return (stopping ??= (async () => {
        const isOpen = await starting?.then(() => true, () => false)
        if (isOpen) await withDeadline(opened().end(), 2_000, 'no answer').catch(() => { for (const client of connections) abandon(client) })
      })())
    },
    async ping(timeoutMs = REQUEST_TIMEOUT_MS) {
      const start = performance.now()
      await query('SELECT 1', [], { timeoutMs })
      return performance.now() - start
    },
    now: () => sqlNow(query)
  }
  return store
}

const MAX_CONNECTIONS = 10
const REQUEST_TIMEOUT_MS = 1_500
const START_TIMEOUT_MS = 3_500
const TRANSACTION_TIMEOUT_MS = 10_000
const CANCEL_TIMEOUT_MS = 1_000
const MINIMUM_VERSION = 130_000

function toPoolConfig(url: string, searchPath: string): PoolConfig {
  return {
    connectionString: url.replace(/^postgresql:/, 'postgres:'),
    max: MAX_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: 1_500,
    idleTimeoutMillis: 30_000,
    application_name: 'fastify-task-dashboard',
    options: `-c search_path=${searchPath}`
  }
}

/** `query_timeout` gives up on the connection too, so that a silent server does not keep the pool's places. */
async function run<Row extends object>(
  client: Pool | PoolClient, text: string, parameters: readonly unknown[] | undefined, timeoutMs: number
): Promise<SqlResult<Row>> {
  const config: QueryConfig & { query_timeout: number } = { text, query_timeout: timeoutMs }
  // Without parameters the simple protocol is used, which takes several statements.
  if (parameters !== undefined && parameters.length > 0) config.values = [...parameters]
  const result = await client.query(config)
  return Array.isArray(result) ? result.at(-1) as SqlResult<Row> : result
}

async function runOne<Row extends object>(pool: Pool, text: string, parameters: readonly unknown[] | undefined, timeoutMs: number): Promise<SqlResult<Row>> {
  const client = await pool.connect()
  let failure: unknown
  try {
    return await run<Row>(client, text, parameters, timeoutMs)
  } catch (error) {
    failure = error
    if (isGivenUp(error)) void cancel(pool, client)
    throw error
  } finally {
    client.release(failure !== undefined)
  }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** What nobody waits for any more would go on in the server, with its locks. */
async function cancel(pool: Pool, client: PoolClient & { processID?: number | null }): Promise<void> {
  // Ours alone, by the name that the URL may have changed: the process may have ended, and its number be another's.
  const text = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND application_name = current_setting('application_name')`
  await run(pool, text, [client.processID ?? null], CANCEL_TIMEOUT_MS).catch(() => {})
}

/** A server that is silent does not hang up either, and its connections would hold the process. */
function abandon(client: PoolClient & { connection?: { stream?: { destroy?(): void } } }): void {
  client.connection?.stream?.destroy?.()
}

async function transact<Result>(pool: Pool, work: (query: SqlStore['query']) => Promise<Result>, timeoutMs: number): Promise<Result> {
  const deadline = Date.now() + timeoutMs
  const client = await pool.connect()
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
    if (isGivenUp(error)) await cancel(pool, client)
    await client.query({ text: 'ROLLBACK', query_timeout: 1_000 } as QueryConfig).then(() => { failure = undefined }, () => {})
    throw error
  } finally {
    // A session that could not roll back is thrown away.
    client.release(failure !== undefined)
  }
}

function checkVersion(version: number, options: StoreOptions, label: string): void {
  if (version >= MINIMUM_VERSION) return
  throw createTaskDashboardError('STORE_UNSUITABLE', [options.role, label, `it is version ${Math.floor(version / 10_000)}; 13 or newer is needed`])
}

import type { ClientConfig, PoolConfig } from 'pg'
import { createTaskDashboardError, isTaskDashboardError } from '../../errors.ts'
import { POSTGRES_CONNECT_MS, POSTGRES_START_MS, PREFLIGHT_MS, SERVER_PATIENCE_MS, WORK_TIMEOUT_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import { createSqlAnswers, migrateAnswers } from '../answers/sql-answers.ts'
import { createSqlAudit, migrateAudit } from '../audit/sql-audit.ts'
import { createSqlDocuments, migrateDocuments } from '../documents/sql-documents.ts'
import { failureReason } from '../failures/failure-reason.ts'
import { loadPackage } from '../load-package.ts'
import { createConnectionPool, type ConnectionPool } from './pool/connection-pool.ts'
import { inspectServer } from './checks/inspect-server.ts'
import { openListener, toPoolClient } from './pool/open-listener.ts'
import { createPostgresLane, type PostgresLane } from './pool/postgres-lane.ts'
import { openStore } from '../open-store.ts'
import { isRead } from '../read-lane.ts'
import { checkRights } from './checks/check-rights.ts'
import { DirectUrlError, proveDirect } from './pool/prove-direct.ts'
import { settleTls } from './source/settle-tls.ts'
import type { Lane } from './pool/shares.ts'
import { sqlNow } from './sql-now.ts'
import type { SqlPool, SqlPoolClient, SqlStore, StoreOptions } from '../store.ts'
import type { PostgresSource } from './source/postgres-source.ts'

/** PostgreSQL 13 or newer, direct or behind a pooler. At most `maxConnections` connections per process; idle ones are closed soon. */
export function createPostgresStore(source: PostgresSource, options: StoreOptions): SqlStore {
  const { label } = source
  const schema = options.namespace
  const max = source.maxConnections ?? DEFAULT_MAX_CONNECTIONS
  const canListen = max >= LEAST_TO_LISTEN
  let parts: Parts | undefined
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const opened = (): Parts => {
    if (parts === undefined) throw createTaskDashboardError('NOT_STARTED')
    return parts
  }
  const lane = (): PostgresLane => isRead() ? opened().reads : opened().rest

  const query: SqlStore['query'] = <Row extends object>(
    ...[text, parameters, { timeoutMs = SERVER_PATIENCE_MS } = {}]: Parameters<SqlStore['query']>
  ) =>
    withDeadline(lane().query<Row>(text, parameters, timeoutMs), timeoutMs, 'the database did not answer')

  async function open(): Promise<void> {
    const { default: pg } = await loadPackage(() => import('pg'), 'pg', source.scheme)
    const startedAt = performance.now()
    const within = (ms: number): number => Math.max(Math.min(ms, startedAt + POSTGRES_START_MS - performance.now()), 1)
    const config = toClientConfig(await settleTls(pg.Client, source.config, source.optionalTls))
    const connections = createConnectionPool(() => new pg.Client(config), { max: canListen ? max - 1 : max, onError: options.onError })
    const createLane = (kind: Lane, waitMs: number): PostgresLane =>
      createPostgresLane(connections, kind, pg.Connection, { waitMs, onSilence: connections.suspect })
    parts = {
      connections,
      workers: createLane('workers', POSTGRES_CONNECT_MS),
      rest: createLane('rest', SERVER_PATIENCE_MS),
      reads: createLane('reads', SERVER_PATIENCE_MS),
      listen: null
    }
    const checkServer = async (): Promise<boolean> => {
      const { version, isPooled } = await inspectServer(connections, within)
      checkVersion(version, options, label)
      if (await checkRights(query, options, { label, isPooled, timeoutMs: within(PREFLIGHT_MS) }) !== 'read committed') {
        // For future connections, and for the current one.
        config.options = `${process.env['PGOPTIONS'] ?? ''} -c default_transaction_isolation=read\\ committed`.trim()
        await query(SET_ISOLATION, [], { timeoutMs: within(SERVER_PATIENCE_MS) })
      }
      return isPooled
    }
    try {
      const checked = checkServer()
      const proven = source.direct !== null && options.role === 'broker'
        ? proveDirect(pg.Client, toClientConfig(source.direct), async (...given) => {
          // It opens no further connection before all connections get the right isolation level.
          await checked
          return await query(...given)
        }, within)
        : undefined
      // What is wrong with the server itself is reported first.
      proven?.catch(() => {})
      const isPooled = await checked
      await proven
      await migrateDocuments(store)
      await migrateAnswers(store)
      await migrateAudit(store)
      const listenerConfig = source.direct === null ? config : toClientConfig(source.direct)
      if (canListen && (source.direct !== null || !isPooled)) parts.listen = () => openListener(pg.Client, listenerConfig)
    } catch (error) {
      void connections.end().catch(() => {})
      if (isTaskDashboardError(error)) throw error
      if (error instanceof DirectUrlError) {
        const code = error.cause === undefined ? 'STORE_UNSUITABLE' : 'STORE_UNREACHABLE'
        throw createTaskDashboardError(code, [options.role, label, error.message], { cause: error })
      }
      if (isStatementMode(error))
        throw createTaskDashboardError('STORE_UNSUITABLE', [options.role, label, STATEMENT_MODE], { cause: error })
      throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, label, failureReason(error)], { cause: error })
    }
  }

  const pool: SqlPool = {
    query: (text, parameters) => opened().workers.query(text, parameters, WORK_TIMEOUT_MS),
    connect: async () => {
      const { client, release } = await opened().workers.connect()
      return toPoolClient(client, release)
    },
    async end() {},
    // Lost connections are reported to the store's `onError`.
    on() { return pool },
    removeAllListeners() { return pool }
  }

  const store: SqlStore = {
    kind: 'postgres',
    label,
    patienceMs: SERVER_PATIENCE_MS,
    schema,
    get pool() {
      opened()
      return pool
    },
    requestPool: { query: (text, parameters) => lane().query(text, parameters, SERVER_PATIENCE_MS) },
    listen: async () => await opened().listen?.() ?? null,
    documents: createSqlDocuments(() => store),
    answers: createSqlAnswers(() => store),
    audit: createSqlAudit(() => store),
    query,
    transaction: (work, { timeoutMs = WORK_TIMEOUT_MS } = {}) => lane().transaction(work, timeoutMs),
    start() {
      if (stopping !== undefined) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= openStore(open, () => stopping !== undefined))
    },
    stop() {
      return (stopping ??= (async () => {
        const isOpen = await starting?.then(() => true, () => false)
        if (!isOpen) return
        const { connections } = opened()
        await withDeadline(connections.end(), 2_000, 'no answer').catch(() => { connections.abandon() })
      })())
    },
    async ping(timeoutMs = SERVER_PATIENCE_MS) {
      const start = performance.now()
      // If all connections of a lane are busy, the other lane answers sooner.
      const { reads, rest } = opened()
      const asked = (rest.isBusy() ? reads : rest).query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby', [], timeoutMs)
      const { rows } = await withDeadline(asked, timeoutMs, 'the database did not answer')
      // Otherwise reads could use a standby forever, because no write would reveal it.
      if (rows[0]?.standby) opened().connections.doubt()
      return performance.now() - start
    },
    now: () => sqlNow(query)
  }
  return store
}

/** Per process, including the one it listens on. */
export const DEFAULT_MAX_CONNECTIONS = 12
/** With fewer, none is reserved for listening: workers poll, and each lane gets one. */
const LEAST_TO_LISTEN = 4

type Parts = Record<Lane, PostgresLane> & { readonly connections: ConnectionPool; listen: (() => Promise<SqlPoolClient | null>) | null }

const MINIMUM_VERSION = 130_000
const SET_ISOLATION = 'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED'

/** No session settings such as a search path: a pooler refuses them or gives the session to another client. */
function toClientConfig(config: PoolConfig): ClientConfig {
  return {
    keepAlive: true,
    connectionTimeoutMillis: POSTGRES_CONNECT_MS,
    application_name: 'fastify-task-dashboard',
    ...config
  }
}

function isStatementMode(error: unknown): boolean {
  return error instanceof Error && /statement pooling mode/.test(error.message)
}
const STATEMENT_MODE = 'PgBouncer is in statement mode, where there are no transactions: set its pool_mode to transaction or session'

function checkVersion(version: number, options: StoreOptions, label: string): void {
  if (version >= MINIMUM_VERSION) return
  throw createTaskDashboardError(
    'STORE_UNSUITABLE', [options.role, label, `it is version ${Math.floor(version / 10_000)}; 13 or newer is needed`]
  )
}

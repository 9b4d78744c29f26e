import type { ClientConfig } from 'pg'
import { createTaskDashboardError, isTaskDashboardError } from '../../../errors.ts'
import { POSTGRES_START_MS, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { DeadlineError, withDeadline } from '../../../time/deadline.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import { loadPackage } from '../../load-package.ts'
import { createConnectionPool, type ConnectionPool } from '../pool/connection-pool.ts'
import { createPostgresLane, isGivenUp, type PostgresLane } from '../pool/postgres-lane.ts'
import type { PostgresSource } from '../source/postgres-source.ts'
import { settleTls } from '../source/settle-tls.ts'

/** Connections to a PostgreSQL database of others, in sessions that can only read. */
export interface ReadDatabase {
  /** The URL without credentials. */
  readonly label: string
  /** Equal for two sources that open the same database. Reveals no credentials. */
  readonly identity: string
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Runs one statement. Rejects within 1.5 s, and the server ends it then. */
  read<Row extends object>(text: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** The server's clock, milliseconds since the epoch. */
  now(): Promise<number>
  /** One round trip in milliseconds. */
  ping(timeoutMs?: number): Promise<number>
  version(): Promise<string | null>
}

/** Two thirds of them are of the only lane that is used here: the owners of the server need the rest. */
const MAX_CONNECTIONS = 6
/** On a slow network, opening a connection takes four round trips, longer than a request waits. */
const CONNECT_TIMEOUT_MS = 5_000
/** The session refuses every write, and ends statements that nobody waits for any more. */
const SESSION = `-c default_transaction_read_only=on -c statement_timeout=${2 * SERVER_PATIENCE_MS}`

export function createReadDatabase(source: PostgresSource, onError: (error: Error) => void): ReadDatabase {
  const { label, identity } = source
  let opened: { readonly connections: ConnectionPool; readonly lane: PostgresLane } | undefined
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  async function read<Row extends object>(
    text: string, parameters: readonly unknown[] = [], timeoutMs = SERVER_PATIENCE_MS
  ): Promise<Row[]> {
    if (opened === undefined) throw createTaskDashboardError(stopping === undefined ? 'NOT_STARTED' : 'ALREADY_STOPPED')
    const asked = opened.lane.query<Row>(text, parameters, timeoutMs).catch((error: unknown) => {
      throw isGivenUp(error) ? new DeadlineError(`the database did not answer within ${timeoutMs} ms`, { cause: error }) : error
    })
    return (await withDeadline(asked, timeoutMs, 'the database did not answer')).rows
  }

  async function open(): Promise<void> {
    const { default: pg } = await loadPackage(() => import('pg'), 'pg', source.scheme)
    const settled = await settleTls(pg.Client, source.config, source.optionalTls)
    const config: ClientConfig = {
      keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: 'fastify-task-dashboard', ...settled,
      options: `${settled.options ?? process.env['PGOPTIONS'] ?? ''} ${SESSION}`.trim()
    }
    const max = Math.min(source.maxConnections ?? MAX_CONNECTIONS, MAX_CONNECTIONS)
    const connections = createConnectionPool(() => new pg.Client(config), { max, onError })
    opened = {
      connections,
      lane: createPostgresLane(connections, 'workers', pg.Connection, { waitMs: SERVER_PATIENCE_MS, onSilence: connections.suspect })
    }
    try {
      const [row] = await read<{ is_read_only: string }>(
        `SELECT current_setting('transaction_read_only') AS is_read_only`, [], POSTGRES_START_MS
      )
      if (row?.is_read_only === 'on') return
      throw createTaskDashboardError('STORE_UNSUITABLE', ['broker', label, 'a pooler takes away the setting that makes sessions ' +
        'read-only: use the address of the server itself'])
    } catch (error) {
      opened = undefined
      void connections.end().catch(() => {})
      if (isTaskDashboardError(error)) throw error
      throw createTaskDashboardError('STORE_UNREACHABLE', ['broker', label, failureReason(error)], { cause: error })
    }
  }

  return {
    label,
    identity,
    start() {
      if (stopping !== undefined) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= open())
    },
    stop() {
      return (stopping ??= (async () => {
        await starting?.catch(() => {})
        const connections = opened?.connections
        opened = undefined
        if (connections !== undefined) await withDeadline(connections.end(), 2_000, 'no answer').catch(() => { connections.abandon() })
      })())
    },
    read: (text, parameters) => read(text, parameters),
    async now() {
      const [row] = await read<{ at: string }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at')
      return Number(row!.at)
    },
    async ping(timeoutMs) {
      const startedAt = performance.now()
      await read('SELECT 1', [], timeoutMs)
      return performance.now() - startedAt
    },
    async version() {
      const [row] = await read<{ version: string }>(`SELECT current_setting('server_version') AS version`)
      return row?.version ?? null
    }
  }
}

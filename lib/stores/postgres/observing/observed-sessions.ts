import type { ClientConfig } from 'pg'
import { createTaskDashboardError, isTaskDashboardError } from '../../../errors.ts'
import { POSTGRES_CONNECT_MS, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import { loadPackage } from '../../load-package.ts'
import { openStore } from '../../open-store.ts'
import type { SqlStore } from '../../store.ts'
import { createConnectionPool, type ConnectionPool } from '../pool/connection-pool.ts'
import { createPostgresLane, type PostgresLane } from '../pool/postgres-lane.ts'
import type { PostgresSource } from '../source/postgres-source.ts'
import { settleTls } from '../source/settle-tls.ts'

/** Sessions in someone else's PostgreSQL database. */
export interface ObservedSessions {
  /** Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE. Idempotent. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Runs one statement. Rejects within `timeoutMs`, by default 1.5 s, and the server ends it soon after. */
  query: Query
  /** Runs several statements in one transaction. Rejects within 1.5 s, and the server ends them soon after. */
  transaction<Result>(work: (query: SqlStore['query']) => Promise<Result>): Promise<Result>
}

export type Query = <Row extends object>(text: string, parameters?: readonly unknown[], timeoutMs?: number) => Promise<Row[]>

interface SessionOptions {
  /** Options of each session, as `-c name=value`. */
  readonly settings: string
  /** Small, because the owners of the server need its connections. Only one lane is used here, which gets 4 of 6, or 2 of 4. */
  readonly maxConnections: number
  /** Called once when they are opened. */
  check(query: Query): Promise<void>
}

/**
 * Ends statements that no one waits for any more. Replaces the database's default isolation level: a hot standby refuses `serializable`,
 * and elsewhere serializable reads could make the owner's transactions fail.
 */
const SETTINGS = `-c statement_timeout=${2 * SERVER_PATIENCE_MS} -c default_transaction_isolation=read\\ committed`

export function createObservedSessions(
  source: PostgresSource, { settings, maxConnections, check }: SessionOptions, onError: (error: Error) => void
): ObservedSessions {
  let opened: { readonly connections: ConnectionPool; readonly lane: PostgresLane } | undefined
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  function lane(): PostgresLane {
    if (opened === undefined) throw createTaskDashboardError(stopping === undefined ? 'NOT_STARTED' : 'ALREADY_STOPPED')
    return opened.lane
  }

  async function query<Row extends object>(
    text: string, parameters: readonly unknown[] = [], timeoutMs = SERVER_PATIENCE_MS
  ): Promise<Row[]> {
    return (await withDeadline(lane().query<Row>(text, parameters, timeoutMs), timeoutMs, 'the database did not answer')).rows
  }

  async function open(): Promise<void> {
    const { default: pg } = await loadPackage(() => import('pg'), 'pg', source.scheme)
    const settled = await settleTls(pg.Client, source.config, source.optionalTls)
    const config: ClientConfig = {
      keepAlive: true, connectionTimeoutMillis: POSTGRES_CONNECT_MS, application_name: 'fastify-task-dashboard', ...settled,
      options: `${settled.options ?? process.env['PGOPTIONS'] ?? ''} ${settings} ${SETTINGS}`.trim()
    }
    const max = Math.min(source.maxConnections ?? maxConnections, maxConnections)
    const connections = createConnectionPool(() => new pg.Client(config), { max, onError })
    opened = {
      connections,
      lane: createPostgresLane(connections, 'workers', pg.Connection, { waitMs: SERVER_PATIENCE_MS, onSilence: connections.suspect })
    }
    try {
      await check(query)
    } catch (error) {
      opened = undefined
      void connections.end().catch(() => {})
      if (isTaskDashboardError(error)) throw error
      throw createTaskDashboardError('STORE_UNREACHABLE', ['broker', source.label, failureReason(error)], { cause: error })
    }
  }

  return {
    query,
    transaction: async work => await lane().transaction(work, SERVER_PATIENCE_MS),
    start() {
      if (stopping !== undefined) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= openStore(open, () => stopping !== undefined))
    },
    stop() {
      return (stopping ??= (async () => {
        await starting?.catch(() => {})
        const connections = opened?.connections
        opened = undefined
        if (connections !== undefined) await withDeadline(connections.end(), 2_000, 'no answer').catch(() => { connections.abandon() })
      })())
    }
  }
}

import type { PoolConfig } from 'pg'
import { createTaskDashboardError } from '../../errors.ts'
import { withDeadline } from '../../deadline.ts'
import { createSqlAnswers, migrateAnswers } from '../answers/sql-answers.ts'
import { createSqlDocuments, migrateDocuments } from '../documents/sql-documents.ts'
import { failureReason } from '../failure-reason.ts'
import { loadPackage } from '../load-package.ts'
import { createPostgresLane, type PostgresLane } from './postgres-lane.ts'
import { isRead } from '../read-lane.ts'
import { settleTls } from './settle-tls.ts'
import { sqlNow } from './sql-now.ts'
import type { SqlPool, SqlPoolClient, SqlStore, StoreOptions } from '../store.ts'
import type { PostgresSource } from './postgres-source.ts'

/** PostgreSQL 13 or newer, at most 12 connections a process: see `CONNECTIONS`. */
export function createPostgresStore(source: PostgresSource, options: StoreOptions): SqlStore {
  const { label } = source
  const schema = options.namespace
  let lanes: Lanes | undefined
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const opened = (): Lanes => {
    if (lanes === undefined) throw createTaskDashboardError('NOT_STARTED')
    return lanes
  }
  const lane = (): PostgresLane => isRead() ? opened().reads : opened().rest

  const query: SqlStore['query'] = (text, parameters, { timeoutMs = REQUEST_TIMEOUT_MS } = {}) =>
    withDeadline(lane().query(text, parameters, timeoutMs), timeoutMs, 'the database did not answer')

  async function open(): Promise<void> {
    const { default: pg } = await loadPackage(() => import('pg'), 'pg', source.scheme)
    const suspectAll = (): void => { for (const each of Object.values(opened())) each.suspect() }
    const settled = await settleTls(pg.Client, source.config, source.optionalTls)
    const createLane = (max: number, waitMs: number, idleTimeoutMillis: number): PostgresLane => {
      const config = { ...toPoolConfig(settled, `${schema}_queue`), max, idleTimeoutMillis }
      return createPostgresLane(pg.Pool, config, { waitMs, onError: options.onError, onSilence: suspectAll })
    }
    lanes = {
      workers: createLane(CONNECTIONS.workers, CONNECT_TIMEOUT_MS, WORK_IDLE_MS),
      rest: createLane(CONNECTIONS.rest, REQUEST_TIMEOUT_MS, IDLE_MS),
      reads: createLane(CONNECTIONS.reads, REQUEST_TIMEOUT_MS, IDLE_MS)
    }
    try {
      const { rows } = await withDeadline(
        lanes.rest.query<{ version: number }>('SELECT current_setting(\'server_version_num\')::int AS version', [], START_TIMEOUT_MS), START_TIMEOUT_MS, 'no answer')
      checkVersion(rows[0]!.version, options, label)
      const warm = Promise.all([lanes.reads.warm(), lanes.rest.warm()])
      await migrateDocuments(store)
      await migrateAnswers(store)
      await withDeadline(warm, WARM_TIMEOUT_MS, 'no connection').catch(() => {})
    } catch (error) {
      for (const each of Object.values(lanes)) void each.end().catch(() => {})
      if (error instanceof Error && 'code' in error && error.code === 'STORE_UNSUITABLE') throw error
      throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, label, failureReason(error)], { cause: error })
    }
  }

  const pool: SqlPool = {
    query: (text, parameters) => opened().workers.query(text, parameters, WORK_TIMEOUT_MS),
    connect: async () => await opened().workers.connect() as unknown as SqlPoolClient,
    async end() {},
    // Each lane reports its errors to the store's `onError`.
    on() { return pool },
    removeAllListeners() { return pool }
  }

  const store: SqlStore = {
    kind: 'postgres',
    label,
    patienceMs: REQUEST_TIMEOUT_MS,
    schema,
    get pool() {
      opened()
      return pool
    },
    requestPool: { query: (text, parameters) => lane().query(text, parameters, REQUEST_TIMEOUT_MS) },
    documents: createSqlDocuments(() => store),
    answers: createSqlAnswers(() => store),
    query,
    transaction: (work, { timeoutMs = TRANSACTION_TIMEOUT_MS } = {}) => lane().transaction(work, timeoutMs),
    start() {
      if (stopping !== undefined) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= open())
    },
    stop() {
      return (stopping ??= (async () => {
        const isOpen = await starting?.then(() => true, () => false)
        if (!isOpen) return
        const all = Object.values(opened())
        await withDeadline(Promise.all(all.map(each => each.end())), 2_000, 'no answer').catch(() => { for (const each of all) each.abandon() })
      })())
    },
    async ping(timeoutMs = REQUEST_TIMEOUT_MS) {
      const start = performance.now()
      // Of a server whose connections are all at work one lane answers sooner.
      const { reads, rest } = opened()
      const asked = Promise.any([reads, rest].map(each => each.query('SELECT 1', [], timeoutMs)))
      await withDeadline(asked, timeoutMs, 'the database did not answer').catch((error: unknown) => {
        throw error instanceof AggregateError ? error.errors[0] : error
      })
      return performance.now() - start
    },
    now: () => sqlNow(query)
  }
  return store
}

/**
 * At most so many connections for each kind of callers, opened as they are needed. Workers take executions, renew locks and
 * report on theirs, and listen on one of them. Reads are what somebody looks at. The rest enqueues, records, keeps schedules and heartbeats.
 */
export const CONNECTIONS = { workers: 6, rest: 3, reads: 3 } as const
type Lanes = Record<keyof typeof CONNECTIONS, PostgresLane>

const REQUEST_TIMEOUT_MS = 1_500
/** Workers wait longer, but not for ever: a connection that was cut off without a word is found out by it. */
const WORK_TIMEOUT_MS = 10_000
/** Of opening a connection: on a slow network it takes four round trips, longer than a request waits. */
const CONNECT_TIMEOUT_MS = 5_000
/** The first to look after the start should not have to wait for connections. */
const WARM_TIMEOUT_MS = 2_000
const WORK_IDLE_MS = 30_000
/** Who looks at a dashboard comes back. */
const IDLE_MS = 300_000
const START_TIMEOUT_MS = 3_500
const TRANSACTION_TIMEOUT_MS = 10_000
const MINIMUM_VERSION = 130_000

function toPoolConfig(config: PoolConfig, searchPath: string): PoolConfig {
  return {
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'fastify-task-dashboard',
    ...config,
    options: `-c search_path=${searchPath}`
  }
}

function checkVersion(version: number, options: StoreOptions, label: string): void {
  if (version >= MINIMUM_VERSION) return
  throw createTaskDashboardError('STORE_UNSUITABLE', [options.role, label, `it is version ${Math.floor(version / 10_000)}; 13 or newer is needed`])
}

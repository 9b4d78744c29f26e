import type { Cluster, Redis } from 'ioredis'
import type { AnswerStore } from './answers/answers.ts'
import type { AuditStore } from './audit/audit.ts'
import type { DocumentStore } from './documents/documents.ts'

/** A datastore, opened once and shared by engine, result backend, scheduler and registry. */
export type Store = RedisStore | SqlStore

interface StoreLifecycle {
  /** The URL without credentials, for messages and logs. */
  readonly label: string
  readonly documents: DocumentStore
  readonly answers: AnswerStore
  readonly audit: AuditStore
  /**
   * How long a call that serves a request waits for a response, in milliseconds. A server that is silent for 1.5 s counts as unavailable.
   * The embedded store is in this process, where it can only be slow, not unavailable.
   */
  readonly patienceMs: number
  /**
   * Opens it. Rejects within 5 s with STORE_UNREACHABLE, STORE_UNSUITABLE, MISSING_PACKAGE or EMBEDDED_FOLDER_IN_USE. Idempotent.
   */
  start(): Promise<void>
  /** Closes every connection, timer and file it opened. Idempotent; never rejects. */
  stop(): Promise<void>
  /** One round trip, in milliseconds. Rejects within `timeoutMs` (default 1500). */
  ping(timeoutMs?: number): Promise<number>
  /**
   * The datastore's clock, milliseconds since the epoch. Use it wherever times of two processes are compared, because a process may run on
   * a machine with a wrong clock. In a cluster it is the clock of the node with our keys. Rejects within 1.5 s.
   */
  now(): Promise<number>
}

/** A client of a single server or a cluster. */
export type RedisClient = Redis | Cluster

export interface RedisStore extends StoreLifecycle {
  readonly kind: 'redis'
  /** Prefix of every key, with one hash tag so that Redis Cluster keeps them in one slot: `{tasks}`. */
  readonly keyPrefix: string
  /** For commands that serve a request: fails fast (no offline queue, a command timeout), never blocks. */
  readonly client: RedisClient
  /** For the engine's workers: waits until the server is back (`maxRetriesPerRequest: null`). */
  readonly patientClient: RedisClient
}

/** The part of `pg` that BullMQ and our drivers use; the embedded store implements it too. */
export interface SqlStore extends StoreLifecycle {
  readonly kind: 'postgres' | 'embedded'
  /** PostgreSQL schema of our own tables, `tasks`; the engine's is `${schema}_queue`. */
  readonly schema: string
  /**
   * For the engine's workers: waits. Has the interface of a pg.Pool. Statements qualify table names, because behind a pooler no session has
   * a search path.
   */
  readonly pool: SqlPool
  /** A connection that keeps its session, for LISTEN; `release` closes it. Null if none is available, as behind a pooler: poll instead. */
  listen(): Promise<SqlPoolClient | null>
  /** The same for calls that serve a request. If all share one session, these go before the workers. */
  readonly requestPool: Pick<SqlPool, 'query'>
  /** Runs one statement with a timeout on our own tables, whose names it must qualify. Parameters are `$1`, `$2`, … */
  query<Row extends object = Record<string, unknown>>(
    text: string, parameters?: readonly unknown[], options?: { timeoutMs?: number }
  ): Promise<SqlResult<Row>>
  /** Runs several statements in one transaction on one session; rolls back if `work` rejects. */
  transaction<Result>(work: (query: SqlStore['query']) => Promise<Result>, options?: { timeoutMs?: number }): Promise<Result>
}

export interface SqlResult<Row> { rows: Row[]; rowCount: number | null }

/** The part of pg.Pool that is used here, structurally BullMQ's PgPool. */
export interface SqlPool {
  query<Row extends object = Record<string, unknown>>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>>
  connect(): Promise<SqlPoolClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'connect', listener: (client: SqlPoolClient) => void): this
  removeAllListeners(event?: string): this
}

export interface SqlPoolClient {
  query<Row extends object = Record<string, unknown>>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>>
  release(destroy?: boolean): void
  on(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'end', listener: () => void): this
  removeListener(event: 'notification', listener: (message: { channel: string; payload?: string }) => void): this
  removeAllListeners(event?: string): this
}

export interface StoreOptions {
  /** Several queue apps can share one datastore if their namespaces differ. Letters, digits and `_`, at most 40. Default `tasks`. */
  namespace: string
  /** The role of the store, for messages: `broker` or `result backend`. */
  role: 'broker' | 'result backend'
  /** Called with errors of idle connections and background work, which no call can throw. */
  onError: (error: Error) => void
}

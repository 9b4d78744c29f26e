import type { Cluster, Redis } from 'ioredis'
import type { AnswerStore } from './answers/answers.ts'
import type { DocumentStore } from './documents/documents.ts'

/** A datastore, opened once and shared by engine, result backend, scheduler and registry. */
export type Store = RedisStore | SqlStore

interface StoreLifecycle {
  /** The URL without credentials, for messages and logs. */
  readonly label: string
  readonly documents: DocumentStore
  readonly answers: AnswerStore
  /**
   * How long a call on behalf of a request waits for an answer, in milliseconds. A server that is silent for 1.5 s counts as away; the
   * embedded store is in this process, where it cannot be away, only slow.
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
   * The datastore's clock, milliseconds since the epoch. It decides wherever times of two processes are compared, since a process may
   * run on a machine whose clock is wrong. In a cluster it is the clock of the node that keeps our keys. Rejects within 1.5 s.
   */
  now(): Promise<number>
}

/** Of one server, or of a cluster. */
export type RedisClient = Redis | Cluster

export interface RedisStore extends StoreLifecycle {
  readonly kind: 'redis'
  /** Prefix of every key, with one hash tag so that Redis Cluster keeps them in one slot: `{tasks}`. */
  readonly keyPrefix: string
  /** For commands on behalf of a request: fails fast (no offline queue, a command timeout), never blocks. */
  readonly client: RedisClient
  /** For the engine's workers: waits for the server to come back (`maxRetriesPerRequest: null`). */
  readonly patientClient: RedisClient
}

/** What BullMQ and our drivers use of `pg`; the embedded store is shaped the same. */
export interface SqlStore extends StoreLifecycle {
  readonly kind: 'postgres' | 'embedded'
  /** PostgreSQL schema of our own tables, `tasks`; the engine's is `${schema}_queue`. */
  readonly schema: string
  /** Shaped as a pg.Pool. Statements name their schema: behind a pooler no session has a search path. For the engine's workers: waits. */
  readonly pool: SqlPool
  /**
   * A connection that keeps its session, to listen on; `release` closes it. Null where there is none to be had, as behind a pooler: poll.
   */
  listen(): Promise<SqlPoolClient | null>
  /** The same for calls on behalf of a request: where all share one session, ahead of the workers. */
  readonly requestPool: Pick<SqlPool, 'query'>
  /** One statement with a timeout, for our own tables (which it names with their schema). Parameters are `$1`, `$2`, … */
  query<Row extends object = Record<string, unknown>>(
    text: string, parameters?: readonly unknown[], options?: { timeoutMs?: number }
  ): Promise<SqlResult<Row>>
  /** Several statements in one transaction on one session; rolls back when `work` rejects. */
  transaction<Result>(work: (query: SqlStore['query']) => Promise<Result>, options?: { timeoutMs?: number }): Promise<Result>
}

export interface SqlResult<Row> { rows: Row[]; rowCount: number | null }

/** The part of pg.Pool that is used here, structurally what BullMQ calls PgPool. */
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
  /** Default `tasks`. Several queue apps share one datastore when their namespaces differ. Letters, digits and `_`, at most 40. */
  namespace: string
  /** What the store is used for, in messages: `broker` or `result backend`. */
  role: 'broker' | 'result backend'
  /** Called with errors of idle connections and background work, which no call of ours can throw. */
  onError: (error: Error) => void
}

import { EventEmitter } from 'node:events'
import { EMBEDDED_PATIENCE_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { SqlPool, SqlPoolClient, SqlResult } from '../store.ts'
import { connectionFailure } from './database-error.ts'
import type { LastingDatabase } from './database/lasting-database.ts'
import type { Urgency } from './thread/messages.ts'
import { toSqlText } from './sql-text.ts'

/**
 * A database with a single session behind the interface of a pg.Pool. Statements run one at a time in arrival order, requests before
 * workers. A transaction holds the session from BEGIN to COMMIT or ROLLBACK. Every client gets every notification.
 */
export function createEmbeddedPool(): EmbeddedPool {
  const clients = new Set<Client>()
  let opened: LastingDatabase | undefined
  let isEnded = false
  let lastClient = 0

  function run<Row extends object>(
    text: string, parameters: readonly unknown[] = [], urgency: Urgency, client: number | null = null, signal?: AbortSignal
  ): Promise<SqlResult<Row>> {
    if (isEnded || opened === undefined) return Promise.reject(new Error('Cannot use a pool after calling end on the pool'))
    return opened.run<Row>({ text, parameters: parameters.map(toSqlText), urgency, client }, signal)
  }

  async function queryForRequest<Row extends object>(
    text: string, parameters?: readonly unknown[], timeoutMs = EMBEDDED_PATIENCE_MS
  ): Promise<SqlResult<Row>> {
    const withdrawal = new AbortController()
    try {
      return await withDeadline(run<Row>(text, parameters, 'request', null, withdrawal.signal), timeoutMs, 'the database did not answer')
    } finally {
      withdrawal.abort()
    }
  }

  function connect(): Promise<SqlPoolClient> {
    const client = createClient({
      run: (text, parameters, id) => run(text, parameters, 'work', id),
      onRelease() {
        clients.delete(client)
        if (!client.isLost()) opened?.release(client.id)
      }
    }, ++lastClient)
    clients.add(client)
    return Promise.resolve(client)
  }

  const pool = Object.assign(new EventEmitter(), {
    query: <Row extends object>(
      text: string, parameters?: readonly unknown[]
    ): Promise<SqlResult<Row>> => run<Row>(text, parameters, 'work'),
    queryForRequest,
    connect,
    serve(database: LastingDatabase): void { opened = database },
    notify(channel: string, payload: string): void {
      for (const client of clients) client.emit('notification', { channel, payload })
    },
    lose(error: Error): void {
      for (const client of [...clients]) client.lose(error)
    },
    async end(): Promise<void> {
      isEnded = true
      clients.clear()
      await opened?.close()
    }
  })
  // Each waiting worker is a listener.
  pool.setMaxListeners(0)
  return pool
}

export interface EmbeddedPool extends SqlPool {
  /**
   * Like `query`, but ahead of workers' statements, because a user is waiting. Gives up after `timeoutMs`; a statement that has not started
   * by then does not run.
   */
  queryForRequest<Row extends object = Record<string, unknown>>(
    text: string, parameters?: readonly unknown[], timeoutMs?: number
  ): Promise<SqlResult<Row>>
  serve(database: LastingDatabase): void
  notify(channel: string, payload: string): void
  /** Tells its clients that they have lost their session. */
  lose(error: Error): void
  /** Refuses new statements, waits for running ones, and closes the database. */
  end(): Promise<void>
}

type Client = ReturnType<typeof createClient>

interface ClientOwner {
  run<Row extends object>(text: string, parameters: readonly unknown[] | undefined, client: number): Promise<SqlResult<Row>>
  onRelease(): void
}

function createClient({ run, onRelease }: ClientOwner, id: number) {
  let isReleased = false
  let isLost = false

  const client = Object.assign(new EventEmitter(), {
    id,
    isLost: () => isLost,
    async query<Row extends object>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>> {
      if (isReleased) throw new Error('Client was released')
      if (isLost) throw connectionFailure('Connection terminated: the database was opened anew')
      return await run<Row>(text, parameters, id)
    },
    release(): void {
      if (isReleased) return
      isReleased = true
      onRelease()
    },
    lose(error: Error): void {
      isLost = true
      if (client.listenerCount('error') > 0) client.emit('error', error)
      client.emit('end')
    }
  })
  return client.setMaxListeners(0)
}

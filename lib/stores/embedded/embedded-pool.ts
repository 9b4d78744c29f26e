import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { PGlite, Results } from '@electric-sql/pglite'
import type { SqlPool, SqlPoolClient, SqlResult } from '../store.ts'
import { databaseErrorFrom } from './database-error.ts'
import { toSqlText } from './sql-text.ts'

/**
 * One PGlite, which is one session, shaped as a pg.Pool. Statements run one after the other in the order they came, those
 * of requests ahead of those of workers; a transaction keeps the session from BEGIN to COMMIT or ROLLBACK, and every client
 * hears every notification.
 */
export function createEmbeddedPool(database: PGlite): EmbeddedPool {
  const session = createSession(database)
  const clients = new Set<EventEmitter>()
  const unsubscribe = database.onNotification((channel, payload) => {
    for (const client of clients) client.emit('notification', { channel, payload })
  })

  async function runOne<Row extends object>(urgency: Urgency, text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>> {
    const release = await session.acquire(urgency)
    try {
      return await session.run<Row>(text, parameters)
    } finally {
      release()
    }
  }

  const pool = Object.assign(new EventEmitter(), {
    query: <Row extends object>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>> => runOne<Row>('work', text, parameters),
    queryForRequest: <Row extends object>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>> => runOne<Row>('request', text, parameters),
    async connect(): Promise<SqlPoolClient> {
      const client = createClient(session, () => clients.delete(client as unknown as EventEmitter))
      clients.add(client as unknown as EventEmitter)
      return client
    },
    async end(): Promise<void> {
      unsubscribe()
      clients.clear()
      await session.close()
    }
  })
  // Workers that wait each listen.
  pool.setMaxListeners(0)
  return pool
}

export interface EmbeddedPool extends SqlPool {
  /** As `query`, ahead of everything that workers wait for: somebody is looking. */
  queryForRequest: SqlPool['query']
  /** Waits for what runs; refuses what comes later. */
  end(): Promise<void>
}

type Urgency = 'request' | 'work'

interface Session {
  acquire(urgency: Urgency): Promise<() => void>
  run<Row extends object>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>>
  close(): Promise<void>
}

/** Statements hold the event loop while they run; so often others get their turn. */
const YIELD_AFTER_MS = 4
/** Then one of the workers has its turn, so that a flood of requests does not stop all work. */
const REQUESTS_IN_A_ROW = 4
/** No autovacuum and no checkpoints of its own: about 15 ms of housekeeping every so many statements. */
const HOUSEKEEPING_EVERY = 15_000

function createSession(database: PGlite): Session {
  const waiting: Record<Urgency, Array<() => void>> = { request: [], work: [] }
  let isHeld = false
  let isClosed = false
  let lastYield = performance.now()
  let untilHousekeeping = HOUSEKEEPING_EVERY
  let requestsInARow = 0
  let onIdle = (): void => {}

  async function acquire(urgency: Urgency): Promise<() => void> {
    if (isClosed) throw new Error('Cannot use a pool after calling end on the pool')
    if (isHeld) await new Promise<void>(resolve => { waiting[urgency].push(resolve) })
    isHeld = true
    if (performance.now() - lastYield > YIELD_AFTER_MS) {
      await setImmediate()
      lastYield = performance.now()
    }
    return () => {
      if (--untilHousekeeping > 0) return handOn()
      untilHousekeeping = HOUSEKEEPING_EVERY
      void keepHouse(database).catch(() => {}).then(handOn)
    }
  }

  /** It stays held: whoever is next has it before anybody else can ask. */
  function handOn(): void {
    const isTurnOfWork = requestsInARow >= REQUESTS_IN_A_ROW && waiting.work.length > 0
    const next = isTurnOfWork ? undefined : waiting.request.shift()
    requestsInARow = next === undefined ? 0 : requestsInARow + 1
    const chosen = next ?? waiting.work.shift()
    if (chosen !== undefined) return chosen()
    isHeld = false
    onIdle()
  }

  return {
    acquire,
    async run<Row extends object>(text: string, parameters?: readonly unknown[]) {
      try {
        if (parameters !== undefined && parameters.length > 0) {
          return resultFrom<Row>(await database.query<Row>(text, parameters.map(toSqlText), { serializers: AS_TEXT }))
        }
        // The simple protocol: several statements, and the only one for some of them.
        const results = await database.exec(text)
        return resultFrom<Row>(results.at(-1) as Results<Row> | undefined)
      } catch (error) {
        throw databaseErrorFrom(error)
      }
    },
    async close() {
      isClosed = true
      if (isHeld) await new Promise<void>(resolve => { onIdle = resolve })
    }
  }
}

function createClient(session: Session, onRelease: () => void): SqlPoolClient {
  let release: (() => void) | undefined
  let isReleased = false

  const client = Object.assign(new EventEmitter(), {
    async query<Row extends object>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>> {
      if (isReleased) throw new Error('Client was released')
      const ends = /^\s*(commit|rollback(?!\s+to))\b/i.test(text)
      const holds = release !== undefined
      const giveBack = release ?? await session.acquire('work')
      if (/^\s*(begin|start\s+transaction)\b/i.test(text)) release = giveBack
      try {
        return await session.run<Row>(text, parameters)
      } finally {
        if (ends && holds) release = undefined
        if (release === undefined) giveBack()
      }
    },
    release(): void {
      if (isReleased) return
      isReleased = true
      onRelease()
      const giveBack = release
      release = undefined
      if (giveBack !== undefined) void session.run('ROLLBACK').catch(() => {}).then(giveBack)
    }
  })
  return client.setMaxListeners(0)
}

async function keepHouse(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    'SELECT format(\'%I.%I\', schemaname, relname) AS name FROM pg_stat_user_tables')
  // Each in its own round: VACUUM cannot run inside a transaction block.
  for (const { name } of rows) await database.exec(`VACUUM ANALYZE ${name}`)
  await database.exec('CHECKPOINT')
}

/** Parameters are text already, whatever their type. */
const AS_TEXT = new Proxy<Record<number, (value: unknown) => string>>({}, { get: () => (value: unknown) => value as string })

/** As pg tells: changed rows, or for a query the rows it found. */
function resultFrom<Row extends object>(result: Results<Row> | undefined): SqlResult<Row> {
  if (result === undefined) return { rows: [], rowCount: null }
  return { rows: result.rows, rowCount: result.rows.length > 0 ? result.rows.length : result.affectedRows ?? 0 }
}

import { EventEmitter } from 'node:events'
import { withDeadline } from '../deadline.ts'
import type { SqlPool, SqlPoolClient, SqlResult } from '../stores/store.ts'

/** How often the connection that all listen on shows that it lives: one that was cut off without a word says nothing for ever. */
const ASKED_EVERY_MS = 5_000
const ANSWERED_WITHIN_MS = 3_000

/**
 * A pool whose `connect` hands out ears on one connection instead of a connection each: every worker of the process
 * listens through it, so that PostgreSQL's limit on connections does not limit the number of tasks. Statements go to the
 * pool itself.
 */
export function createSharedListener(
  pool: SqlPool, { isRemote = true, askedEveryMs = ASKED_EVERY_MS, answeredWithinMs = ANSWERED_WITHIN_MS } = {}
): SharedListener {
  let heartbeat: NodeJS.Timeout | undefined
  let opening: Promise<SqlPoolClient> | undefined
  let current: SqlPoolClient | undefined
  let lastStatement: Promise<unknown> = Promise.resolve()
  const ears = new Set<EventEmitter>()

  function open(): Promise<SqlPoolClient> {
    return (opening ??= pool.connect().then(client => {
      current = client
      lastStatement = Promise.resolve()
      client.on('notification', message => { for (const ear of ears) ear.emit('notification', message) })
      client.on('error', error => lose(client, error))
      client.on('end', () => lose(client, new Error('The connection for notifications ended')))
      askLater(client)
      return client
    }, (error: unknown) => {
      opening = undefined
      throw error
    }))
  }

  function askLater(client: SqlPoolClient): void {
    clearTimeout(heartbeat)
    if (!isRemote) return
    heartbeat = setTimeout(() => {
      withDeadline(inTurn(client, 'SELECT 1'), answeredWithinMs, 'The connection for notifications did not answer')
        .then(() => askLater(client), (error: Error) => lose(client, error))
    }, askedEveryMs).unref()
  }

  /** In turn: pg takes no statement on a connection while another one runs. */
  function inTurn<Row extends object>(client: SqlPoolClient, text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>> {
    const answer = lastStatement.then(() => client.query<Row>(text, parameters))
    lastStatement = answer.catch(() => {})
    return answer
  }

  /** BullMQ drops an ear that errs and asks for a new one, which opens the connection again. */
  function lose(client: SqlPoolClient, error: Error): void {
    if (opening === undefined || client !== current) return
    opening = undefined
    clearTimeout(heartbeat)
    client.removeAllListeners('notification')
    release(client)
    for (const ear of [...ears]) if (ear.listenerCount('error') > 0) ear.emit('error', error)
  }

  async function connect(): Promise<SqlPoolClient> {
    const client = await open()
    const ear = Object.assign(new EventEmitter(), {
      query: <Row extends object>(text: string, parameters?: readonly unknown[]): Promise<SqlResult<Row>> => inTurn<Row>(client, text, parameters),
      release(): void { ears.delete(ear) }
    })
    ears.add(ear)
    return ear
  }

  return {
    pool: {
      query: (text, parameters) => pool.query(text, parameters),
      connect,
      async end() {},
      on() { return this },
      removeAllListeners() { return this }
    },
    async close() {
      const client = await opening?.catch(() => undefined)
      opening = undefined
      clearTimeout(heartbeat)
      ears.clear()
      if (client !== undefined) release(client)
    }
  }
}

export interface SharedListener {
  readonly pool: SqlPool
  close(): Promise<void>
}

function release(client: SqlPoolClient): void {
  // Not given back: it still listens.
  try { client.release(true) } catch { /* gone already */ }
}

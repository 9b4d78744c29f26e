import { EventEmitter } from 'node:events'
import { withDeadline } from '../../time/deadline.ts'
import type { SqlPool, SqlPoolClient } from '../../stores/store.ts'

/** How often the connection that all listen on shows that it lives: one that was cut off without a word says nothing for ever. */
const ASKED_EVERY_MS = 5_000
const ANSWERED_WITHIN_MS = 3_000
/** How often queues are looked at where nobody can listen. */
const POLLED_EVERY_MS = 1_000
/** How often it is tried to listen again, where that failed and polling serves meanwhile. */
const TRIED_EVERY_MS = 10_000
/** The channel on which BullMQ tells the name of a queue. */
const CHANNEL = 'bullmq_jobs'

export interface SharedListenerOptions {
  /** Default true: in another process, so that its connection may be cut off without a word. */
  readonly isRemote?: boolean
  readonly askedEveryMs?: number
  readonly answeredWithinMs?: number
  readonly polledEveryMs?: number
  readonly triedEveryMs?: number
  /** Of these queues those in which something is due. */
  findDue(queues: readonly string[]): Promise<string[]>
}

/** Tells all workers of a process what comes into their queues. */
export interface SharedListener {
  /** For BullMQ: `connect` gives an ear, and all ears share one connection. Statements have pools of their own. */
  readonly pool: SqlPool
  /** A worker waits for this queue, until `end`: so long it is looked at, where nobody can listen. */
  wait(queue: string): { end(): void }
  /** How it hears of what comes. Null until the first worker waits. */
  mode(): 'listening' | 'polling' | null
  close(): Promise<void>
}

/**
 * Every worker of the process listens through one connection, so that PostgreSQL's limit on connections does not limit the number of
 * tasks. Where none keeps its session, as behind a pooler, or none is to be had, one statement a second looks at all queues that
 * somebody waits for.
 * @param open a connection that keeps its session; null where there is none
 */
export function createSharedListener(open: () => Promise<SqlPoolClient | null>, options: SharedListenerOptions): SharedListener {
  const { isRemote = true, askedEveryMs = ASKED_EVERY_MS, answeredWithinMs = ANSWERED_WITHIN_MS } = options
  const { polledEveryMs = POLLED_EVERY_MS, triedEveryMs = TRIED_EVERY_MS } = options
  const ears = new Set<EventEmitter>()
  const waiting = new Map<string, number>()
  let heartbeat: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let preparing: Promise<void> | undefined
  let current: SqlPoolClient | undefined
  let isPolling = false
  let tryAgainAt: number | null = null
  let isClosed = false

  /** Rejects where neither listening nor polling works. */
  function prepare(): Promise<void> {
    return (preparing ??= listen().catch((error: unknown) => startPolling(error)).catch((error: unknown) => {
      preparing = undefined
      throw error
    }))
  }

  async function listen(): Promise<void> {
    const client = await open()
    if (client === null) {
      tryAgainAt = null
      isPolling = true
      return pollLater()
    }
    client.on('error', error => lose(client, error))
    client.on('end', () => lose(client, new Error('The connection for notifications ended')))
    client.on('notification', message => { if (message.channel === CHANNEL) tell(message.payload ?? '') })
    try {
      await withDeadline(client.query(`LISTEN ${CHANNEL}`), answeredWithinMs, 'The connection for notifications did not answer')
    } catch (error) {
      release(client)
      throw error
    }
    if (isClosed) return release(client)
    current = client
    isPolling = false
    tryAgainAt = null
    askLater(client)
    // What came before was not heard.
    await look().catch(() => {})
  }

  async function look(): Promise<void> {
    if (waiting.size > 0) for (const queue of await options.findDue([...waiting.keys()])) tell(queue)
  }

  /** The server may be full, or only `directUrl` out of reach: as long as statements are answered, polling does. */
  async function startPolling(refusal: unknown): Promise<void> {
    await options.findDue([]).catch(() => { throw refusal })
    tryAgainAt = performance.now() + triedEveryMs
    isPolling = true
    pollLater()
  }

  function tell(queue: string): void {
    for (const ear of ears) ear.emit('notification', { channel: CHANNEL, payload: queue })
  }

  function askLater(client: SqlPoolClient): void {
    clearTimeout(heartbeat)
    if (!isRemote || client !== current) return
    heartbeat = setTimeout(() => {
      withDeadline(client.query('SELECT 1'), answeredWithinMs, 'The connection for notifications did not answer')
        .then(() => askLater(client), (error: Error) => lose(client, error))
    }, askedEveryMs).unref()
  }

  /** BullMQ drops an ear that errs and asks for a new one, which opens the connection again. */
  function lose(client: SqlPoolClient, error: Error): void {
    if (client !== current) return
    current = preparing = undefined
    clearTimeout(heartbeat)
    client.removeAllListeners('notification')
    release(client)
    fail(error)
  }

  function fail(error: Error): void {
    for (const ear of [...ears]) if (ear.listenerCount('error') > 0) ear.emit('error', error)
  }

  function pollLater(): void {
    if (!isPolling || isClosed || waiting.size === 0) return
    // Not all processes in the same moment.
    pollTimer ??= setTimeout(() => { void poll() }, polledEveryMs * (0.9 + Math.random() / 5)).unref()
  }

  /** Meanwhile polling goes on. */
  function tryAgain(): void {
    if (tryAgainAt === null || performance.now() < tryAgainAt) return
    tryAgainAt = Infinity
    listen().catch(() => { tryAgainAt = performance.now() + triedEveryMs })
  }

  async function poll(): Promise<void> {
    try {
      tryAgain()
      await look()
    } catch (error) {
      // Workers ask for themselves, and find out that the broker is away.
      fail(error as Error)
    } finally {
      pollTimer = undefined
      pollLater()
    }
  }

  return {
    pool: {
      query: () => Promise.reject(new Error('Statements have pools of their own')),
      async connect() {
        await prepare()
        const ear = Object.assign(new EventEmitter(), {
          // BullMQ asks it to listen, which it does already.
          query: () => Promise.resolve({ rows: [], rowCount: 0 }),
          release(): void { ears.delete(ear) }
        })
        ears.add(ear)
        return ear
      },
      async end() {},
      on() { return this },
      removeAllListeners() { return this }
    },
    wait(queue) {
      waiting.set(queue, (waiting.get(queue) ?? 0) + 1)
      pollLater()
      return {
        end() {
          const others = waiting.get(queue)! - 1
          if (others === 0) waiting.delete(queue)
          else waiting.set(queue, others)
        }
      }
    },
    mode: () => current !== undefined ? 'listening' : isPolling ? 'polling' : null,
    async close() {
      isClosed = true
      await preparing?.catch(() => {})
      clearTimeout(heartbeat)
      clearTimeout(pollTimer)
      ears.clear()
      if (current !== undefined) release(current)
      current = undefined
    }
  }
}

function release(client: SqlPoolClient): void {
  // Not given back: it still listens.
  try { client.release(true) } catch { /* gone already */ }
}

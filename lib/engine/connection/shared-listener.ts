import { EventEmitter } from 'node:events'
import { withDeadline } from '../../time/deadline.ts'
import type { SqlPool, SqlPoolClient } from '../../stores/store.ts'

/** How often the shared connection is checked: a connection that was cut off silently never reports an error. */
const ASKED_EVERY_MS = 5_000
const ANSWERED_WITHIN_MS = 3_000
/** How often queues are polled when listening is not possible. */
const POLLED_EVERY_MS = 1_000
/** How often it tries to listen again after it fell back to polling. */
const TRIED_EVERY_MS = 10_000
/** The channel on which BullMQ sends queue names. */
const CHANNEL = 'bullmq_jobs'

export interface SharedListenerOptions {
  /** Whether the server is in another process, so that its connection may be cut off silently. Default true. */
  readonly isRemote?: boolean
  readonly askedEveryMs?: number
  readonly answeredWithinMs?: number
  readonly polledEveryMs?: number
  readonly triedEveryMs?: number
  /** Which of these queues have something due. */
  findDue(queues: readonly string[]): Promise<string[]>
}

/** Tells all workers of a process when something enters their queues. */
export interface SharedListener {
  /** For BullMQ: `connect` returns an emitter, and all emitters share one connection. Statements use pools of their own. */
  readonly pool: SqlPool
  /** A worker waits for this queue until it calls `end`. Meanwhile the queue is polled if listening is not possible. */
  wait(queue: string): { end(): void }
  /** How workers are notified. Null until the first worker waits. */
  mode(): 'listening' | 'polling' | null
  close(): Promise<void>
}

/**
 * All workers of a process listen through one connection, so that PostgreSQL's connection limit does not limit the number of tasks. If
 * there is no session to listen on, as behind a pooler, one statement per second polls every queue that a worker waits for.
 * @param open returns a connection that keeps its session; null if there is none
 */
export function createSharedListener(open: () => Promise<SqlPoolClient | null>, options: SharedListenerOptions): SharedListener {
  const { isRemote = true, askedEveryMs = ASKED_EVERY_MS, answeredWithinMs = ANSWERED_WITHIN_MS } = options
  const { polledEveryMs = POLLED_EVERY_MS, triedEveryMs = TRIED_EVERY_MS } = options
  const subscribers = new Set<EventEmitter>()
  const waiting = new Map<string, number>()
  let heartbeat: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let preparing: Promise<void> | undefined
  let current: SqlPoolClient | undefined
  let isPolling = false
  let tryAgainAt: number | null = null
  let isClosed = false

  /** Rejects if neither listening nor polling works. */
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
    client.on('notification', message => { if (message.channel === CHANNEL) notify(message.payload ?? '') })
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
    // Notifications sent before this were missed.
    await look().catch(() => {})
  }

  async function look(): Promise<void> {
    if (waiting.size > 0) for (const queue of await options.findDue([...waiting.keys()])) notify(queue)
  }

  /** The server may be out of connections, or only `directUrl` may be unreachable. While statements work, polling works. */
  async function startPolling(refusal: unknown): Promise<void> {
    await options.findDue([]).catch(() => { throw refusal })
    tryAgainAt = performance.now() + triedEveryMs
    isPolling = true
    pollLater()
  }

  function notify(queue: string): void {
    for (const subscriber of subscribers) subscriber.emit('notification', { channel: CHANNEL, payload: queue })
  }

  function askLater(client: SqlPoolClient): void {
    clearTimeout(heartbeat)
    if (!isRemote || client !== current) return
    heartbeat = setTimeout(() => {
      withDeadline(client.query('SELECT 1'), answeredWithinMs, 'The connection for notifications did not answer')
        .then(() => askLater(client), (error: Error) => lose(client, error))
    }, askedEveryMs).unref()
  }

  /** On an error BullMQ drops its emitter and asks for a new one, which reopens the connection. */
  function lose(client: SqlPoolClient, error: Error): void {
    if (client !== current) return
    current = preparing = undefined
    clearTimeout(heartbeat)
    client.removeAllListeners('notification')
    release(client)
    fail(error)
  }

  function fail(error: Error): void {
    for (const subscriber of [...subscribers]) if (subscriber.listenerCount('error') > 0) subscriber.emit('error', error)
  }

  function pollLater(): void {
    if (!isPolling || isClosed || waiting.size === 0) return
    // Jitter, so that processes do not poll in lockstep.
    pollTimer ??= setTimeout(() => { void poll() }, polledEveryMs * (0.9 + Math.random() / 5)).unref()
  }

  /** Polling goes on in the meantime. */
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
      // On an error, each worker asks for executions itself, and so notices that the broker is down.
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
        const subscriber = Object.assign(new EventEmitter(), {
          // BullMQ sends LISTEN, which is already in effect.
          query: () => Promise.resolve({ rows: [], rowCount: 0 }),
          release(): void { subscribers.delete(subscriber) }
        })
        subscribers.add(subscriber)
        return subscriber
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
      subscribers.clear()
      if (current !== undefined) release(current)
      current = undefined
    }
  }
}

function release(client: SqlPoolClient): void {
  // Destroyed rather than returned to the pool, because it still listens.
  try { client.release(true) } catch { /* already closed */ }
}

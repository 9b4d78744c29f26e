import type { Client } from 'pg'
import { withDeadline } from '../../../time/deadline.ts'
import { NO_CONNECTION } from '../../failures/may-have-happened.ts'
import { answers, closeClient, destroySocket, toNoConnection } from './client-state.ts'
import { createDoubts } from './doubts.ts'
import { isIdleCut, isServerFull, serverFull } from './server-full.ts'
import { shareOut, type Lane, type Share } from './shares.ts'
import { toOpenConnection, isSpare, type OpenConnection } from './open-connection.ts'
import { createWaiter, type Waiter } from './waiter.ts'

/** A process's connections to one PostgreSQL server: a few, shared by everything it does. */
export interface ConnectionPool {
  /** Rejects after `withinMs`; nothing was sent then. While the server is full it waits and retries. */
  take(lane: Lane, withinMs: number): Promise<TakenConnection>
  /** Whether another caller in this lane would have to wait. */
  isBusy(lane: Lane): boolean
  /** Open connections may be dead: check each before it is used again. */
  suspect(): void
  /** Connections that are open, or get opened in the next minute, may lead to a standby: check each before it is used again. */
  doubt(): void
  /** Closes idle connections, refuses new requests, and resolves when the others have been returned. */
  end(): Promise<void>
  /** Drops connections whose server does not close them either, because they would keep the process alive. */
  abandon(): void
}

export interface TakenConnection {
  readonly client: Client
  release(isBroken?: boolean): void
}

export interface ConnectionPoolOptions {
  readonly max: number
  /** Called with errors of lost connections. */
  onError(error: Error): void
}

/** Statements take a millisecond. A caller that waits this long needs another connection; a burst of short statements does not. */
const GROW_AFTER_MS = 50
const SWEPT_EVERY_MS = 2_500
const FIRST_PAUSE_MS = 100
const MAX_CLOSED_MS = 1_000

/**
 * Replaces `pg`'s own pool. There, a caller waiting for a new connection cannot get one that is returned, a refused connection
 * fails a call, and several pools do not share a limit.
 * @param create returns an unconnected client
 */
export function createConnectionPool(create: () => Client, { max, onError }: ConnectionPoolOptions): ConnectionPool {
  const { lanes, shares } = shareOut(max)
  const connections = new Set<OpenConnection>()
  /** Most recently used last; that one is reused first. */
  const idle: OpenConnection[] = []
  const waiting: Array<Waiter<TakenConnection>> = []
  const closing = new Set<Promise<unknown>>()
  const doubts = createDoubts()
  let opening = new Set<Client>()
  let refusals = 0
  let refusal: Error | undefined
  let closedUntil = 0
  let wantedSince: number | undefined
  let connectMs = 0
  let growTimer: NodeJS.Timeout | undefined
  let sweepTimer: NodeJS.Timeout | undefined
  let isEnded = false

  async function take(lane: Lane, withinMs: number): Promise<TakenConnection> {
    if (isEnded) throw new Error(ENDED)
    const share = lanes[lane]
    const { promise, waiter } = createWaiter<TakenConnection>(share)
    waiting.push(waiter)
    share.waiting++
    serve()
    try {
      return await withDeadline(promise, withinMs, () => refusal ?? new Error(NO_CONNECTION))
    } catch (error) {
      withdraw(waiter)
      // The connection may arrive at this very moment.
      promise.then(late => { late.release() }, () => {})
      throw error
    }
  }

  function withdraw(waiter: Waiter<TakenConnection>): void {
    const at = waiting.indexOf(waiter)
    if (at === -1) return
    waiting.splice(at, 1)
    waiter.share.waiting--
  }

  /** In arrival order, except for lanes whose share is used up. */
  function serve(): void {
    for (let at = 0; at < waiting.length && idle.length > 0;) {
      const waiter = waiting[at]!
      if (waiter.share.taken >= limitOf(waiter.share)) {
        at++
        continue
      }
      waiting.splice(at, 1)
      waiter.share.waiting--
      hand(idle.pop()!, waiter)
    }
    grow()
  }

  /** On a full server, reads do not get the last connection if there are at least two. */
  function limitOf(share: Share): number {
    return refusal !== undefined && share === lanes.reads && share !== lanes.workers
      ? Math.max(1, Math.min(share.limit, connections.size - 1))
      : share.limit
  }

  function hand(connection: OpenConnection, waiter: Waiter<TakenConnection>): void {
    const { share } = waiter
    share.taken++
    const taken = toTaken(connection, share)
    const passOn = (): void => {
      waiting.unshift(waiter)
      share.waiting++
      taken.release(true)
    }
    if (!connection.isSuspect) {
      if (!doubts.has(connection.client)) return waiter.resolve(taken)
      return void doubts.isFit(connection.client).then(isFit => isFit ? waiter.resolve(taken) : passOn())
    }
    void answers(connection.client).then(isAlive => {
      // One check decides for all suspect connections, because a second for each would take too long.
      for (const each of connections) {
        if (!isAlive && each.isSuspect) each.isLost = true
        each.isSuspect = false
      }
      if (isAlive) return waiter.resolve(taken)
      for (const each of idle.filter(each => each.isLost)) drop(each)
      passOn()
    })
  }

  function toTaken(connection: OpenConnection, share: Share): TakenConnection {
    let isReleased = false
    const takenAt = performance.now()
    return {
      client: connection.client,
      release(isBroken = false) {
        if (isReleased) return
        isReleased = true
        share.taken--
        if (isBroken || connection.isLost || isEnded) drop(connection)
        else {
          connection.idleSince = performance.now()
          connection.busyMs += connection.idleSince - takenAt
          idle.push(connection)
          sweepLater()
        }
        serve()
      }
    }
  }

  function grow(): void {
    const wanted = shares.reduce((sum, share) => sum + Math.min(share.waiting, Math.max(0, share.limit - share.taken)), 0)
    if (isEnded || wanted - opening.size <= 0) {
      if (wanted === 0) wantedSince = undefined
      return
    }
    // On a slow network a page makes several requests in sequence. Open the connections for its next reads along with the first.
    const ahead = lanes.reads.waiting > 0
      ? lanes.reads.limit - lanes.reads.taken - Math.min(lanes.reads.waiting, lanes.reads.limit - lanes.reads.taken)
      : 0
    const count = Math.min(wanted + ahead - opening.size, max - connections.size - opening.size)
    if (count <= 0) return
    const now = performance.now()
    wantedSince ??= now
    const isFirst = connections.size + opening.size === 0
    const waitMs = Math.max(closedUntil - now, isFirst ? 0 : wantedSince + GROW_AFTER_MS - now)
    if (waitMs > 0) return growLater(waitMs)
    // The first one shows whether any can be opened.
    for (let each = 0; each < (isFirst ? 1 : count); each++) void open()
    if (isFirst && count > 1) growLater(GROW_AFTER_MS)
  }

  function growLater(ms: number): void {
    growTimer ??= setTimeout(() => {
      // Process responses that a blocked event loop has not read yet first.
      setImmediate(() => {
        growTimer = undefined
        grow()
      })
    }, ms)
  }

  async function open(): Promise<void> {
    const client = create()
    // While it connects, `connect` reports the error.
    client.on('error', () => {})
    opening.add(client)
    const begun = performance.now()
    try {
      await client.connect()
    } catch (error) {
      opening.delete(client)
      return refuse(error as Error)
    }
    opening.delete(client)
    if (isEnded) return close(client)
    connectMs = performance.now() - begun
    refusals = 0
    refusal = undefined
    const connection = toOpenConnection(client)
    client.on('error', error => {
      const isQuiet = idle.includes(connection) && isIdleCut(error)
      lose(connection)
      if (!isQuiet) onError(error)
    })
    client.on('end', () => lose(connection))
    doubts.opened(client)
    connections.add(connection)
    idle.push(connection)
    sweepLater()
    serve()
  }

  function refuse(error: Error): void {
    if (isEnded) return
    const isFull = isServerFull(error)
    if (connections.size === 0 && !isFull) {
      refusals = 0
      refusal = undefined
      for (const waiter of waiting.splice(0)) {
        waiter.share.waiting--
        waiter.reject(toNoConnection(error))
      }
      return
    }
    // Open connections will be returned, and a full server will have a free slot eventually.
    refusal = isFull ? serverFull(error) : toNoConnection(error)
    closedUntil = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(refusals++, 10), MAX_CLOSED_MS) * (0.5 + Math.random() / 2)
    serve()
  }

  function lose(connection: OpenConnection): void {
    connection.isLost = true
    if (idle.includes(connection)) drop(connection)
    serve()
  }

  function drop(connection: OpenConnection): void {
    const at = idle.indexOf(connection)
    if (at !== -1) idle.splice(at, 1)
    if (!connections.delete(connection)) return
    close(connection.client)
  }

  function close(client: Client): void {
    const closed: Promise<unknown> = closeClient(client).finally(() => { closing.delete(closed) })
    closing.add(closed)
  }

  function sweepLater(): void {
    sweepTimer ??= setTimeout(() => {
      sweepTimer = undefined
      const now = performance.now()
      for (const each of [...idle]) if (isSpare(each, now, { connectMs, isLast: connections.size === 1 })) drop(each)
      if (idle.length > 0) sweepLater()
    }, SWEPT_EVERY_MS).unref()
  }

  return {
    take,
    isBusy: lane => lanes[lane].waiting > 0 || lanes[lane].taken >= limitOf(lanes[lane]),
    suspect() { for (const each of connections) each.isSuspect = true },
    doubt() { doubts.add([...connections].map(each => each.client)) },
    async end() {
      isEnded = true
      clearTimeout(growTimer)
      clearTimeout(sweepTimer)
      for (const waiter of waiting.splice(0)) waiter.reject(new Error(ENDED))
      for (const each of [...idle]) drop(each)
      while (connections.size > 0 || opening.size > 0) await new Promise(resolve => { setTimeout(resolve, ENDED_LOOK_MS) })
      await Promise.all(closing)
    },
    abandon() {
      for (const client of [...opening, ...[...connections].map(each => each.client)]) destroySocket(client)
      opening = new Set()
      connections.clear()
    }
  }
}

const ENDED_LOOK_MS = 10

/** BullMQ recognizes this message from pg's own pool. */
const ENDED = 'Cannot use a pool after calling end on the pool'

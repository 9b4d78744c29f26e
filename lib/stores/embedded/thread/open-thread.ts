import { compiledDatabase } from '../database/compiled-database.ts'
import { withDeadline } from '../../../time/deadline.ts'
import type { SqlResult } from '../../store.ts'
import { connectionFailure, databaseErrorFrom } from '../database-error.ts'
import type { FromDatabase, ResultPart, Statement, ToDatabase } from './messages.ts'
import type { DatabasePlace } from '../database/open-database.ts'
import { loadRowParser } from './rows-from-text.ts'
import { startThread } from './start-thread.ts'

/** A database that runs in a thread until it is closed or lost. */
export interface OpenDatabase {
  /** See `Thread`. */
  readonly hereBecause: string | null
  /** Rejects with SQLSTATE 08006 if the thread ends before it answers. */
  run<Row extends object>(statement: Omit<Statement, 'kind' | 'id'>): Running<Row>
  release(client: number): void
  /** How long a pending request has gone without any response. */
  silentMs(): number
  /** Waits up to this long for running statements, then closes. */
  close(waitMs: number): Promise<void>
}

export interface Running<Row> {
  readonly result: Promise<SqlResult<Row>>
  /** The caller no longer waits; the statement does not run unless it has started. */
  withdraw(): void
}

export interface DatabaseListeners {
  onNotification(channel: string, payload: string): void
  /** It ended without being closed. */
  onLost(reason: string): void
}

interface Pending {
  resolve(result: SqlResult<never>): void
  reject(error: Error): void
  readonly rows: object[]
}

/** After this, a thread that does not close is killed. */
const CLOSE_WITHIN_MS = 5_000

/** Rejects with the reason if it cannot be opened. */
export async function openThread(place: DatabasePlace, { onNotification, onLost }: DatabaseListeners): Promise<OpenDatabase> {
  const [toRows, program] = await Promise.all([loadRowParser(), compiledDatabase()])
  const pending = new Map<number, Pending>()
  let outbox: ToDatabase[] = []
  let lastId = 0
  let state: 'opening' | 'open' | 'closing' | 'ended' = 'opening'
  let heardAt = performance.now()
  let onIdle = (): void => {}
  let onClosed = (_error: Error | null): void => {}

  let onOpened = (): void => {}
  let onRefused = (_error: Error): void => {}
  let fault: string | undefined

  const opened = new Promise<void>((resolve, reject) => { [onOpened, onRefused] = [resolve, reject] })
  const thread = startThread({ ...place, program }, { onMessage: hear, onEnd: reason => end(fault ?? reason) })
  try {
    await opened
  } catch (error) {
    await thread.kill()
    throw error
  }
  thread.setNeeded(false)

  function hear(message: FromDatabase): void {
    heardAt = performance.now()
    switch (message.kind) {
      case 'opened':
        state = 'open'
        return onOpened()
      case 'refused': return onRefused(databaseErrorFrom(message.error))
      case 'part': return addPart(message)
      case 'failed': return settle(message.id, waiting => waiting.reject(databaseErrorFrom(message.error)))
      case 'notification': return onNotification(message.channel, message.payload)
      case 'broken':
        fault = message.error.message
        return void thread.kill()
      case 'closed': return onClosed(message.error && databaseErrorFrom(message.error))
    }
  }

  function addPart(part: ResultPart): void {
    const waiting = pending.get(part.id)
    if (waiting === undefined) return
    for (const row of toRows(part)) waiting.rows.push(row)
    if (part.isLast) return settle(part.id, () => waiting.resolve({ rows: waiting.rows as never[], rowCount: part.rowCount }))
    // Lets other statements run before the next part.
    setImmediate(() => send({ kind: 'more', id: part.id }))
  }

  function settle(id: number, how: (waiting: Pending) => void): void {
    const waiting = pending.get(id)
    if (waiting === undefined) return
    pending.delete(id)
    if (pending.size === 0) {
      thread.setNeeded(false)
      onIdle()
    }
    how(waiting)
  }

  function end(reason: string): void {
    const was = state
    state = 'ended'
    onRefused(connectionFailure(reason))
    for (const id of [...pending.keys()])
      settle(id, waiting => waiting.reject(connectionFailure(`The thread of the database ended: ${reason}`)))
    onClosed(null)
    if (was === 'open') onLost(reason)
  }

  /** Messages sent in one turn are batched. */
  function send(message: ToDatabase): void {
    if (outbox.push(message) === 1) queueMicrotask(flush)
  }

  function flush(): void {
    const messages = outbox
    outbox = []
    if (state === 'ended') return
    try {
      thread.send(messages)
    } catch {
      // Together they are too large to copy, so send them one by one to find out which ones are.
      for (const message of messages) sendOne(message)
    }
  }

  function sendOne(message: ToDatabase): void {
    try {
      thread.send([message])
    } catch (error) {
      if (message.kind === 'statement') settle(message.id, waiting => waiting.reject(error as Error))
    }
  }

  return {
    hereBecause: thread.hereBecause,
    run<Row extends object>(statement: Omit<Statement, 'kind' | 'id'>) {
      const id = ++lastId
      const result = new Promise<SqlResult<Row>>((resolve, reject) => {
        if (state === 'ended') return reject(connectionFailure('The thread of the database ended'))
        if (pending.size === 0) {
          thread.setNeeded(true)
          heardAt = performance.now()
        }
        pending.set(id, { resolve, reject, rows: [] })
        send({ kind: 'statement', id, ...statement })
      })
      return {
        result,
        withdraw() {
          if (!pending.has(id)) return
          send({ kind: 'withdrawal', id })
          settle(id, waiting => waiting.reject(new Error('The statement was withdrawn')))
        }
      }
    },
    release: client => send({ kind: 'release', client }),
    silentMs: () => pending.size === 0 ? 0 : performance.now() - heardAt,
    async close(waitMs) {
      if (state !== 'open') return
      const idle = pending.size === 0 ? Promise.resolve() : new Promise<void>(resolve => { onIdle = resolve })
      await withDeadline(idle, waitMs, 'statements did not end').catch(() => {})
      if (state !== 'open') return
      state = 'closing'
      thread.setNeeded(true)
      const closed = new Promise<Error | null>(resolve => { onClosed = resolve })
      send({ kind: 'close' })
      const error = await withDeadline(closed, CLOSE_WITHIN_MS, 'the database did not close').catch((late: Error) => late)
      await thread.kill()
      if (error !== null) throw error
    }
  }
}

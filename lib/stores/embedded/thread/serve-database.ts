import { setImmediate } from 'node:timers/promises'
import type { PGlite, protocol } from '@electric-sql/pglite'
import { loadPackage } from '../../load-package.ts'
import { toPlainError } from '../database-error.ts'
import { databaseFiles } from '../database/database-files.ts'
import { createHousekeeping } from '../database/housekeeping.ts'
import type { DatabasePort, ResultPart, Statement, ToDatabase } from './messages.ts'
import { openDatabase, type DatabaseSettings } from '../database/open-database.ts'
import { runStatement } from './run-statement.ts'
import { createStatementQueue } from './statement-queue.ts'

/** How often messages are read while statements run back to back, so that a new request can go first. */
const YIELD_AFTER_MS = 4

/**
 * Opens the database and serves it through a port until it is closed. Never rejects: errors are reported through the port.
 * @param onClosed called after the last message
 */
export async function serveDatabase(port: DatabasePort, settings: DatabaseSettings, onClosed: () => void): Promise<void> {
  try {
    const { PGlite, protocol } = await loadPackage(() => {
      // In a bundle the code may be present without its files, and would crash the process when it reads them.
      databaseFiles()
      return import('@electric-sql/pglite')
    }, '@electric-sql/pglite', 'embedded:')
    const database = await openDatabase(PGlite, settings)
    serve(port, database, protocol, onClosed)
    port.postMessage({ kind: 'opened' })
  } catch (error) {
    port.postMessage({ kind: 'refused', error: toPlainError(error) })
    onClosed()
  }
}

function serve(port: DatabasePort, database: PGlite, wire: typeof protocol, onClosed: () => void): void {
  const queue = createStatementQueue()
  const unsent = new Map<number, ResultPart[]>()
  const housekeeping = createHousekeeping(text => runStatement(database, wire, { id: 0, text, parameters: [] }))
  let isBusy = false

  database.onNotification((channel, payload) => port.postMessage({ kind: 'notification', channel, payload }))
  port.on('message', messages => {
    for (const message of messages) take(message)
    void work()
  })

  function take(message: ToDatabase): void {
    switch (message.kind) {
      case 'statement':
      case 'release': return queue.add(message)
      case 'withdrawal':
        unsent.delete(message.id)
        return queue.withdraw(message.id)
      case 'more': return sendNextPart(message.id)
      case 'close': void close()
    }
  }

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    let lastYield = performance.now()
    for (;;) {
      const entry = queue.next()
      if (entry === undefined && (queue.holder !== null || !housekeeping.isDue)) break
      if (entry?.kind === 'statement') await run(entry)
      else if (entry?.kind === 'release') await release(entry.client)
      if (queue.holder === null && housekeeping.isTurn(entry === undefined)) await housekeeping.doNext()
      if (performance.now() - lastYield < YIELD_AFTER_MS) continue
      await setImmediate()
      lastYield = performance.now()
    }
    isBusy = false
  }

  async function run(statement: Statement): Promise<void> {
    housekeeping.count()
    try {
      const parts = await runStatement(database, wire, statement)
      if (parts.length > 1) unsent.set(statement.id, parts.slice(1))
      port.postMessage(parts[0]!)
    } catch (error) {
      port.postMessage({ kind: 'failed', id: statement.id, error: toPlainError(error) })
      if (!isOfDatabase(error)) await checkHealth()
    }
    if (!database.isInTransaction()) queue.holder = null
    else if (statement.client === null) await rollBack()
    else queue.holder = statement.client
  }

  async function release(client: number): Promise<void> {
    if (queue.holder !== client) return
    await rollBack()
    queue.holder = null
  }

  async function rollBack(): Promise<void> {
    await runStatement(database, wire, { id: 0, text: 'ROLLBACK', parameters: [] }).catch(() => checkHealth())
  }

  function sendNextPart(id: number): void {
    const [part, ...rest] = unsent.get(id) ?? []
    if (rest.length > 0) unsent.set(id, rest)
    else unsent.delete(id)
    if (part !== undefined) port.postMessage(part)
  }

  /** Checks the database after a non-SQL error, which may have broken it. */
  async function checkHealth(): Promise<void> {
    try {
      const [part] = await runStatement(database, wire, { id: 0, text: 'SELECT 7', parameters: [] })
      if (part?.rows[0]?.[0] !== '7') throw new Error('The database answers nonsense')
    } catch (error) {
      if (!isOfDatabase(error)) port.postMessage({ kind: 'broken', error: toPlainError(error) })
    }
  }

  async function close(): Promise<void> {
    const error = await database.close().then(() => null, toPlainError)
    port.postMessage({ kind: 'closed', error })
    onClosed()
  }
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && 'severity' in error
}

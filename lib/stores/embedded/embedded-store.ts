import { createTaskDashboardError, isTaskDashboardError } from '../../errors.ts'
import { EMBEDDED_PATIENCE_MS, SERVER_PATIENCE_MS } from '../../time/budgets.ts'
import { DeadlineError, withDeadline } from '../../time/deadline.ts'
import { createSqlAnswers, migrateAnswers } from '../answers/sql-answers.ts'
import { createSqlAudit, migrateAudit } from '../audit/sql-audit.ts'
import { createSqlDocuments, migrateDocuments } from '../documents/sql-documents.ts'
import { failureReason } from '../failures/failure-reason.ts'
import { sqlNow } from '../postgres/sql-now.ts'
import type { SqlStore, StoreOptions } from '../store.ts'
import type { EmbeddedSource } from '../source/parse-store-source.ts'
import { createEmbeddedPool, type EmbeddedPool } from './embedded-pool.ts'
import { lockFolder } from './database/folder-lock.ts'
import { openLastingDatabase, type LastingDatabase } from './database/lasting-database.ts'

/**
 * PostgreSQL in a thread of this process, in memory or in a folder: nothing to install, one process at a time. It survives a crash of the
 * process but not a power failure, because nothing is flushed to disk.
 */
export function createEmbeddedStore(source: EmbeddedSource, options: StoreOptions): SqlStore {
  const { folder, label } = source
  let opened: Opened | undefined
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const running = (): Opened => {
    if (opened === undefined) throw createTaskDashboardError('NOT_STARTED')
    return opened
  }

  const query: SqlStore['query'] = async (text, parameters, { timeoutMs = 0 } = {}) =>
    await running().pool.queryForRequest(text, parameters, Math.max(timeoutMs, EMBEDDED_PATIENCE_MS))

  async function open(): Promise<void> {
    let unlock = async (): Promise<void> => {}
    const pool = createEmbeddedPool()
    try {
      if (folder !== null) unlock = await lockFolder(folder)
      const database = await openLastingDatabase({ folder }, label, {
        onNotification: pool.notify,
        onLost: pool.lose,
        onError: options.onError
      })
      pool.serve(database)
      opened = { database, pool, unlock }
      await migrateDocuments(store)
      await migrateAnswers(store)
      await migrateAudit(store)
    } catch (error) {
      await pool.end().catch(() => {})
      await unlock().catch(() => {})
      if (isTaskDashboardError(error)) throw error
      if (isMissing(error)) throw createTaskDashboardError('MISSING_PACKAGE', [source.scheme, PACKAGE, PACKAGE], { cause: error })
      throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, label, failureReason(error)], { cause: error })
    }
  }

  async function close(): Promise<void> {
    await starting?.catch(() => {})
    if (opened === undefined) return
    await opened.pool.end().catch(options.onError)
    await opened.unlock().catch(options.onError)
  }

  const store: SqlStore = {
    kind: 'embedded',
    label,
    schema: options.namespace,
    patienceMs: EMBEDDED_PATIENCE_MS,
    get pool() { return running().pool },
    listen: () => running().pool.connect(),
    get requestPool() {
      return {
        query: (text: string, parameters?: readonly unknown[]) => running().pool.queryForRequest(text, parameters)
      } as SqlStore['requestPool']
    },
    documents: createSqlDocuments(() => store),
    answers: createSqlAnswers(() => store),
    audit: createSqlAudit(() => store),
    query,
    transaction: (work, { timeoutMs = 0 } = {}) => transact(running().pool, work, Math.max(timeoutMs, EMBEDDED_PATIENCE_MS)),
    start() {
      if (stopping !== undefined) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= open())
    },
    stop() {
      return (stopping ??= close())
    },
    async ping(timeoutMs = SERVER_PATIENCE_MS) {
      const { pool, database } = running()
      const start = performance.now()
      try {
        await withDeadline(pool.queryForRequest('SELECT 1'), timeoutMs, 'the database did not answer')
      } catch (error) {
        // Slow, but not dead: it responded to another caller recently.
        if (!(error instanceof DeadlineError) || database.silentMs() > EMBEDDED_PATIENCE_MS) throw error
      }
      return performance.now() - start
    },
    now: () => sqlNow(query)
  }
  return store
}

interface Opened { database: LastingDatabase; pool: EmbeddedPool; unlock(): Promise<void> }

const PACKAGE = '@electric-sql/pglite'

/** As reported by the thread. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MISSING_PACKAGE'
}

async function transact<Result>(
  pool: EmbeddedPool, work: (query: SqlStore['query']) => Promise<Result>, timeoutMs: number
): Promise<Result> {
  const client = await pool.connect()
  const query: SqlStore['query'] = (text, parameters) => client.query(text, parameters)
  try {
    await query('BEGIN')
    const result = await withDeadline(work(query), timeoutMs, 'the transaction did not end')
    await query('COMMIT')
    return result
  } finally {
    // Rolls back anything uncommitted.
    client.release()
  }
}

import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { createTaskDashboardError, isTaskDashboardError } from '../../errors.ts'
import { withDeadline } from '../../deadline.ts'
import { createSqlDocuments, migrateDocuments } from '../documents/sql-documents.ts'
import { failureReason } from '../failure-reason.ts'
import { loadPackage } from '../load-package.ts'
import { sqlNow } from '../sql-now.ts'
import type { SqlStore, StoreOptions } from '../store.ts'
import type { EmbeddedUrl } from '../store-url.ts'
import { databaseErrorFrom } from './database-error.ts'
import { openFromTemplate } from './data-template.ts'
import { createEmbeddedPool, type EmbeddedPool } from './embedded-pool.ts'
import { lockFolder } from './folder-lock.ts'

/**
 * PostgreSQL inside the process, in memory or in a folder: nothing to install, one process at a time. It is safe against
 * the death of the process, not of the power: nothing is forced to the disk.
 */
export function createEmbeddedStore(storeUrl: EmbeddedUrl, options: StoreOptions): SqlStore {
  const { folder, label } = storeUrl
  let opened: Opened | undefined
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const pool = (): EmbeddedPool => {
    if (opened === undefined) throw createTaskDashboardError('NOT_STARTED')
    return opened.pool
  }

  const query: SqlStore['query'] = (text, parameters, { timeoutMs = REQUEST_TIMEOUT_MS } = {}) =>
    withDeadline(pool().queryForRequest(text, parameters), timeoutMs, 'the database did not answer')

  async function open(): Promise<void> {
    const { PGlite } = await loadPackage(() => import('@electric-sql/pglite'), '@electric-sql/pglite', storeUrl.scheme)
    let unlock = async (): Promise<void> => {}
    try {
      if (folder !== null) unlock = await lockFolder(folder)
      const database = await openDatabase(PGlite, folder, `${options.namespace}_queue`)
      opened = { database, pool: createEmbeddedPool(database), unlock }
      await migrateDocuments(store)
    } catch (error) {
      await unlock().catch(() => {})
      if (isTaskDashboardError(error)) throw error
      throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, label, failureReason(error)], { cause: databaseErrorFrom(error) })
    }
  }

  async function close(): Promise<void> {
    await starting?.catch(() => {})
    if (opened === undefined) return
    await opened.pool.end().catch(() => {})
    await opened.database.close().catch(error => options.onError(databaseErrorFrom(error)))
    await opened.unlock().catch(options.onError)
  }

  const store: SqlStore = {
    kind: 'embedded',
    label,
    schema: options.namespace,
    get pool() { return pool() },
    get requestPool() { return { query: pool().queryForRequest } },
    documents: createSqlDocuments(() => store),
    query,
    transaction: (work, { timeoutMs = TRANSACTION_TIMEOUT_MS } = {}) => transact(pool(), work, timeoutMs),
    start() {
      if (stopping !== undefined) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= open())
    },
    stop() {
      return (stopping ??= close())
    },
    async ping(timeoutMs = REQUEST_TIMEOUT_MS) {
      const start = performance.now()
      await query('SELECT 1', [], { timeoutMs })
      return performance.now() - start
    },
    now: () => sqlNow(query)
  }
  return store
}

interface Opened { database: PGlite; pool: EmbeddedPool; unlock(): Promise<void> }

const REQUEST_TIMEOUT_MS = 1_500
const TRANSACTION_TIMEOUT_MS = 10_000

async function openDatabase(Database: typeof PGlite, folder: string | null, searchPath: string): Promise<PGlite> {
  const options = {
    startParams: startParams(searchPath),
    // As pg: numbers beyond 2^53 stay text, bytes are a Buffer.
    parsers: { [INT8]: (value: string) => value, [BYTEA]: (value: string) => Buffer.from(value.slice(2), 'hex') }
  }
  if (folder === null) return await openFromTemplate(Database, loadDataDir => Database.create({ ...options, loadDataDir }), options.startParams)

  const dataDir = join(folder, 'data')
  const complete = join(folder, 'complete')
  if (await exists(complete)) return await Database.create({ ...options, dataDir })

  const open = async (loadDataDir: Blob): Promise<PGlite> => {
    // What a process left half done that died while it created it.
    await rm(dataDir, { recursive: true, force: true })
    await mkdir(dataDir)
    return await Database.create({ ...options, dataDir, loadDataDir })
  }
  const database = await openFromTemplate(Database, open, options.startParams)
  await writeFile(complete, '')
  return database
}

function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false)
}

const INT8 = 20
const BYTEA = 17

/** These replace PGlite's own, so its defaults are repeated; small buffers keep the process at about 180 MB. */
function startParams(searchPath: string): string[] {
  const settings = {
    search_path: searchPath,
    exit_on_error: false,
    io_method: 'sync',
    log_checkpoints: false,
    max_worker_processes: 0,
    max_parallel_workers: 0,
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    shared_buffers: '16MB',
    wal_buffers: '1MB'
  }
  return ['--single', '-F', '-O', '-j', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

async function transact<Result>(pool: EmbeddedPool, work: (query: SqlStore['query']) => Promise<Result>, timeoutMs: number): Promise<Result> {
  const client = await pool.connect()
  const query: SqlStore['query'] = (text, parameters) => client.query(text, parameters)
  try {
    await query('BEGIN')
    const result = await withDeadline(work(query), timeoutMs, 'the transaction did not end')
    await query('COMMIT')
    return result
  } finally {
    // Rolls back what was not committed.
    client.release()
  }
}

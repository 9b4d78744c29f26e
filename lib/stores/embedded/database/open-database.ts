import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { CompiledProgram } from './compiled-database.ts'
import { openFromTemplate } from './data-template.ts'

export interface DatabasePlace {
  /** null: in memory. */
  readonly folder: string | null
}

export interface DatabaseSettings extends DatabasePlace {
  /** The database's compiled program; null to compile it again. */
  readonly program: CompiledProgram | null
}

/** SQLSTATE. */
const DATA_CORRUPTED = 'XX001'

/** Our own code: the database gave up while opening its files, and does not say why. */
const FILES_NOT_OPENED = 'FILES_NOT_OPENED'

/** Opens the database, or creates it. */
export async function openDatabase(Database: typeof PGlite, { folder, program }: DatabaseSettings): Promise<PGlite> {
  const params = startParams()
  const options = { startParams: params, ...(program && { pgliteWasmModule: program }) }
  if (folder === null) return await openFromTemplate(Database, loadDataDir => Database.create({ ...options, loadDataDir }), params)

  const dataDir = join(folder, 'data')
  const complete = join(folder, 'complete')
  if (await exists(complete)) {
    // The database would silently start over.
    if (!await exists(join(dataDir, 'PG_VERSION')))
      throw Object.assign(new Error('The files of the database are incomplete'), { code: DATA_CORRUPTED })
    return await Database.create({ ...options, dataDir }).catch((error: unknown) => {
      throw isWordless(error) ? Object.assign(error, { code: FILES_NOT_OPENED }) : error
    })
  }

  const open = async (loadDataDir: Blob): Promise<PGlite> => {
    // A process that died while creating the folder left it incomplete.
    await rm(dataDir, { recursive: true, force: true })
    await mkdir(dataDir)
    return await Database.create({ ...options, dataDir, loadDataDir })
  }
  const database = await openFromTemplate(Database, open, params)
  await writeFile(complete, '')
  return database
}

/** The program ended or aborted without a reason. Allocation and load failures have errors of their own. */
function isWordless(error: unknown): error is Error {
  return error instanceof Error && !('code' in error) && /failed to initialize|^Aborted/.test(error.message)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false)
}

/** These replace PGlite's own parameters, so its defaults are repeated. Small buffers keep the process at about 180 MB. */
function startParams(): string[] {
  const settings = {
    search_path: 'public',
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

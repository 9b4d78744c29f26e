import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { databaseFiles } from './database-files.ts'

/**
 * A packed empty data folder. Creating one takes 2 to 5 s and 800 MB; unpacking one takes 0.6 s and 300 MB. So it is created once per user
 * and version and kept in the cache folder (`XDG_CACHE_HOME`, else `~/.cache`). If that is not writable, it is created each time. An
 * unusable file is deleted.
 */
export async function openFromTemplate(
  Database: typeof PGlite, open: (template: Blob) => Promise<PGlite>, startParams: string[]
): Promise<PGlite> {
  const path = await templatePath()
  const kept = await readFile(path).catch(() => null)
  if (kept !== null) {
    try {
      return await open(new Blob([new Uint8Array(kept)]))
    } catch {
      await rm(path, { force: true }).catch(() => {})
    }
  }
  const template = await prepare(Database, startParams)
  await keep(path, template).catch(() => {})
  return await open(template)
}

async function prepare(Database: typeof PGlite, startParams: string[]): Promise<Blob> {
  const database = await Database.create({ startParams })
  try {
    await database.exec('CHECKPOINT')
    return await database.dumpDataDir('gzip')
  } finally {
    await database.close()
  }
}

async function keep(path: string, template: Blob): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, new Uint8Array(await template.arrayBuffer()), { mode: 0o600 })
  await rename(draft, path)
}

async function templatePath(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const { version } = JSON.parse(await readFile(join(databaseFiles(), '..', 'package.json'), 'utf8')) as { version: string }
  return join(cache, 'fastify-task-dashboard', `embedded-${version}.tar.gz`)
}

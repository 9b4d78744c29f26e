import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTaskDashboardError } from '../../../errors.ts'
import { errorCodeOf } from '../../failures/error-code.ts'

/**
 * Limits a folder to one process, because two on one folder silently lose data. Takes over the lock of a dead process. Rejects with
 * EMBEDDED_FOLDER_IN_USE.
 * @returns a function that releases the lock
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock')
  const owner = { pid: process.pid, startedAt: await processStart(process.pid), id: randomUUID() }
  await makeFolder(folder)

  for (let attempt = 0; attempt < 5; attempt++) {
    if (await claim(path, owner)) return () => release(path, owner)
    const holder = await readOwner(path)
    if (holder === 'gone') continue
    if (holder !== null && await isAlive(holder)) throw createTaskDashboardError('EMBEDDED_FOLDER_IN_USE', [folder, holder.pid])
    await removeStale(path, holder)
  }
  throw createTaskDashboardError('EMBEDDED_FOLDER_IN_USE', [folder, '(unknown, just starting)'])
}

/** Node's own `recursive` never ends where the system refuses a folder with ENOENT although its parent exists, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const parent = dirname(folder)
  const hasParent = await stat(parent).then(() => true, () => false)
  if (!hasParent && parent !== folder) await makeFolder(parent)
  await mkdir(folder).catch((error: unknown) => { if (errorCodeOf(error) !== 'EEXIST') throw error })
}

interface Owner { pid: number; startedAt: string | null; id: string }

/** A link creates the whole file or fails, so no process reads a partial lock. */
async function claim(path: string, owner: Owner): Promise<boolean> {
  const draft = `${path}.${owner.id}`
  await writeFile(draft, JSON.stringify(owner), { flag: 'wx' })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function readOwner(path: string): Promise<Owner | null | 'gone'> {
  try {
    const owner = JSON.parse(await readFile(path, 'utf8')) as Partial<Owner> | null
    if (typeof owner?.pid !== 'number' || typeof owner.id !== 'string') return null
    return { pid: owner.pid, startedAt: owner.startedAt ?? null, id: owner.id }
  } catch (error) {
    return errorCodeOf(error) === 'ENOENT' ? 'gone' : null
  }
}

/** Moves the lock away and checks it before deleting it, because another process may have taken over in between. */
async function removeStale(path: string, stale: Owner | null): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return
    throw error
  }
  const moved = await readOwner(aside)
  if (moved !== 'gone' && moved?.id !== stale?.id) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}

async function release(path: string, owner: Owner): Promise<void> {
  const holder = await readOwner(path)
  if (holder !== 'gone' && holder?.id === owner.id) await rm(path, { force: true })
}

async function isAlive(owner: Owner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if (errorCodeOf(error) === 'ESRCH') return false
  }
  // Another process may have the same id by now; in a container it always does.
  const startedAt = await processStart(owner.pid)
  return startedAt === null || owner.startedAt === null || startedAt === owner.startedAt
}

/** When a process started, in the kernel's units; null if the system does not report it. */
async function processStart(pid: number): Promise<string | null> {
  try {
    const [stat, boot] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile('/proc/sys/kernel/random/boot_id', 'utf8')])
    // The program's name, in parentheses, may contain spaces. The start time is field 22.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${boot.trim()}/${ticks}`
  } catch {
    return null
  }
}

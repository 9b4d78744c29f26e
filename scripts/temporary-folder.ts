import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSoak } from '../test/support/soak.ts'

/** Where Linux keeps files in memory. */
const SHARED_MEMORY = '/dev/shm'

/** A run of all tests has up to 800 MB of files at a time. */
const MIN_FREE_BYTES = 3 * 2 ** 30
/** Memory that files occupy is missing for the tests. */
const MIN_MEMORY_BYTES = 8 * 2 ** 30

const PREFIX = 'tasks-tests-'
/** The file in each folder that names its process and its machine. Containers may share a folder, but cannot see each other's processes. */
const WRITER = 'writer'

/**
 * Creates a folder for everything that the tests write. Each of hundreds of embedded stores has hundreds of small files, and after many
 * were removed, ext4 takes long to find free space. So the folder is in memory if there is plenty of it, unless `TMPDIR` names another
 * place. The soak writes to the disk, as users do. Every user may read the folder, because the PostgreSQL server runs as another user.
 * Before that, it removes the folders of killed runs.
 * @param chosen where to create it; null to choose. Default: `TMPDIR`
 * @param inMemory a folder whose files are in memory. Default: /dev/shm
 * @param mayExecute whether programs in a folder may run
 */
export async function createTemporaryFolder(
  chosen: string | null = process.env['TMPDIR'] || null, inMemory: string = SHARED_MEMORY, mayExecute = runsProgram
): Promise<string> {
  await Promise.all((chosen === null ? [inMemory, tmpdir()] : [chosen]).map(removeAbandoned))
  if (chosen !== null) return await createIn(chosen)
  if (!isSoak && isLarge(inMemory)) {
    const folder = await createIn(inMemory).catch(() => null)
    if (folder !== null && await mayExecute(folder)) return folder
    if (folder !== null) await rm(folder, { recursive: true })
  }
  return await createIn(tmpdir())
}

async function createIn(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, PREFIX))
  await writeFile(join(folder, WRITER), `${process.pid} ${hostname()}`)
  await chmod(folder, 0o755)
  return folder
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  await Promise.all(names.filter(name => name.startsWith(PREFIX)).map(async name => {
    const folder = join(parent, name)
    const writer = await readFile(join(folder, WRITER), 'utf8').catch(() => '')
    // Folders of other users cannot be removed, and stay.
    if (isDead(writer)) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }))
}

/** False if it cannot be known. */
function isDead(writer: string): boolean {
  const [pid, machine] = writer.split(' ')
  if (machine !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function isLarge(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= MIN_FREE_BYTES && process.availableMemory() >= MIN_MEMORY_BYTES
  } catch {
    return false
  }
}

/** Tests install packages and run their programs, which many containers do not allow in /dev/shm. */
async function runsProgram(folder: string): Promise<boolean> {
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  await rm(program)
  return status === 0
}

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from './wait-for.ts'

/** Enough for an install on a slow machine with two busy cores. */
const MAKING_TIMEOUT_MS = 600_000

/**
 * A folder that all files of a run share: the first to ask fills it, the others wait. A file that runs alone gets a folder of its own.
 * No one may change its contents. Rejects in every file if it could not be filled.
 */
export async function oncePerRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(process.env['TASKS_TEST_SHARED'] ?? await ownFolder(), name)
  const [filled, failed] = [`${folder}.filled`, `${folder}.failed`]
  if (await mkdir(folder).then(() => true, () => false)) {
    await fill(folder).catch(async (error: unknown) => {
      await writeFile(failed, '')
      throw error
    })
    await writeFile(filled, '')
    return folder
  }
  await waitFor(`${name} to be made by another file`, async () => existsSync(filled) || existsSync(failed), MAKING_TIMEOUT_MS)
  if (existsSync(failed)) throw new Error(`${name} could not be made: another file of this run says why`)
  return folder
}

let own: Promise<string> | undefined

function ownFolder(): Promise<string> {
  return (own ??= createOwnFolder())
}

async function createOwnFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-once-'))
  const { default: tap } = await import('tap')
  tap.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

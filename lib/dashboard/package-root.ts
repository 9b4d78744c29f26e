import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package's package.json. Sources and compiled files lie at different depths, so it is looked for. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

export const packageVersion = (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }).version

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('fastify-task-dashboard: its package.json is missing')
  return findRoot(parent)
}

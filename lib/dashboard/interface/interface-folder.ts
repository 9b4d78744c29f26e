import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownFolder } from '../../own-file.ts'

const PACKAGE = 'fastify-task-dashboard'

/** The folder with the interface's files; null if it cannot be found, as in a bundle. */
export function interfaceFolder(): string | null {
  const root = ownFolder === null ? null : packageRoot(ownFolder)
  if (root === null) return null
  const folder = join(root, 'ui-dist')
  return isInterface(folder) ? folder : null
}

export function isInterface(folder: string): boolean {
  return existsSync(join(folder, 'index.html')) && existsSync(join(folder, 'assets'))
}

/** Sources and compiled files are at different depths. Above a bundle is the host's package.json, not ours. */
function packageRoot(folder: string): string | null {
  const file = join(folder, 'package.json')
  if (existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name === PACKAGE) return folder
  const parent = dirname(folder)
  return parent === folder ? null : packageRoot(parent)
}

import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Which application a process belongs to, as far as it can be determined. */
export interface AppIdentity {
  /** The option `appName`; null if not set. */
  readonly appName: string | null
  /**
   * Names and scopes of the packages that the process was started from. Processes of one application share at least one. Empty if there are
   * none.
   */
  readonly packages: readonly string[]
}

/**
 * Collects the name in each package.json next to the main module and the working directory, and above them. The packages of a workspace
 * share its root's name, or their scope if an image has no root.
 */
export function identifyApp(appName: string | null, folders: readonly string[] = startFolders()): AppIdentity {
  const names = new Set(folders.flatMap(folder => [...packageNamesAbove(folder)]))
  return { appName, packages: [...names].sort() }
}

/** Processes that cannot be told apart count as one application. */
export function isSameApp(a: AppIdentity, b: AppIdentity): boolean {
  if (a.appName !== null && b.appName !== null) return a.appName === b.appName
  if (a.packages.length === 0 || b.packages.length === 0) return true
  return a.packages.some(name => b.packages.includes(name))
}

/** The display name. */
export function nameOfApp({ appName, packages }: AppIdentity): string {
  return appName ?? packages.find(name => !isScope(name)) ?? packages[0] ?? 'unnamed'
}

function startFolders(): string[] {
  const main = process.argv[1]
  // A tool that starts other code, such as a test runner or Next.js, is not the application.
  const isTool = main === undefined || main.split(sep).includes('node_modules')
  return isTool ? [process.cwd()] : [dirname(main), process.cwd()]
}

function * packageNamesAbove(folder: string): Iterable<string> {
  for (let at = folder; ; at = dirname(at)) {
    const name = packageName(join(at, 'package.json'))
    if (name !== null) {
      yield name
      if (name.startsWith('@')) yield name.slice(0, name.indexOf('/'))
    }
    if (at === dirname(at)) return
  }
}

function packageName(path: string): string | null {
  try {
    const { name } = JSON.parse(readFileSync(path, 'utf8')) as { name?: unknown }
    return typeof name === 'string' && /^(?:@[^/]+\/)?[^/]+$/.test(name) ? name.slice(0, MAX_NAME_LENGTH) : null
  } catch {
    return null
  }
}

/** npm's maximum. */
const MAX_NAME_LENGTH = 214

function isScope(name: string): boolean {
  return name.startsWith('@') && !name.includes('/')
}

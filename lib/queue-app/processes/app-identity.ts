import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Which application a process belongs to, as far as that can be told. */
export interface AppIdentity {
  /** The option `appName`; null where it is not set. */
  readonly appName: string | null
  /**
   * Names of the packages that the process was started from, and their scopes. Processes of one application have one in common. Empty where
   * there is none.
   */
  readonly packages: readonly string[]
}

/**
 * The names in each package.json beside the main module and the working directory, and above them. The packages of a workspace have that of
 * its root in common, or their scope where an image has no root.
 */
export function identifyApp(appName: string | null, folders: readonly string[] = startFolders()): AppIdentity {
  const names = new Set(folders.flatMap(folder => [...packageNamesAbove(folder)]))
  return { appName, packages: [...names].sort() }
}

/** What cannot be told apart is one application. */
export function isSameApp(a: AppIdentity, b: AppIdentity): boolean {
  if (a.appName !== null && b.appName !== null) return a.appName === b.appName
  if (a.packages.length === 0 || b.packages.length === 0) return true
  return a.packages.some(name => b.packages.includes(name))
}

/** For people. */
export function nameOfApp({ appName, packages }: AppIdentity): string {
  return appName ?? packages.find(name => !isScope(name)) ?? packages[0] ?? 'unnamed'
}

function startFolders(): string[] {
  const main = process.argv[1]
  // What starts other code, as a test runner or Next.js, is no application.
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

/** As long as npm takes one. */
const MAX_NAME_LENGTH = 214

function isScope(name: string): boolean {
  return name.startsWith('@') && !name.includes('/')
}

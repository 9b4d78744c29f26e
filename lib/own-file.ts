import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** In an ES module bundle this is the bundle's address. A CommonJS bundle has none, but knows its file as `__filename`. */
const here: string | null = import.meta.url ?? (typeof __filename === 'string' ? pathToFileURL(__filename).href : null)

/** The folder of this code, or of the bundle that contains it; null if neither is known. */
export const ownFolder: string | null = here === null ? null : dirname(fileURLToPath(here))

/**
 * One of our files that a thread or process starts with, rather than imports. TypeScript during development, JavaScript after a build.
 * @param path below `lib/`, without extension
 * @returns null if it is not next to this code, as in a bundle
 */
export function ownFile(path: string): URL | null {
  if (here === null) return null
  const file = new URL(`./${path}${extname(fileURLToPath(here))}`, here)
  return existsSync(file) ? file : null
}

/** The main file of a package that we need, as CommonJS. Throws if it is not installed. */
export function packageFile(name: string): string {
  return createRequire(here ?? pathToFileURL(`${process.cwd()}/`)).resolve(name)
}

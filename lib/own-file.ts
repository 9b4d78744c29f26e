import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** In a bundle of ES modules that is the bundle's address. One of CommonJS modules has none here, but knows its file by another name. */
const here: string | null = import.meta.url ?? (typeof __filename === 'string' ? pathToFileURL(__filename).href : null)

/**
 * The folder of this code, or of the bundle that it was put into; null where neither is known.
 */
export const ownFolder: string | null = here === null ? null : dirname(fileURLToPath(here))

/**
 * A file of ours that is more than code to import: what a thread or process starts with. TypeScript while developing, JavaScript when
 * built.
 * @param path below `lib/`, without its extension
 * @returns null where it does not lie beside this code, as in a bundle
 */
export function ownFile(path: string): URL | null {
  if (here === null) return null
  const file = new URL(`./${path}${extname(fileURLToPath(here))}`, here)
  return existsSync(file) ? file : null
}

/** The main file of a package that we need, as CommonJS. Throws where it is not installed. */
export function packageFile(name: string): string {
  return createRequire(here ?? pathToFileURL(`${process.cwd()}/`)).resolve(name)
}

import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder of the package's compiled files. Throws where the package is not to be found, as in a bundle. */
export function databaseFiles(): string {
  return dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
}

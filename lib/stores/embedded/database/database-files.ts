import { dirname } from 'node:path'
import { packageFile } from '../../../own-file.ts'

/** The folder of the package's compiled files. Throws if the package cannot be found, as in a bundle. */
export function databaseFiles(): string {
  return dirname(packageFile('@electric-sql/pglite'))
}

import { dirname } from 'node:path'
import { packageFile } from '../../../own-file.ts'

/** The folder of the package's compiled files. Throws where the package is not to be found, as in a bundle. */
export function databaseFiles(): string {
  return dirname(packageFile('@electric-sql/pglite'))
}

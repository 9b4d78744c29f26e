import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCodeOf } from '../../stores/failures/error-code.ts'

/**
 * What is wrong with the module of a `cpu` task, as far as it can be checked without running it; null if nothing is. Importing it to check
 * its exports would run it in this process.
 */
export function cpuModuleProblem(module: URL): string | null {
  try {
    const path = fileURLToPath(module)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isFile()) return null
    if (stats) return `its module ${path} is not a file`
    // A loader such as tsx resolves .js to .ts.
    return existsSync(path.replace(/js$/, 'ts')) ? null : `its module ${path} does not exist`
  } catch (error) {
    return `its module ${module.href} cannot be read (${errorCodeOf(error) ?? 'no such file'})`
  }
}

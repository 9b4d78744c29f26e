import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCodeOf } from '../../stores/failures/error-code.ts'

/**
 * What is wrong with the module of a `cpu` task, as far as that can be told without running it; null when nothing is. What it exports
 * is seen when it runs, in a process of its own: to import it here would run it here.
 */
export function cpuModuleProblem(module: URL): string | null {
  try {
    const path = fileURLToPath(module)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isFile()) return null
    if (stats) return `its module ${path} is not a file`
    // A loader such as tsx finds one by the name of the other.
    return existsSync(path.replace(/js$/, 'ts')) ? null : `its module ${path} does not exist`
  } catch (error) {
    return `its module ${module.href} cannot be read (${errorCodeOf(error) ?? 'no such file'})`
  }
}

import { createTaskDashboardError } from '../errors.ts'

/** Loads an optional package, or throws MISSING_PACKAGE which names it and the URL scheme that wants it. */
export async function loadPackage<Module>(load: () => Promise<Module>, name: string, scheme: string): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing) throw error
    throw createTaskDashboardError('MISSING_PACKAGE', [scheme, name, name], { cause: error })
  }
}

import { createTaskDashboardError } from '../errors.ts'

/** Loads an optional package. Throws MISSING_PACKAGE, which names the package and the URL scheme that needs it. */
export async function loadPackage<Module>(load: () => Promise<Module>, name: string, scheme: string): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    throw createTaskDashboardError('MISSING_PACKAGE', [scheme, name, name], { cause: error })
  }
}

/** `import` and `require` use different codes. Loaders that run in their own thread lose the code. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error)) return false
  return 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') ||
    error.message.startsWith(`Cannot find package '${name}'`)
}

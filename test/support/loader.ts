/** `.js` where the tests run compiled, `.ts` where they run from their sources. */
export const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** What Node needs to run a file of the project with this extension, whatever folder it is in. */
export const LOADER: readonly string[] = EXTENSION === '.ts' ? ['--import', import.meta.resolve('tsx')] : []

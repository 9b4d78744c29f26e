/** `.js` when the tests run compiled, `.ts` when they run from source. */
export const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/**
 * The arguments Node needs to run a project file with this extension from any folder. The embedded store is WebAssembly, which V8 would
 * optimise for a second of processor time per process.
 */
export const LOADER: readonly string[] = ['--liftoff-only', ...(EXTENSION === '.ts' ? ['--import', import.meta.resolve('tsx')] : [])]

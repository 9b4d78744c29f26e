import { CHILD_OPTIONS } from '../../scripts/node-options.ts'

/** `.js` when the tests run compiled, `.ts` when they run from source. */
export const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** The arguments Node needs to run a project file with this extension from any folder. */
export const LOADER: readonly string[] = [...CHILD_OPTIONS, ...(EXTENSION === '.ts' ? ['--import', import.meta.resolve('tsx')] : [])]

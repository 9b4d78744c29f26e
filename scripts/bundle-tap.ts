import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { COMMON } from './bundle-sources.ts'

/**
 * Bundles tap where the tests of a compiled tree find it, so that each process reads one file instead of 150.
 * The bundle leaves out async-hook-domain, with which tap assigns an uncaught error to its test, because that package tracks every promise
 * of the process. Without it, an uncaught error ends the process, and the file counts as failed.
 * @param tests the folder with the tests
 */
export async function bundleTap(root: string, tests: string): Promise<void> {
  const folder = join(tests, 'node_modules/tap')
  await build({
    ...COMMON, sourcemap: false, absWorkingDir: root, entryPoints: ['tap'], outfile: join(folder, 'index.js'),
    plugins: [{
      name: 'without domains',
      setup(builder) {
        builder.onResolve({ filter: /^async-hook-domain$/ }, ({ path }) => ({ path, namespace: 'domains' }))
        builder.onLoad({ filter: /./, namespace: 'domains' }, () => ({ contents: 'export class Domain { destroy() {} }' }))
      }
    }]
  })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'tap', type: 'module', exports: './index.js' }))
}

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { STARTS } from './bundle-sources.ts'
import { run } from './run.ts'

/**
 * `npm run build` writes the package's code to dist: a file for each export, what they share, and the declarations that the exports reach.
 * With 750 separate files, each with its map and declarations, an import took twice the CPU time and npm took much longer to install.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const DIST = 'dist'

/** The process of a CPU task imports this file by its path. */
const IMPORTED_BY_PATH = 'lib/queue-app/tasks/current-execution.ts'

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin: Readonly<Record<string, string>>
}

rmSync(DIST, { recursive: true, force: true })
const code = await run(process.execPath, ['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.build.json'])
if (code !== 0) process.exit(code)
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const exported = Object.values(manifest.exports).flatMap(entry => typeof entry === 'string' ? [] : [sourceOf(entry.default)])
removeUnreached(exported)
// Runs last, so that a failed build leaves nothing that looks complete.
await bundle([...exported, ...Object.values(manifest.bin).map(sourceOf), ...STARTS, IMPORTED_BY_PATH])

function sourceOf(path: string): string {
  return path.replace(/^(?:\.\/)?dist\//, '').replace(/\.js$/, '.ts')
}

async function bundle(entryPoints: string[]): Promise<void> {
  await build({
    entryPoints, outdir: DIST, outbase: '.', bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20',
    packages: 'external', sourcemap: 'linked', logLevel: 'warning',
    // Chunks must lie in lib/: lib/own-file.ts finds the start files of threads and processes next to its own code.
    chunkNames: 'lib/[name]-[hash]'
  })
}

/** Removes the declarations of code that no user can import, which is most of them. */
function removeUnreached(exported: readonly string[]): void {
  const reached = new Set(exported.map(path => resolve(DIST, path.replace(/\.ts$/, '.d.ts'))))
  for (const path of reached) {
    const code = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
    for (const [, to = ''] of code.matchAll(/(?:from |import ?\(?)['"](\.[^'"]+)\.[jt]s['"]/g)) {
      const declared = resolve(dirname(path), `${to}.d.ts`)
      if (!existsSync(declared)) throw new Error(`${path} imports ${to}, which is not there`)
      reached.add(declared)
    }
  }
  for (const path of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.d.ts') && !reached.has(resolve(DIST, path))) rmSync(join(DIST, path))
  }
}

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { CHILD_OPTIONS, TEST_OPTIONS } from './node-options.ts'

/** Packages that both tests and sources import: both must get the same copy. */
const PACKAGES = [
  '@sinclair/typebox', '@sinclair/typebox/value', 'bullmq', 'cron-parser', 'fast-check', 'fastify', 'fastify-plugin', 'ioredis', 'pg',
  'uuid'
]

/** A process or thread starts with one of these. Each gets its own bundle. */
export const STARTS = ['lib/engine/workers/cpu-process.ts', 'lib/stores/embedded/thread/embedded-worker.ts']

/** These run something when imported, or only re-export. */
const AS_THEY_ARE = new Set([...STARTS, 'lib/cli/main.ts', 'schemas/index.ts'])

/** The folder of the bundle in the compiled tree. */
const BUNDLE = 'bundle'
/** All code of the bundle. */
export const BUNDLE_FILE = `${BUNDLE}/all.cjs`

/** How code for Node is bundled. */
export const COMMON: BuildOptions = {
  bundle: true, format: 'esm', platform: 'node', target: 'node20', sourcemap: 'linked', sourcesContent: false, logLevel: 'error',
  // Some packages are CommonJS.
  banner: {
    js: 'import{createRequire as createRequire_}from"node:module";const require=createRequire_(import.meta.url),'
      + '__filename=import.meta.filename??"",__dirname=import.meta.dirname??"";'
  },
  // The first two are optional and not installed. The last finds its files beside its code.
  external: ['pg-native', 'pg-cloudflare', '@electric-sql/pglite']
}

/**
 * Bundles the sources of a compiled tree with the packages that they use. A process then reads about 15 files instead of 1,400, and finds
 * the bundle already compiled (`load-bundle.ts`). Each source file keeps its path and exports, and its code still runs when it is first
 * imported.
 * @param sources paths below the root
 */
export async function bundleSources(root: string, folder: string, sources: readonly string[]): Promise<void> {
  const bundled = sources.filter(path => !AS_THEY_ARE.has(path))
  const exported = await exportsOf(root, bundled)
  const plugin = entries(root, folder, bundled)
  await build({
    ...COMMON,
    // Node can store the compiled code of a CommonJS file, but not of an ES module. A process would read the source map when it starts,
    // so only the output of a test is read with it (`frames-of-bundle.ts`).
    format: 'cjs', banner: {}, sourcemap: 'external', legalComments: 'none',
    absWorkingDir: root, entryPoints: ['entry:all'], outfile: join(folder, BUNDLE_FILE), plugins: [plugin]
  })
  const code = await readFile(join(folder, BUNDLE_FILE), 'utf8')
  await writeFile(join(folder, BUNDLE_FILE), asLoaded(code))
  await build({
    ...COMMON, absWorkingDir: root, entryPoints: [...STARTS], outbase: root, outdir: folder, packages: 'external', plugins: [plugin]
  })
  await Promise.all([
    ...bundled.map(async (path, index) => {
      await writeFile(join(folder, path.replace(/\.ts$/, '.js')), reexport(path, 'sources', index, exported.get(path)!))
    }),
    ...PACKAGES.map(async (name, index) => {
      const path = join(BUNDLE, `${fileOfPackage(name)}.js`)
      await writeFile(join(folder, path), reexport(path, 'packages', index, await exportsOfPackage(name)))
    })
  ])
  // What test processes and their children are started with.
  await Promise.all([TEST_OPTIONS, CHILD_OPTIONS].map(options =>
    promisify(execFile)(process.execPath, [...options, join(folder, 'scripts/store-code.js')])))
}

/**
 * The bundle as `load-bundle.ts` reads it: one function, so that a process need not copy 8 MB to wrap them, and only ASCII, which takes
 * half the memory and a quarter of the time to read. esbuild has already escaped strings. What is left are comments and regular
 * expressions, in which an escape means the same.
 */
function asLoaded(code: string): string {
  // Code that Node did not load itself has no `import()` of its own.
  const body = code.replace(/(?<![.\w])import\(/g, 'importHere(')
    .replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `(function(exports,require,module,__filename,__dirname,importHere){${body}\n})`
}

/** A module with the exports of an entry of the bundle. */
function reexport(path: string, list: 'sources' | 'packages', index: number, names: readonly string[]): string {
  if (names.length === 0) return 'export {}\n'
  const loader = relative(dirname(path), 'scripts/load-bundle.js')
  const values = names.map(name => name === 'default' ? 'export default entry.default\n' : `export const ${name} = entry.${name}\n`)
  return `import { ${list} } from "${loader}"\nconst entry = ${list}[${index}]()\n${values.join('')}`
}

/**
 * Makes imports of packages resolve to the bundle.
 * @param code as esbuild prints it
 * @param path of its file below the root
 */
export function bundledImports(code: string, path: string): string {
  return code.replace(/(\bfrom ?|\bimport ?\(?)"([^"\n.][^"\n]*)"/g, (all: string, before: string, name: string) =>
    PACKAGES.includes(name) ? `${before}"${importPath(path, fileOfPackage(name))}"` : all)
}

function importPath(from: string, name: string): string {
  return `${relative(dirname(from), '.') || '.'}/${BUNDLE}/${name}.js`
}

function fileOfPackage(name: string): string {
  return name.replace(/\W+/g, '_')
}

async function exportsOf(root: string, paths: readonly string[]): Promise<Map<string, readonly string[]>> {
  const { metafile } = await build({
    absWorkingDir: root, entryPoints: [...paths], bundle: false, write: false, metafile: true, format: 'esm', outdir: root, outbase: root
  })
  return new Map(Object.entries(metafile.outputs).map(([path, { exports }]) => [path.replace(/\.js$/, '.ts'), exports]))
}

function entries(root: string, folder: string, sources: readonly string[]): Plugin {
  return {
    name: 'entries',
    setup(builder) {
      builder.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }))
      builder.onLoad({ filter: /./, namespace: 'entry' }, async ({ path }) => ({
        resolveDir: root,
        // `require` runs a module only when it is called.
        contents: path === 'all'
          ? `${listOf('sources', sources.map(source => `./${source}`))}${listOf('packages', PACKAGES.map(name => `entry:${name}`))}`
          : await packageEntry(path)
      }))
      // esbuild gives a dynamically imported CommonJS package only its default export.
      builder.onResolve({ filter: /^[@\w]/ }, ({ path, kind }) =>
        kind === 'dynamic-import' && PACKAGES.includes(path) ? { path, namespace: 'entry' } : undefined)
      // This file finds the project's files by its own URL, so the bundle must contain the URL of its compiled copy.
      builder.onLoad({ filter: /\/lib\/own-file\.ts$/ }, async ({ path }) => ({
        loader: 'ts',
        contents: (await readFile(path, 'utf8')).replaceAll(
          'import.meta.url', JSON.stringify(pathToFileURL(join(folder, relative(root, path).replace(/\.ts$/, '.js'))).href)
        )
      }))
    }
  }
}

function listOf(name: string, paths: readonly string[]): string {
  return `export const ${name} = [\n${paths.map(path => `() => require("${path}")`).join(',\n')}\n]\n`
}

/** Lists the exports that Node finds in a CommonJS package, because esbuild does not. */
async function packageEntry(name: string): Promise<string> {
  const names = await exportsOfPackage(name)
  const others = names.filter(key => key !== 'default')
  return `import * as all from "${name}"
${names.includes('default') ? `export { default } from "${name}"\n` : ''}${others.map(key => `const ${key}_ = all.${key}\n`).join('')}
export { ${others.map(key => `${key}_ as ${key}`).join(', ')} }
`
}

async function exportsOfPackage(name: string): Promise<string[]> {
  return Object.keys(await import(name) as object).filter(key => key !== 'module.exports')
}

import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { transform } from 'esbuild'
import { bundledImports, bundleSources } from './bundle-sources.ts'
import { bundleTap } from './bundle-tap.ts'

/** Folders with sources, and files that they read. */
const COPIED = [
  'lib', 'schemas', 'test', 'scripts', 'examples', 'ui', 'ui-dist', 'docs', 'package.json', 'README.md', 'LICENSE', 'tsconfig.json'
]

/** A file that imports more sources than this runs faster from a bundle. */
const MAX_SOURCES_APART = 60

/**
 * Copies the sources to a folder and compiles each file next to its copy, once for all files of a run. A loader would take a second for
 * this in every process. Imports and `new URL('./a.ts', import.meta.url)` resolve to the compiled files.
 * There are two copies. Both bundle tap; the second also bundles the sources with their packages.
 * @returns a function that returns the folder in which a test file runs
 */
export async function compileTree(root: string, folder: string): Promise<(file: string) => string> {
  const plain = join(folder, 'plain')
  const bundled = join(folder, 'bundled')
  await mkdir(plain, { recursive: true })
  await Promise.all(COPIED.map(name => cp(join(root, name), join(plain, name), { recursive: true })))
  const paths = (await Promise.all(COPIED.map(async name => {
    const entries = await readdir(join(plain, name), { recursive: true }).catch(() => [])
    return entries.filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts')).map(path => join(name, path))
  }))).flat()
  await bundleTap(root, join(plain, 'test'))
  const compiled = new Map(await Promise.all(paths.map(async path => [path, await compile(path)] as const)))
  await cp(plain, bundled, { recursive: true })
  for (const tree of [plain, bundled]) await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  await Promise.all([...compiled].map(([path, code]) => Promise.all([
    writeFile(join(plain, toJs(path)), code), writeFile(join(bundled, toJs(path)), bundledImports(code, path))
  ])))
  await bundleSources(root, bundled, paths.filter(path => SOURCE.test(path)))
  return file => sourcesReached(file, compiled) > MAX_SOURCES_APART ? bundled : plain

  async function compile(path: string): Promise<string> {
    const { code } = await transform(await readFile(join(root, path), 'utf8'), {
      loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline', sourcesContent: false, sourcefile: join(root, path)
    })
    return compiledImports(code)
  }
}

const SOURCE = /^(?:lib|schemas)\//

function toJs(path: string): string {
  return path.replace(/\.ts$/, '.js')
}

/** Counts the sources that a file, or a program that it starts, imports. */
function sourcesReached(file: string, compiled: ReadonlyMap<string, string>): number {
  const reached = new Set([file])
  for (const path of reached) {
    for (const [, to = ''] of (compiled.get(path) ?? '').matchAll(/\b(?:from |import |import\(|new URL\()"([^"\n]+)\.js"/g))
      reached.add(`${join(dirname(path), to)}.ts`)
  }
  return [...reached].filter(path => SOURCE.test(path)).length
}

/** Rewrites imports in the form that esbuild prints them. */
export function compiledImports(code: string): string {
  return code
    .replace(/((?:\bfrom|\bimport) ?\(?")(\.{1,2}\/[^"\n]+)\.ts"/g, '$1$2.js"')
    .replace(/(new URL\("[^"\n]+)\.ts"(?=, import\.meta\.url)/g, '$1.js"')
}

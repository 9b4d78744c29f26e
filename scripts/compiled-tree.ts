import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'

/** Folders with sources, and files that they read. */
const COPIED = [
  'lib', 'schemas', 'test', 'scripts', 'examples', 'ui', 'ui-dist', 'docs', 'package.json', 'README.md', 'LICENSE', 'tsconfig.json'
]

/**
 * Copies the sources to a folder and compiles each file next to its copy, once for all files of a run. A loader would take a second for
 * this in every process. Imports and `new URL('./a.ts', import.meta.url)` resolve to the compiled files.
 */
export async function compileTree(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(COPIED.map(name => cp(join(root, name), join(folder, name), { recursive: true })))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of COPIED) {
    const paths = await readdir(join(folder, name), { recursive: true }).catch(() => [])
    await Promise.all(paths.filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts')).map(path => compile(join(name, path))))
  }

  async function compile(path: string): Promise<void> {
    const { code } = await transform(await readFile(join(folder, path), 'utf8'), {
      loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline', sourcesContent: false, sourcefile: join(root, path)
    })
    await writeFile(join(folder, path.replace(/\.ts$/, '.js')), compiledImports(code))
  }
}

/** Rewrites imports in the form that esbuild prints them. */
export function compiledImports(code: string): string {
  return code
    .replace(/((?:\bfrom|\bimport) ?\(?")(\.{1,2}\/[^"\n]+)\.ts"/g, '$1$2.js"')
    .replace(/(new URL\("[^"\n]+)\.ts"(?=, import\.meta\.url)/g, '$1.js"')
}

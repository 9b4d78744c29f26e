import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isQuick, needsBuild } from './file-loads.ts'

/** A crash or a leak ends all files of its pack, and two cores want to share the work. */
const MAX_FILES_PER_PACK = 16

const TAP = /^import t from "tap";$/m

/** What needs a process of its own: servers, other programs, threads, and whatever is shared by all code of a process. */
const OWN_PROCESS = /"node:(?:child_process|cluster|dgram|http2?|net|v8|vm|worker_threads)"|"fastify"|\bprocess\.|\bglobalThis\b|QueueApp\b/

/**
 * Lets test files that only compute share processes: starting one and loading tap takes longer than their tests. Each file is a subtest of
 * its pack, and fails if it has no test, changes the environment, or leaves a timer or socket.
 * @param treeOf the folder with the compiled file; null if it runs from source
 * @returns what to run instead: the other files, and packs that lie in the same folders
 */
export async function packFiles(files: readonly string[], treeOf: (file: string) => string | null): Promise<PackedFiles> {
  const trees = new Map<string, string[]>()
  const others: string[] = []
  for (const file of files) {
    const tree = treeOf(file)
    if (tree === null || !isQuick(file) || needsBuild(file) || !await onlyComputes(tree, file)) others.push(file)
    else trees.set(tree, [...trees.get(tree) ?? [], file])
  }
  const packs = new Map<string, string>()
  for (const [tree, packed] of trees) {
    for (let start = 0; start < packed.length; start += MAX_FILES_PER_PACK) {
      const name = `test/pack-${packs.size + 1}.test.ts`
      await writePack(join(tree, toJs(name)), tree, packed.slice(start, start + MAX_FILES_PER_PACK))
      packs.set(name, tree)
    }
  }
  return { files: [...packs.keys(), ...others], treeOf: file => packs.get(file) ?? treeOf(file) }
}

export interface PackedFiles {
  readonly files: readonly string[]
  treeOf(file: string): string | null
}

async function onlyComputes(tree: string, file: string): Promise<boolean> {
  const reached = new Set([join(tree, toJs(file))])
  for (const path of reached) {
    const code = await readFile(path, 'utf8')
    if (OWN_PROCESS.test(withoutMap(code)) || (path.endsWith('.test.js') && !TAP.test(code))) return false
    for (const [, to = ''] of code.matchAll(/\b(?:from |import )"(\.[^"\n]+)"/g)) {
      const imported = join(dirname(path), to)
      if (relative(tree, imported).startsWith('test/')) reached.add(imported)
    }
  }
  return true
}

async function writePack(path: string, tree: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const code = await readFile(join(tree, toJs(file)), 'utf8')
    await writeFile(join(tree, packedPath(file)), code.replace(TAP, 'const { t } = globalThis.pack;'))
  }
  await writeFile(path, `import tap from 'tap'
const files = ${JSON.stringify(files.map(file => [file, `./${relative('test', packedPath(file))}`]))}
globalThis.pack = {}
for (const [file, path] of files) {
  const before = lasting()
  const test = tap.test(file, async t => {
    pack.t = t
    await import(path)
  })
  await test
  if (test.subtest.counts.total === 0) tap.fail(file + ' has no test')
  await new Promise(resolve => setImmediate(resolve))
  const left = lasting().filter(each => !before.includes(each))
  if (left.length > 0) tap.fail(file + ' leaves something behind', { left: left.map(each => each.split('=')[0]) })
}

// Modules that are being loaded have requests open, and output that the parent has not read yet is a write. tslib, in some packages, adds
// globals that begin with two underscores.
function lasting() {
  const open = process.getActiveResourcesInfo().filter(kind => !/Req|Immediate|WriteWrap/.test(kind))
  return [
    'folder=' + process.cwd(), ...Object.keys(globalThis).filter(name => !name.startsWith('__')),
    ...Object.entries(process.env).map(pair => pair.join('=')),
    ...open.map((kind, index) => kind + '=' + open.slice(0, index).filter(other => other === kind).length)
  ]
}
`)
}

function packedPath(file: string): string {
  return toJs(file).replace(/\.js$/, '.packed.js')
}

function toJs(file: string): string {
  return file.replace(/\.ts$/, '.js')
}

function withoutMap(code: string): string {
  return code.replace(/^\/\/# sourceMappingURL=.*$/m, '')
}

import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { loadOf, needsBuild, type Load } from './file-loads.ts'

/** A crash or a leak ends all files of the pack, so a pack must stay small. */
const MAX_FILES_PER_PACK = 48

/** A pack cannot be split between cores, so packs must be short enough for two cores to share the work. */
const MAX_SECONDS_PER_PACK = 240
/** A run of a few files has fewer packs: starting one takes about this long. */
const MIN_SECONDS_PER_PACK = 10
const MIN_PACKS = 6

const TAP = /^import t from "tap";$/m

/** Code that needs a process of its own, although the files of a pack run one after another. */
const OWN_PROCESS = new RegExp([
  '"(?:node:(?:cluster|v8|vm|worker_threads)|vite)"', String.raw`\b(?:globalThis\b|setVariable\()`,
  String.raw`\bprocess\.(?:chdir|cpuUsage|emit|exit\(|getActiveResourcesInfo|memoryUsage|on\(|once\(|std(?:out|err))`,
  String.raw`\bprocess\.env(?:\.\w+|\[[^\]]+\]) =[^=]`
].join('|'))

const STARTS_CHROMIUM = /^test\/browser\//

export interface PackedFiles {
  readonly files: readonly string[]
  treeOf(file: string): string | null
  /** @param name path of a file, or title of a check */
  loadOf(name: string): Load
}

/**
 * Groups test files into packs. The files of a pack run one after another in one process, because starting a process, loading the sources
 * and starting Chromium takes longer than most tests.
 * Each file is a subtest of its pack, and fails if it has no test, changes the environment, or leaves a timer or socket.
 * @param treeOf the folder with the compiled file; null if it runs from source
 * @returns what to run instead: the other files, and packs that lie in the same folders
 */
export async function packFiles(files: readonly string[], treeOf: (file: string) => string | null): Promise<PackedFiles> {
  const kinds = new Map<string, { readonly tree: string, readonly withChromium: boolean, readonly files: string[] }>()
  const others: string[] = []
  const read = createReader()
  for (const file of files) {
    const tree = treeOf(file)
    if (tree === null || !await mayShare(tree, file, read)) {
      others.push(file)
      continue
    }
    const withChromium = STARTS_CHROMIUM.test(file)
    const kind = `${tree} ${withChromium}`
    kinds.set(kind, { tree, withChromium, files: [...kinds.get(kind)?.files ?? [], file] })
  }
  const packs = new Map<string, { readonly tree: string, readonly load: Load }>()
  for (const { tree, withChromium, files } of kinds.values()) {
    for (const together of split(files)) {
      const name = `test/pack-${packs.size + 1}.test.ts`
      await writePack(join(tree, toJs(name)), tree, together, withChromium)
      packs.set(name, { tree, load: loadOfAll(together) })
    }
  }
  return {
    files: [...packs.keys(), ...others],
    treeOf: file => packs.get(file)?.tree ?? treeOf(file),
    loadOf: name => packs.get(name)?.load ?? loadOf(name)
  }
}

function split(files: readonly string[]): string[][] {
  const share = loadOfAll(files).seconds / MIN_PACKS
  const maxSeconds = Math.min(Math.max(share, MIN_SECONDS_PER_PACK), MAX_SECONDS_PER_PACK)
  const packs: Array<{ seconds: number, readonly files: string[] }> = []
  for (const file of files.toSorted((a, b) => loadOf(b).seconds - loadOf(a).seconds)) {
    const { seconds } = loadOf(file)
    const pack = packs.find(each => each.seconds + seconds <= maxSeconds && each.files.length < MAX_FILES_PER_PACK)
    if (pack === undefined) packs.push({ seconds, files: [file] })
    else {
      pack.files.push(file)
      pack.seconds += seconds
    }
  }
  return packs.map(pack => pack.files)
}

function loadOfAll(files: readonly string[]): Load {
  const seconds = files.reduce((sum, file) => sum + loadOf(file).seconds, 0)
  return { seconds, cores: files.reduce((sum, file) => sum + loadOf(file).seconds * loadOf(file).cores, 0) / seconds }
}

interface Compiled {
  readonly needsProcess: boolean
  readonly importsTap: boolean
  /** Absolute paths. */
  readonly imports: readonly string[]
}

/** Reads each file once, because hundreds of tests import the same ones. */
function createReader(): (path: string) => Promise<Compiled> {
  const read = new Map<string, Promise<Compiled>>()
  return path => {
    if (!read.has(path)) read.set(path, readCompiled(path))
    return read.get(path)!
  }
}

async function readCompiled(path: string): Promise<Compiled> {
  const code = withoutMap(await readFile(path, 'utf8'))
  return {
    needsProcess: OWN_PROCESS.test(code),
    importsTap: TAP.test(code),
    imports: [...code.matchAll(/\b(?:from |import )"(\.[^"\n]+)"/g)].map(([, to = '']) => join(dirname(path), to))
  }
}

async function mayShare(tree: string, file: string, read: (path: string) => Promise<Compiled>): Promise<boolean> {
  if (needsBuild(file) || loadOf(file).seconds > MAX_SECONDS_PER_PACK || loadOf(file).cores > 1) return false
  const reached = new Set([join(tree, toJs(file))])
  for (const path of reached) {
    const { needsProcess, importsTap, imports } = await read(path)
    // Whatever test/support changes, such as a listener while a server runs, it undoes when the test ends.
    const isSupport = relative(tree, path).startsWith('test/support/')
    if ((needsProcess && !isSupport) || (!importsTap && path.endsWith('.test.js'))) return false
    for (const imported of imports) if (relative(tree, imported).startsWith('test/')) reached.add(imported)
  }
  return true
}

async function writePack(path: string, tree: string, files: readonly string[], withChromium: boolean): Promise<void> {
  for (const file of files) {
    const code = await readFile(join(tree, toJs(file)), 'utf8')
    await writeFile(join(tree, packedPath(file)), code.replace(TAP, 'const { t } = globalThis.pack;'))
  }
  const imports = files.map(file => `['${file}', () => import('./${relative('test', packedPath(file))}')]`)
  await writeFile(path, [
    "import tap from 'tap'",
    "import { runPack } from '../scripts/pack.js'",
    ...(withChromium ? ["import { shareBrowser } from './browser/browser.js'", 'await shareBrowser(tap)'] : []),
    `await runPack(tap, [${imports.join(', ')}])`
  ].join('\n'))
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

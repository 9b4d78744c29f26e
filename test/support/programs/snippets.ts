import { mkdtemp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { EXTENSION } from '../loader.ts'
import { ROOT, listFiles, readText } from '../source-files.ts'

/** One file as a page prints it for the reader: one block, or all blocks that begin with the same `// name.ts`. */
export interface Snippet {
  /** The document and the line of its first block. */
  readonly where: string
  readonly document: string
  /** Null for a block that names no file: it stands alone. */
  readonly name: string | null
  readonly text: string
  /** Path in the reader's project. */
  readonly source: string
  readonly compiled: string
}

export const DOCUMENTS = ['README.md', ...listFiles('docs', /^docs\/[^/]+\.md$/)]

const LANGUAGES = new Set(['ts', 'typescript', 'tsx'])
const FILE_NAME = /^\/\/ ((?:[\w.[\]-]+\/)*[\w.[\]-]+\.ts)$/

/** Every fenced TypeScript block of the documents. */
export function readSnippets(documents: readonly string[] = DOCUMENTS, read: (path: string) => string = readText): Snippet[] {
  return documents.flatMap(document => {
    const folder = document.replace(/\.md$/, '').replaceAll('/', '-')
    const parts = new Map<string, { line: number, name: string | null, lines: string[] }>()
    let language: string | null = null
    let lines: string[] | null = null
    for (const [index, text] of read(document).split('\n').entries()) {
      const fence = /^\s*```\s*(\w*)/.exec(text)
      if (fence !== null) {
        language = language === null ? fence[1]! : null
        lines = null
      } else if (language !== null && LANGUAGES.has(language)) {
        const name = FILE_NAME.exec(text)?.[1] ?? null
        if (name !== null || lines === null) {
          const key = name ?? `block-${index}`
          if (!parts.has(key)) parts.set(key, { line: index + 1, name, lines: [] })
          lines = parts.get(key)!.lines
        }
        lines.push(text)
      }
    }
    return [...parts].map(([key, { line, name, lines }]) => {
      const path = join(folder, name ?? `${key}.ts`)
      return { where: `${document}:${line}`, document, name, text: lines.join('\n'), source: path, compiled: path.replace(/\.ts$/, '.js') }
    })
  })
}

/** The names that a page says the reader provides: "In the examples, `app` and `auth` are yours." */
export function namesOfReader(document: string, read: (path: string) => string = readText): Set<string> {
  const sentence = /^In the examples(?: below)?, ([^.]+) (?:is|are) yours\./m.exec(read(document))?.[1] ?? ''
  return new Set([...sentence.matchAll(/`(\w+)`/g)].map(match => match[1]!))
}

export interface ReaderProject {
  readonly folder: string
  remove(): Promise<void>
}

/** A folder where the package can be imported by name from its sources, with everything it is used with. */
export async function createReaderProject(snippets: readonly Snippet[]): Promise<ReaderProject> {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-snippets-'))
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const { name, exports } = JSON.parse(readText('package.json')) as { name: string, exports: Record<string, { default?: string }> }
  const modules = join('node_modules', name)
  const entries: Record<string, object> = {}
  for (const [entry, { default: built }] of Object.entries(exports)) {
    if (built === undefined) continue
    const source = built.replace('./dist/', '').replace(/\.js$/, '.ts')
    const file = `./${entry === '.' ? 'index' : entry.slice(2)}`
    entries[entry] = { types: `${file}.d.ts`, default: `${file}.js` }
    const hasDefault = /\bas default\b|export default/.test(readText(source))
    const reexport = (from: string): string => `export * from '${from}'\n${hasDefault ? `export { default } from '${from}'\n` : ''}`
    await write(join(modules, `${file}.js`), reexport(pathToFileURL(join(ROOT, source.replace(/\.ts$/, EXTENSION))).href))
    await write(join(modules, `${file}.d.ts`), reexport(join(ROOT, source)))
  }
  await write(join(modules, 'package.json'), JSON.stringify({ name, type: 'module', exports: entries }))
  await write('package.json', JSON.stringify({ name: 'reader', type: 'module' }))
  for (const other of await readdir(join(ROOT, 'node_modules'))) {
    if (!other.startsWith('.')) await symlink(join(ROOT, 'node_modules', other), join(folder, 'node_modules', other))
  }
  for (const { source, compiled, text } of snippets) {
    await write(source, `${text}\n`)
    const compilerOptions = { ...OPTIONS, module: ts.ModuleKind.ESNext, noEmit: false }
    await write(compiled, ts.transpileModule(text, { compilerOptions, fileName: source }).outputText)
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** What `tsc --init` writes, and stricter than most projects. */
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  moduleDetection: ts.ModuleDetectionKind.Force,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true
}

/** The compiler's messages, as `document:line: message`. Also reports names of the reader that the page does not list as such. */
export function compileSnippets({ folder }: ReaderProject, snippets: readonly Snippet[], readersOwn: string): string[] {
  const files = snippets.map(({ source }) => join(folder, source))
  const program = ts.createProgram([...files, readersOwn], { ...OPTIONS, typeRoots: [join(folder, 'node_modules/@types')] })
  const checker = program.getTypeChecker()
  return snippets.flatMap(({ where, document }, index) => {
    const file = program.getSourceFile(files[index]!)!
    const faults = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      .map(({ messageText, start }) =>
        `${ts.flattenDiagnosticMessageText(messageText, ' ')} (line ` +
          `${file.getLineAndCharacterOfPosition(start ?? 0).line + 1} of the block)`)
    const named = namesOfReader(document)
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && !named.has(node.text)) {
        const declared = checker.getSymbolAtLocation(node)?.declarations?.[0]
        if (declared && ts.isVariableDeclaration(declared) && declared.getSourceFile().fileName === readersOwn) {
          faults.push(
            `${node.text} is not declared: import or declare it, or let the page say "In the examples, \`${node.text}\` is yours."`
          )
        }
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
    return [...new Set(faults)].map(fault => `${where}: ${fault}`)
  })
}

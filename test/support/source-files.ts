import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The folder with the code that runs: in `npm test`, for most tests, a compiled copy. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the project, whose files are read, built and packed. */
export const PROJECT = process.env['TASKS_TEST_PROJECT'] ?? ROOT

const IGNORED_FOLDERS = new Set(['node_modules', 'dist', 'ui-dist', '.git', '.tap', '.demo', '.gallery'])

/** Paths of the files below a folder of the project, relative to its root, with `/`. */
export function listFiles(folder: string, pattern = /./): string[] {
  const absolute = join(PROJECT, folder)
  if (!existsSync(absolute)) return []
  return readdirSync(absolute, { withFileTypes: true }).flatMap(entry => {
    const path = folder === '' || folder === '.' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return IGNORED_FOLDERS.has(entry.name) ? [] : listFiles(path, pattern)
    return pattern.test(path) ? [path] : []
  }).sort()
}

export function readText(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8')
}

export interface Import {
  from: string
  /** A file of the project, or the name of a package (`node:` for Node's own modules). */
  to: string
  isPackage: boolean
  /** Erased together with the types. */
  isType: boolean
  /** The names it imports. */
  names: readonly string[]
  /** `import()`: loaded when the line runs. */
  isLazy: boolean
}

/** Every import of a source file, including `export … from` and `import()`. */
export function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2023, true)
  const imports: Import[] = []
  visit(source)
  return imports

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword, { names: namesOf(node) })
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      add(node.moduleSpecifier, node.isTypeOnly, { names: namesOf(node) })
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]!, false, { isLazy: true })
    ts.forEachChild(node, visit)
  }

  function add(specifier: ts.Node, isType: boolean, more: { isLazy?: boolean, names?: string[] } = {}): void {
    if (!ts.isStringLiteral(specifier)) return
    const isPackage = !specifier.text.startsWith('.')
    const to = isPackage ? packageOf(specifier.text) : resolveFile(file, specifier.text)
    imports.push({ from: file, to, isPackage, isType, isLazy: false, names: [], ...more })
  }
}

function namesOf(node: ts.ImportDeclaration | ts.ExportDeclaration): string[] {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
  return bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
    ? bindings.elements.filter(each => !each.isTypeOnly).map(each => (each.propertyName ?? each.name).text)
    : []
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

function resolveFile(from: string, specifier: string): string {
  const target = resolve(PROJECT, dirname(from), specifier)
  const found = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map(ending => target + ending).find(path => existsSync(path))
  return relative(PROJECT, found ?? target).replaceAll('\\', '/')
}

import t from 'tap'
import ts from 'typescript'
import { EXCLUDED, WITHOUT_OUTSIDE_TEXT } from '../../ui/gallery/excluded.ts'
import { listFiles, readText } from '../support/source-files.ts'

const COMPONENTS = 'ui/src/components/'
const paths = listFiles(COMPONENTS.slice(0, -1), /\.tsx$/).map(file => file.slice(COMPONENTS.length, -'.tsx'.length))
const galleryFiles = listFiles('ui/gallery', /\.tsx$/)

/** The contents of the gallery: the names of its elements, and the states of each component. */
const drawn = new Set<string>()
const sections = new Map<string, string>()
for (const file of galleryFiles) visit(parse(file))

t.test('every component is in the gallery, or is left out with a reason', async t => {
  t.ok(paths.length > 100, `${paths.length} components`)
  t.same(paths.filter(path => !sections.has(path) && !Object.hasOwn(EXCLUDED, path)), [])
})

t.test('everything drawable that the file of a component exports is drawn', async t => {
  const missing = paths.filter(path => !Object.hasOwn(EXCLUDED, path)).flatMap(path =>
    exportedComponents(`${COMPONENTS}${path}.tsx`).filter(name => !drawn.has(name)).map(name => `${path}: ${name}`))
  t.same(missing, [])
})

t.test('every component that shows text from outside is drawn with hostile text', async t => {
  const tame = [...sections].filter(([path, text]) => !/state: 'hostile'|\beach\(/.test(text) && !Object.hasOwn(WITHOUT_OUTSIDE_TEXT, path))
  t.same(tame.map(([path]) => path), [])
})

t.test('the gallery and its lists name no component that no longer exists, and leave out none that is drawn', async t => {
  const known = new Set(paths)
  t.same([...sections.keys(), ...Object.keys(EXCLUDED), ...Object.keys(WITHOUT_OUTSIDE_TEXT)].filter(path => !known.has(path)), [])
  t.same(Object.keys(EXCLUDED).filter(path => sections.has(path)), [])
  for (const [path, reason] of Object.entries({ ...EXCLUDED, ...WITHOUT_OUTSIDE_TEXT })) t.ok(reason.length > 4, path)
})

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2023, true, ts.ScriptKind.TSX)
}

function visit(node: ts.Node): void {
  if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) drawn.add(node.tagName.getText())
  if (ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name) && node.name.text.includes('/'))
    sections.set(node.name.text, node.initializer.getText())
  ts.forEachChild(node, visit)
}

/** Functions and classes that can be drawn. Not contexts, and nothing in lower case. */
function exportedComponents(file: string): string[] {
  return parse(file).statements.flatMap(statement =>
    (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name
      && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) && /^[A-Z]/.test(statement.name.text)
      ? [statement.name.text]
      : [])
}

import t from 'tap'
import ts from 'typescript'
import { listFiles, readText } from '../../support/source-files.ts'

/** Text that is written for programs, or pasted where people with other languages read it. It stays the same in every language. */
const NOT_TRANSLATED = [
  'ui/src/texts/', 'ui/src/format/failures/failure-report.ts', 'ui/src/format/places/snippet.ts', 'ui/src/format/lists/export-list.ts'
]
/** Properties and attributes that people read, even if they are a single word in lower case. */
const SHOWN = /^(aria-label|title|placeholder|alt|label|copyLabel|startLabel|word|what|none|note|reason|headline|detail|text)$/
/** Properties that are either for people or for programs. Those for people begin with a capital. */
const NAMES = /^(name|words)$/
/** Properties and attributes that only a stylesheet, a drawing or the browser reads. */
const NOT_SHOWN = /^(className|style|d|viewBox|preserveAspectRatio|strokeDasharray|font|type|autoComplete|autoCapitalize|token|id|kind|role)$/
const ANYWHERE = /\p{L}{2}[,.:;!?…]? \p{L}{2}|^\p{Lu}\p{Ll}{2,}[.…!?]?$|\p{L}{2}…/u
const WORD = /\p{L}{2}/u
const CAPITAL = /^\p{Lu}/u
/** Names of keys, zones, units, percentiles, events and code, which are the same in every language. */
const SAME_EVERYWHERE = new Set([
  'UTC', 'p50', 'p95', 'p99', 'Escape', 'Enter', 'Tab', 'ArrowDown', 'ArrowUp', 'ApiError', '45m', 'Idempotency-Key'
])
const CODE = /queueApp\.|\bprefers-|\bmin-width|system-ui|^[a-z]+[/:-][a-z]|\["daily", 30\]/

interface Leftover {
  readonly line: number
  readonly text: string
}

/** Texts that a reader would see in English in every language. */
function leftoversOf(file: string, content: string): Leftover[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TSX)
  const found: Leftover[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (isForPrograms(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isJsxText(node) && WORD.test(node.text)) add(node, node.text)
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const place = placeOf(node)
      const pattern = place === 'JSX' || SHOWN.test(place) ? WORD : NAMES.test(place) ? CAPITAL : ANYWHERE
      if (!NOT_SHOWN.test(place) && (pattern.test(node.text) || ANYWHERE.test(node.text))) add(node, node.text)
    }
    ts.forEachChild(node, visit)
  }

  function add(node: ts.Node, text: string): void {
    const said = text.trim().replace(/\s+/g, ' ')
    if (SAME_EVERYWHERE.has(said) || CODE.test(said)) return
    found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: said })
  }
}

/** Query keys, and selectors for elements of the document. */
function isForPrograms(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return node.name.getText() === 'queryKey'
  return ts.isCallExpression(node) && /\.(?:querySelector(?:All)?|matches|closest)$/.test(node.expression.getText())
}

/** The attribute or property whose value a literal is; `JSX` for rendered text; otherwise empty. */
function placeOf(node: ts.Node): string {
  let child = node
  for (let parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isJsxAttribute(parent)) return parent.name.getText()
    if (ts.isPropertyAssignment(parent)) return parent.initializer === child ? parent.name.getText() : 'name of a property'
    if (ts.isConditionalExpression(parent)) {
      if (parent.condition === child) return ''
    } else if (ts.isJsxExpression(parent)) {
      if (!ts.isJsxAttribute(parent.parent)) return 'JSX'
    } else if (ts.isBinaryExpression(parent)) {
      if (!/^(\+|\?\?|\|\||&&)$/.test(parent.operatorToken.getText()) || (parent.left === child && parent.operatorToken.getText() === '&&'))
        return ''
    } else if (!ts.isTemplateSpan(parent) && !ts.isTemplateExpression(parent) && !ts.isParenthesizedExpression(parent)) return ''
  }
  return ''
}

t.test('every text of the interface is in the catalogue', async t => {
  const files = listFiles('ui/src', /\.tsx?$/).filter(file => !NOT_TRANSLATED.some(path => file.startsWith(path)))
  t.ok(files.length > 100)
  const found = files.flatMap(file => leftoversOf(file, readText(file)).map(({ line, text }) => `${file}:${line} ${text}`))
  t.same(found, [])
})

t.test('texts are read during rendering, not when a file is loaded, because the language is not known then', async t => {
  const found = listFiles('ui/src', /\.tsx?$/).filter(file => !file.startsWith('ui/src/texts/'))
    .flatMap(file => readAtOnce(file, readText(file)))
  t.same(found, [])
  t.same(readAtOnce('a.ts', 'const TITLE = frameTexts.find'), ['a.ts frameTexts'])
  t.same(readAtOnce('a.ts', 'const title = () => frameTexts.find'), [])
})

t.test('a leftover text is found', async t => {
  const cases: ReadonlyArray<readonly [content: string, found: readonly string[]]> = [
    ['<p>Nothing has failed</p>', ['Nothing has failed']],
    ['<p>{count} failed</p>', ['failed']],
    ['<input aria-label="search" title={isOn ? "on now" : texts.off} />', ['search', 'on now']],
    ['<p>{isOn ? "yes" : texts.no}</p>', ['yes']],
    ['<p>{isOn && `${count} runs`}</p>', ['runs']],
    ['const columns = [{ id: "task", name: "Task" }, { id: "task", name: "task" }]', ['Task']],
    ['const problem = `It has ${count} problems`', ['It has']],
    ['const WORDS = { failed: "Failed" }', ['Failed']],
    ['if (event.key === "Enter") return <b className="status status-failed">{texts.failed} p95</b>', []],
    ['type Kind = "One of these" | "Other"', []]
  ]
  for (const [content, expected] of cases) {
    const texts = leftoversOf('a.tsx', content).map(({ text }) => text)
    t.same(texts.filter(text => text !== 'p95'), expected, content)
  }
})

t.test('no stylesheet selects by a word of one language', t => {
  const found = listFiles('ui/src/styles', /\.css$/).flatMap(file =>
    [...readText(file).matchAll(/\[(?:data-label|aria-label|title|placeholder|alt)[~|^$*]?=[^\]]*\]/g)].map(([selector]) => `${file} ${selector}`))
  t.same(found, [])
  t.end()
})

/** Texts that a module reads when it is loaded. */
function readAtOnce(file: string, content: string): string[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isImportDeclaration(node)) return
    if (ts.isIdentifier(node) && /^[a-z]+Texts$/.test(node.text)) found.push(`${file} ${node.text}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

import t from 'tap'
import { listFiles, readText } from '../support/source-files.ts'

const SIX = 6

t.test('places that share six lines or more are listed with a reason', async t => {
  const text = readText('docs/contributing.md').split('### Repeated lines')[1] ?? ''
  const listed = [...text.matchAll(/^\| `(\S+)` \| `(\S+)` \| \S.*\|$/gm)].map(([, one, other]) => pairOf(one!, other!))
  const files = [...listFiles('lib', /\.ts$/), ...listFiles('ui/src', /\.tsx?$/)].filter(path => !/generated|\.d\.ts$/.test(path))
  t.ok(files.length > 500, `${files.length} files`)
  t.same(repeatedIn(new Map(files.map(path => [path, readText(path)]))), listed.sort())
})

t.test('six equal lines are found, and imports, comments and brackets do not count', async t => {
  const lines = Array.from({ length: SIX }, (_, index) => `run(${index})`)
  const [six, five] = [lines.join('\n'), lines.slice(1).join('\n')]
  const apart = lines.join('\n// a comment\n}\n\n')
  const notCounted = [
    "import { a } from './a.ts'", "import {\n  a, b,\n  c\n} from './b.ts'", "export * from './c.ts'",
    '/**\n * Text\n */', '// text', '})\n]\n</>'
  ].join('\n')
  const found = (one: string, other: string): string[] => repeatedIn(new Map([['a', one], ['b', other]]))
  t.same(found(six, `first()\n${apart}`), [pairOf('a', 'b')])
  t.same(found(`${six}\nmore()\n${six}`, ''), [pairOf('a', 'a')])
  t.same(found(five, five), [])
  t.same(found(notCounted, notCounted), [])
})

/** Pairs of files, or one file twice. */
function repeatedIn(files: ReadonlyMap<string, string>): string[] {
  const places = new Map<string, string[]>()
  for (const [path, text] of files) {
    const lines = linesOf(text)
    for (let at = 0; at + SIX <= lines.length; at++) {
      const block = lines.slice(at, at + SIX).join('\n')
      places.set(block, [...places.get(block) ?? [], path])
    }
  }
  return [...new Set([...places.values()].flatMap(([first, ...others]) => others.map(other => pairOf(first!, other))))].sort()
}

function linesOf(text: string): string[] {
  return text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^(?:import|export) (?:type )?(?:\{[^}]*\}|[^'{\n]*?) ?(?:from )?'.*'$/gm, '')
    .split('\n').map(line => line.trim()).filter(line => !/^(?:\/\/.*|[{}()[\],;<>/]*)$/.test(line))
}

function pairOf(one: string, other: string): string {
  return [one, other].sort().join(' = ')
}

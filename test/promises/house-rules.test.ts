import { basename, dirname } from 'node:path'
import t from 'tap'
import { listFiles, readText } from '../support/source-files.ts'

const sources = ['lib', 'schemas', 'test', 'ui/src', 'scripts', 'examples', 'bench'].flatMap(folder => listFiles(folder, /\.(ts|tsx|css)$/))
const documents = ['README.md', 'CHANGELOG.md', ...listFiles('docs', /\.md$/)]

t.test('file names are kebab-case', async t => {
  const names = [...sources, ...documents.filter(path => path.startsWith('docs/'))]
  t.same(names.filter(path => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(ts|tsx|css|md)$/.test(basename(path))), [])
})

t.test('no file has a meaningless name', async t => {
  const vague = /^(.*-)?(utils?|helpers?|manager|service|impl|base|common-utils|misc)\.(ts|tsx)$/
  t.same(sources.filter(path => vague.test(basename(path))), [])
})

t.test('no source file is longer than 300 lines', async t => {
  const tooLong = sources.filter(path => /^(lib|schemas|test|ui\/src|scripts|examples)\//.test(path) && !path.includes('generated'))
    .map(path => ({ path, lines: readText(path).split('\n').length - 1 }))
    .filter(({ lines }) => lines > 300)
  t.same(tooLong, [])
})

t.test('a folder of many files has subfolders', async t => {
  const MAX_FILES = 18
  const counts = new Map<string, number>()
  for (const path of sources.filter(path => path.startsWith('lib/'))) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  t.same([...counts].filter(([, files]) => files > MAX_FILES), [])
  t.match(readText('docs/architecture.md'), `more than ${MAX_FILES} in`, 'the limit is the documented one')
})

t.test('each test is in the folder of what it tests', async t => {
  // The others test the whole product, or what lies beside lib/ and ui/src/.
  const whole = /^test\/(browser|contracts|end-to-end|faults|newcomer|promises|scripts|security|support)\//
  const tests = sources.filter(path => path.startsWith('test/') && path.endsWith('.test.ts') && !whole.test(path))
  t.ok(tests.length > 250, `${tests.length} tests`)
  const folderOf = (path: string): string => dirname(path).replace(/^test\/ui(?=\/)/, 'ui/src').replace(/^test(?=\/)/, 'lib')
  const folders = new Set(sources.flatMap(path => ancestorsOf(dirname(path))))
  t.same(tests.filter(path => !folders.has(folderOf(path))), [], 'the folder exists')

  const elsewhere = tests.filter(path => {
    const [, area] = path.split('/')
    const namesake = `/${basename(path).replace('.test.ts', '.ts')}`
    const tested = sources.filter(source => source.startsWith(`lib/${area}/`) && source.endsWith(namesake))
    return tested.length > 0 && !tested.some(source => dirname(source) === folderOf(path))
  })
  t.same(elsewhere, [], 'a test with the name of a file is in its folder')
})

t.test('no file has section banners', async t => {
  t.same(sources.filter(path => /^[ \t]*(\/\/|\/\*)[ \t]*[-=*#]{4,}/m.test(readText(path))), [])
})

t.test('a limit is named MAX_X', async t => {
  const otherwise = /(?:\b(?:const|let)|,)\s+(?!DEFAULT_)[A-Z0-9_]+_(?:MAX|AT_MOST)(?:_[A-Z0-9_]*)?(?: =|:)/
  for (const declared of ['const ROWS', 'const A = 1, ROWS', 'let ROWS_A']) t.match(`${declared}_AT_MOST = 3`, otherwise)
  t.notMatch('const DEFAULT_ROWS_MAX = 3', otherwise)
  const others = [...listFiles('ui/gallery', /\.tsx?$/), 'ui/vite.config.ts']
  t.same([...sources, ...others].filter(path => otherwise.test(readText(path))), [])

  // Numbers with these names are limits too. In a test they may be amounts of data.
  const vague = /(?:\b(?:const|let)|,)\s+((?!(?:MAX|MIN)_)(?!\w+_MS\b)(?:MOST(?:_\w+)?|FEW|MUCH|NAMED|TRIES|ROOMY|LAST_SLICE|(?:\w+_)?(?:LOOKED_AT|SAID|SHOWN|KEPT|DEFAULT)|(?:SHOWN|KEPT|REMEMBERED)_\w+)) = \d/
  const listed = ['MOST', 'MOST_OF_ONE', 'FEW', 'NAMED', 'TRIES', 'GAPS_SAID', 'NAMES_SHOWN', 'LAST_SLICE', 'LOOKED_AT', 'KEPT_EVENTS']
  for (const name of listed) t.match(`const ${name} = 3`, vague)
  for (const name of ['MAX_NAMES_SHOWN', 'MAX_TRIES', 'KEPT_MS']) t.notMatch(`const ${name} = 3`, vague)
  const code = [...sources, ...others].filter(path => !/^test\/(?!support\/)/.test(path))
  t.same(code.flatMap(path => vague.exec(readText(path))?.slice(1).map(name => `${path}: ${name}`) ?? []), [])
})

t.test('no test is skipped, left for later or run alone', async t => {
  const switchedOff = /\b(skip|todo|only): (true|'|")|\bt\.(skip|todo|only)\(/
  t.same(
    sources.filter(path => path.startsWith('test/') && path !== 'test/promises/house-rules.test.ts' && switchedOff.test(readText(path))), []
  )
})

t.test('README names the two commands that need only Node and git', async t => {
  const readme = readText('README.md')
  t.match(readme, 'npm ci && npm run demo')
  t.match(readme, 'npm ci && npm test')
})

t.test('every link between documents leads to an existing file and heading', async t => {
  const broken = documents.flatMap(document => {
    const links = [...withoutCode(readText(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(match => match[1]!)
    return links.filter(link => !/^(https?:|mailto:)/.test(link) && !leadsSomewhere(document, link)).map(link => `${document}: ${link}`)
  })
  t.same(broken, [])
})

function ancestorsOf(folder: string): string[] {
  return folder === '.' ? [] : [folder, ...ancestorsOf(dirname(folder))]
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string?]
  const target = path === '' ? document : new URL(path, `file:///${document}`).pathname.slice(1)
  const exists = listFiles('.', /./).includes(target) || listFiles(target.replace(/\/$/, '')).length > 0
  if (!exists) return false
  if (anchor === undefined || !target.endsWith('.md')) return true
  return [...withoutCode(readText(target)).matchAll(/^#+ (.*)$/gm)].some(match => anchorOf(match[1]!) === anchor)
}

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll('`', '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(' ', '-')
}

function withoutCode(text: string): string {
  return text.replace(/^```[^]*?^```/gm, '')
}

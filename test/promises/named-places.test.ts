import t from 'tap'
import { listFiles, readText } from '../support/source-files.ts'

const FILES = listFiles('.')
const DOCUMENTS = ['docs/architecture.md', 'docs/contributing.md']

/** Written when a suite runs. */
const NOT_IN_THE_TREE = 'test/pack-1.test.ts'

/** Files and folders in `code`: `lib/errors.ts`, `worker.ts` or `pruning/`. Not URLs, placeholders (`<noun>`) or endings (`-table.tsx`). */
function placesIn(document: string): string[] {
  return [...readText(document).matchAll(/`([\w.][\w./-]*(?:\.tsx?|\.css|\.json|\.md|\/))`/g)].map(([, place]) => place!)
}

/** A place may omit its parent folders if the text has named them before. */
function exists(place: string): boolean {
  const wanted = `/${place.replace(/^\.\//, '')}`
  return FILES.some(file => place.endsWith('/') ? `/${file}`.includes(wanted) : `/${file}`.endsWith(wanted))
}

for (const document of DOCUMENTS) {
  t.test(`every file and folder that ${document} names exists`, async t => {
    const places = placesIn(document).filter(place => place !== NOT_IN_THE_TREE)
    t.ok(places.length > 20, `${places.length} places`)
    t.same(places.filter(place => !exists(place)), [])
  })
}

/** The block of code below the heading. Other parts of the document name folders too, which says nothing about the tree. */
function readTree(): string {
  return /^## The tree\n+```\n([^]*?)^```/m.exec(readText('docs/architecture.md'))![1]!
}

t.test('every folder and file at the start of a line of the tree exists', async t => {
  const tree = readTree()
  const places = tree.split('\n').flatMap(line => /^ *((?:[\w./-]+(?:\/|\.ts) +)+)/.exec(line)?.[1]!.trim().split(/ +/) ?? [])
  t.ok(places.length > 60, `${places.length} places`)
  t.same(places.filter(place => !exists(place)), [])
})

t.test('the tree has every folder of lib/, apart from those of single resources', async t => {
  const tree = readTree()
  const paths = FILES.filter(file => /^lib\/(?!dashboard\/resources\/).+\//.test(file)).flatMap(file => file.split('/').slice(1, -1))
  const folders = [...new Set(paths)]
  t.ok(folders.length > 60, `${folders.length} folders`)
  t.same(folders.filter(folder => !new RegExp(`(?<![\\w-])${folder}/`).test(tree)), [])
})

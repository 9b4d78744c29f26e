import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { listFiles, readText, PROJECT } from '../support/source-files.ts'

const SECTION = /^## Add a store\n([^]*?)(?=^## )/m.exec(readText('docs/contributing.md'))?.[1] ?? ''
const LISTED = [
  ...SECTION.matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)
].map(([, path]) => path!).filter(path => path.includes('/') || path === 'package.json')

/** The driver of one kind of store, by its file name. */
const DRIVER = /\/(?:redis|sql|postgres|embedded)(?:-[\w-]+\.ts|\/)/
/** Code that depends on the kind of store. */
const DECIDES = /\bkind [!=]== '(?:redis|postgres|embedded)'|case '(?:redis|postgres|embedded)':|Record<Store\['kind'\]/
/** The list names whole layers too, but they do not count as naming a file in them. */
const TOO_WIDE = /^(?:lib|lib\/[\w-]+|test)\/$/

t.test('every place in the list exists', async t => {
  t.ok(LISTED.length > 20, `${LISTED.length} places`)
  t.same(LISTED.filter(path => !existsSync(join(PROJECT, path))), [])
})

t.test('the list covers every file in lib/ that depends on the kind of store', async t => {
  const differing = listFiles('lib', /\.ts$/).filter(file => DRIVER.test(file) || DECIDES.test(readText(file)))
  t.ok(differing.length > 30, `${differing.length} files`)
  const places = LISTED.filter(path => !TOO_WIDE.test(path))
  t.same(differing.filter(file => !places.some(path => path === file || (path.endsWith('/') && file.startsWith(path)))), [])
})

import t from 'tap'
import { listFiles, readText } from '../support/source-files.ts'

interface Row { readonly files: readonly string[]; readonly shortened: string; readonly whole: string }

const [list = ''] = (readText('docs/contributing.md').split('## What the soak adds')[1] ?? '').split('\n## ')
const rows = [...list.matchAll(/^\| (`test\/.*?) \| .*? \| (.*?) \| (.*?) \|$/gm)].map(([, files, shortened, whole]): Row =>
  ({ files: [...files!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!), shortened: shortened!, whole: whole! }))
const users = listFiles('test', /\.ts$/).filter(path => /\bisSoak\b.* from '.*soak\.ts'/.test(readText(path)))

t.test('every test that is shorter in npm test is listed with what the soak adds', async t => {
  t.ok(users.length > 20, `${users.length} files`)
  t.same(rows.flatMap(({ files }) => files).toSorted(), users.toSorted())
})

t.test('the listed numbers of repetitions are those of the tests', async t => {
  const counted = users.flatMap(file => {
    const row = rows.find(({ files }) => files.includes(file))
    const found = [...readText(file).matchAll(/(?<!\btimeout: |_MS = |\* \(|setTimeout\()\bisSoak \? ([\d_]+) : ([\d_]+)\b/g)]
    return found.map(([, whole, shortened]) => ({ file, row, numbers: [shortened!, whole!].map(text => Number(text.replaceAll('_', ''))) }))
  })
  t.ok(counted.length >= 10, `${counted.length} numbers`)
  for (const { file, row, numbers } of counted)
    t.same([row?.shortened, row?.whole], numbers.map(number => number.toLocaleString('en')), file)

  const tenfold = users.filter(file => readText(file).includes('(isSoak ? 10 : 1)'))
  const listed = rows.filter(({ whole }) => whole === '10 times as many').flatMap(({ files }) => files)
  t.same(listed.toSorted(), tenfold.toSorted())
})

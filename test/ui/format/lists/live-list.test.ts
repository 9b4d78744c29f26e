import t from 'tap'
import type { Execution } from '../../../../schemas/index.ts'
import { joinPages, toLiveList, type Loaded } from '../../../../ui/src/format/lists/live-list.ts'

const one = (id: string, status = 'success') => ({ execution_id: id, status }) as Execution
const page = (ids: string, next: string | null = 'next') => ({ items: [...ids].map(id => one(id)), next_cursor: next })
const idsOf = (executions: readonly Execution[]) => executions.map(({ execution_id: id }) => id).join('')

t.test('pages follow each other, and executions that arrive twice are shown once', async t => {
  const first = page('abc')
  const loaded = joinPages([first], null)
  t.equal(idsOf(loaded.executions), 'abc')
  t.equal(idsOf(joinPages([first, page('cde'), page('')], loaded).executions), 'abcde')
  t.equal(idsOf(joinPages([page('xa'), page('b')], loaded).executions), 'xab', 'different pages start a new list')
  t.equal(idsOf(joinPages([], loaded).executions), '')
})

t.test('rows change in place, new ones are counted, and rows that a complete list no longer has are marked as moved on', async t => {
  const loaded = joinPages([page('abc', null)], null)
  const head = { items: [one('n'), one('b', 'failed')], next_cursor: null }
  const list = toLiveList(loaded, head)
  t.equal(idsOf(list.executions), 'abc')
  t.equal(list.executions[1]!.status, 'failed')
  t.equal(loaded.executions[1]!.status, 'success', 'what is loaded stays as it is')
  t.match(list, { news: 1, hasMoreNews: false })
  t.same([...list.movedOn], ['a', 'c'])
  t.equal(toLiveList(loaded, undefined).executions, loaded.executions)
  t.equal(toLiveList(loaded, page('xyz')).hasMoreNews, true)
  t.same([...toLiveList(loaded, { ...head, missing: 'broker' }).movedOn], [])
})

t.test('loading 50,000 executions page by page reads each a few times, not once for each page', async t => {
  let looks = 0
  const counted = (id: string) => ({ get execution_id() {
    looks++
    return id
  } }) as Execution
  const pages = Array.from({ length: 500 }, (_, first) => ({
    items: Array.from({ length: 100 }, (_, index) => counted(`${first}-${index}`)), next_cursor: 'next'
  }))
  let loaded: Loaded | null = null
  for (let count = 1; count <= pages.length; count++) {
    loaded = joinPages(pages.slice(0, count), loaded)
    toLiveList(loaded, pages[0])
  }
  t.equal(loaded!.executions.length, 50_000)
  t.ok(looks < 10 * 50_000, `${looks} reads`)
})

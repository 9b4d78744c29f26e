import t from 'tap'
import { select } from '../../../../ui/src/format/lists/select.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const selecting = (selected: string[], key: string, anchor: string | null = null, most = 10) =>
  [...select(new Set(selected), key, { order, anchor, most })]

t.test('a row is selected and deselected', async t => {
  t.same(selecting([], 'b'), ['b'])
  t.same(selecting(['b', 'gone'], 'b'), ['gone'], 'what has left the list stays selected')
  t.same(selecting(['gone'], 'gone'), [])
})

t.test('a whole range gets the new state of its last row', async t => {
  t.same(selecting(['b'], 'd', 'b'), ['b', 'c', 'd'])
  t.same(selecting(['d'], 'a', 'd'), ['d', 'c', 'b', 'a'])
  t.same(selecting(['a', 'b', 'c', 'd'], 'c', 'a'), ['d'])
  t.same(selecting(['gone'], 'c', 'gone'), ['gone', 'c'], 'without the first row, only one row changes')
})

t.test('no more than the limit is selected, from the start of the range', async t => {
  t.same(selecting(['a'], 'e', 'a', 3), ['a', 'b', 'c'])
  t.same(selecting(['e'], 'a', 'e', 3), ['e', 'd', 'c'])
  t.same(selecting(['a', 'b', 'c'], 'd', null, 3), ['a', 'b', 'c'])
  t.same(selecting(['a', 'b', 'c'], 'b', null, 3), ['a', 'c'])
})

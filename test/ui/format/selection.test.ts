import t from 'tap'
import {
  ALL_MATCHING, countOf, isSelected, markOfAll, NOTHING_SELECTED, withAllLoaded, withRange, withToggled, type Selection
} from '../../../ui/src/format/selection.ts'

const KEYS = ['a', 'b', 'c', 'd', 'e']
const chosen = (selection: Selection) => KEYS.filter(key => isSelected(selection, key)).join('')

t.test('rows are chosen one by one, and with shift from the one clicked last', async t => {
  let selection = withToggled(NOTHING_SELECTED, 'b')
  t.equal(chosen(selection), 'b')
  selection = withRange(selection, 'd', KEYS)
  t.equal(chosen(selection), 'bcd')
  t.equal(chosen(withRange(selection, 'a', KEYS)), 'abcd', 'the range starts where it did before, and goes up as well')
  selection = withToggled(selection, 'c')
  t.equal(chosen(selection), 'bd')
  t.equal(chosen(withRange(selection, 'e', KEYS)), 'b', 'a range becomes what its first row is')
})

t.test('a range whose first row has left the list is a single row', async t => {
  const selection = withToggled(NOTHING_SELECTED, 'gone')
  t.equal(chosen(withRange(selection, 'c', KEYS)), 'c')
  t.equal(chosen(withRange(NOTHING_SELECTED, 'c', KEYS)), 'c')
})

t.test('the box in the head chooses what is loaded, and nothing once it is all chosen', async t => {
  t.equal(markOfAll(NOTHING_SELECTED, KEYS), false)
  t.equal(markOfAll(withToggled(NOTHING_SELECTED, 'b'), KEYS), 'mixed')
  const all = withAllLoaded(withToggled(NOTHING_SELECTED, 'b'), KEYS)
  t.equal(markOfAll(all, KEYS), true)
  t.equal(countOf(all, 50_000), 5, 'rows that are not loaded are not chosen by it')
  t.equal(countOf(withAllLoaded(all, KEYS), 50_000), 0)
  t.equal(markOfAll(NOTHING_SELECTED, []), false)
})

t.test('all that match are chosen without being loaded, but for those taken out', async t => {
  t.equal(chosen(ALL_MATCHING), 'abcde')
  t.equal(isSelected(ALL_MATCHING, 'never loaded'), true)
  const but = withRange(withToggled(ALL_MATCHING, 'b'), 'c', KEYS)
  t.equal(chosen(but), 'ade')
  t.equal(countOf(but, 50_000), 49_998)
  t.equal(countOf(but, null), null, 'how many is not known where the filter could not be counted')
  t.equal(markOfAll(but, KEYS), 'mixed')
})

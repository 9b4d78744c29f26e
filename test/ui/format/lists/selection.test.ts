import t from 'tap'
import {
  ALL_MATCHING, countOf, isSelected, markOfAll, NOTHING_SELECTED, withAllLoaded, withRange, withToggled, type Selection
} from '../../../../ui/src/format/lists/selection.ts'

const KEYS = ['a', 'b', 'c', 'd', 'e']
const chosen = (selection: Selection) => KEYS.filter(key => isSelected(selection, key)).join('')

t.test('rows are selected one by one, or with Shift as a range from the row clicked last', async t => {
  let selection = withToggled(NOTHING_SELECTED, 'b')
  t.equal(chosen(selection), 'b')
  selection = withRange(selection, 'd', KEYS)
  t.equal(chosen(selection), 'bcd')
  t.equal(chosen(withRange(selection, 'a', KEYS)), 'abcd', 'the range keeps its start and may go upwards')
  selection = withToggled(selection, 'c')
  t.equal(chosen(selection), 'bd')
  t.equal(chosen(withRange(selection, 'e', KEYS)), 'b', 'a range takes the state of its first row')
})

t.test('a range whose first row has left the list is a single row', async t => {
  const selection = withToggled(NOTHING_SELECTED, 'gone')
  t.equal(chosen(withRange(selection, 'c', KEYS)), 'c')
  t.equal(chosen(withRange(NOTHING_SELECTED, 'c', KEYS)), 'c')
})

t.test('the box in the header selects the loaded rows, and clears them once all are selected', async t => {
  t.equal(markOfAll(NOTHING_SELECTED, KEYS), false)
  t.equal(markOfAll(withToggled(NOTHING_SELECTED, 'b'), KEYS), 'mixed')
  const all = withAllLoaded(withToggled(NOTHING_SELECTED, 'b'), KEYS)
  t.equal(markOfAll(all, KEYS), true)
  t.equal(countOf(all, 50_000), 5, 'rows that are not loaded are not selected')
  t.equal(countOf(withAllLoaded(all, KEYS), 50_000), 0)
  t.equal(markOfAll(NOTHING_SELECTED, []), false)
})

t.test('all matching rows can be selected without loading them, except those deselected', async t => {
  t.equal(chosen(ALL_MATCHING), 'abcde')
  t.equal(isSelected(ALL_MATCHING, 'never loaded'), true)
  const but = withRange(withToggled(ALL_MATCHING, 'b'), 'c', KEYS)
  t.equal(chosen(but), 'ade')
  t.equal(countOf(but, 50_000), 49_998)
  t.equal(countOf(but, null), null, 'unknown if the filter cannot be counted')
  t.equal(markOfAll(but, KEYS), 'mixed')
})

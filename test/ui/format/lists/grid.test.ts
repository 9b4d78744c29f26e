import t from 'tap'
import {
  COLUMN_GAP_PX, columnsThatFit, isChosen, NO_CHOICE, readChoice, templateOf, toggled, type ColumnPlace
} from '../../../../ui/src/format/lists/grid-columns.ts'
import { nextSorting, readSorting, sortedBy, sortingText } from '../../../../ui/src/format/lists/sorting.ts'

const COLUMNS: readonly ColumnPlace[] = [
  { id: 'name', name: 'Name', minPx: 100, grow: 2, isFixed: true },
  { id: 'runs', name: 'Runs', minPx: 50, givesWay: 2 },
  { id: 'last', name: 'Last run', minPx: 50, givesWay: 1 },
  { id: 'missed', name: 'Missed', minPx: 50, givesWay: 9, isWarning: true },
  { id: 'worker', name: 'Worker', minPx: 50, isExtra: true }
]
const idsAt = (widthPx: number, choice = NO_CHOICE) => columnsThatFit(COLUMNS, choice, widthPx).map(({ id }) => id)

t.test('columns are hidden in order, but never one that can show a warning', async t => {
  const gaps = (count: number) => count * COLUMN_GAP_PX
  t.strictSame(idsAt(250 + gaps(3)), ['name', 'runs', 'last', 'missed'])
  t.strictSame(idsAt(249 + gaps(3)), ['name', 'last', 'missed'])
  t.strictSame(idsAt(199 + gaps(2)), ['name', 'missed'])
  t.strictSame(idsAt(0), ['name', 'missed'])
})

t.test('growing columns share the remaining width, and shrink if there is too little', async t => {
  const [name, , , missed] = COLUMNS
  t.equal(templateOf([name!, missed!], 500), 'minmax(100px, 2fr) 50px')
  t.equal(templateOf([name!, missed!], 120), 'minmax(0px, 2fr) 50px')
})

t.test('a reader can hide columns and add extra ones, but not hide the one that identifies a row', async t => {
  let choice = toggled(toggled(toggled(NO_CHOICE, 'runs'), 'worker'), 'name')
  t.strictSame(idsAt(1_000, choice), ['name', 'last', 'missed', 'worker'])
  choice = toggled(choice, 'runs')
  t.equal(isChosen(COLUMNS[1]!, choice), true)
  t.strictSame(readChoice(JSON.stringify({ ...choice, density: 'compact' })), { toggled: ['worker', 'name'], density: 'compact' })
})

t.test('an unreadable stored choice is ignored', async t => {
  for (const text of [null, '', '{', '[]', '7', '{"toggled":"runs","density":"huge"}']) t.strictSame(readChoice(text), NO_CHOICE, `${text}`)
  t.equal(readChoice('null').density, 'comfortable')
})

t.test('the sort order is in the address as a column name, with a minus for descending', async t => {
  const columns = ['name', 'backlog']
  t.strictSame(readSorting('-backlog', columns), { column: 'backlog', isDescending: true })
  t.strictSame(readSorting('name', columns), { column: 'name', isDescending: false })
  for (const text of [null, '', '-', 'worker', '--name']) t.equal(readSorting(text, columns), null, `${text}`)
  t.equal(sortingText(nextSorting(null, 'backlog', true)), '-backlog')
  t.equal(sortingText(nextSorting({ column: 'backlog', isDescending: true }, 'backlog', true)), 'backlog')
  t.equal(sortingText(nextSorting({ column: 'backlog', isDescending: true }, 'name', false)), 'name')
})

t.test('rows sort by number or by natural name order, with unknown values last in both directions', async t => {
  const rows = [{ name: 'b10', at: 3 }, { name: 'B9', at: null }, { name: 'a', at: 7 }, { name: 'a', at: 1 }]
  const by = (isDescending: boolean) => sortedBy(rows, isDescending, ({ at }) => at).map(({ at }) => at)
  t.strictSame(by(false), [1, 3, 7, null])
  t.strictSame(by(true), [7, 3, 1, null])
  t.strictSame(sortedBy(rows, false, ({ name }) => name).map(({ at }) => at), [7, 1, null, 3], 'equal rows keep their order')
})

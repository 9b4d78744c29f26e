import type { CSSProperties } from 'react'
import { BriefGrid } from '../../src/components/grid/brief-grid.tsx'
import { DataGrid } from '../../src/components/grid/data-grid.tsx'
import type { GridColumn } from '../../src/components/grid/grid-column.ts'
import { GridMenu } from '../../src/components/grid/grid-menu.tsx'
import { PassingRows } from '../../src/components/grid/passing-rows.tsx'
import { HOSTILE, UNBROKEN } from '../samples/texts.ts'
import { href, nothing, type Stories } from '../story.ts'

interface Row {
  readonly name: string
  readonly count: number
}

const columns: ReadonlyArray<GridColumn<Row>> = [
  { id: 'name', name: 'Name', minPx: 160, grow: 1, isFixed: true, phone: '1', sorts: 'up', cell: ({ name }) => <bdi>{name}</bdi> },
  { id: 'count', name: 'Count', title: 'How many', minPx: 60, isNumber: true, phone: '2', sorts: 'down', cell: ({ count }) => count },
  { id: 'rest', name: 'The rest', minPx: 200, givesWay: 1, cell: ({ name }) => <bdi>{name}</bdi> }
]
const some: readonly Row[] = [{ name: 'billing:charge', count: 12 }, { name: 'email:send', count: 0 }, { name: 'reports:daily', count: 7 }]
const many: readonly Row[] = Array.from({ length: 200 }, (_, index) => ({ name: `${index} ${UNBROKEN}`, count: 9e15 }))
const hostile: readonly Row[] = [{ name: HOSTILE, count: 1 }]
const sorted = { sorting: { column: 'count', isDescending: true }, sortHref: href }
const choice = { toggled: ['rest'], density: 'compact' } as const

export const gridStories: Stories = {
  'grid/brief-grid': [
    { state: 'ready', show: () => <BriefGrid {...given(some)} /> },
    { state: 'empty', show: () => <BriefGrid {...given([])} /> },
    { state: 'partial', words: 'sorted, one is open', show: () => <BriefGrid {...given(some)} {...sorted} openKey="email:send" /> },
    { state: 'huge', show: () => <BriefGrid {...given(many.slice(0, 2))} /> },
    { state: 'hostile', show: () => <BriefGrid {...given(hostile)} /> }
  ],
  'grid/data-grid': [
    { state: 'ready', show: () => <DataGrid {...given(some)} /> },
    { state: 'empty', show: () => <DataGrid {...given([])} /> },
    {
      state: 'partial', words: 'sorted, in groups',
      show: () => <DataGrid {...given(some)} {...sorted} headingOf={({ name }) => name.split(':')[0]} />
    },
    { state: 'huge', words: 'in a frame', show: () => <div className="gallery-frame"><DataGrid {...given(many)} onEnd={nothing} /></div> },
    { state: 'hostile', show: () => <DataGrid {...given(hostile)} /> }
  ],
  'grid/grid-menu': [
    { state: 'ready', show: () => <GridMenu name="sample" columns={columns} choice={choice} /> },
    {
      state: 'hostile', show: () => <GridMenu name="sample" columns={columns.map(column => ({ ...column,
        name: HOSTILE }))} choice={choice} />
    }
  ],
  'grid/passing-rows': [
    { state: 'loading', show: () => passing(false) },
    {
      state: 'loading', words: 'on a phone',
      show: () => passing(true)
    }
  ]
}

function given(rows: readonly Row[]) {
  return { name: 'sample', label: 'Rows', columns, rows, keyOf: ({ name }: Row) => name, total: rows.length }
}

function passing(isPhone: boolean) {
  return <div className={`gallery-frame grid ${isPhone ? 'is-phone' : ''}`} style={{ '--columns': '2fr 60px 1fr' } as CSSProperties}>
    <PassingRows columns={columns} isPhone={isPhone} rowPx={isPhone ? 58 : 36} />
  </div>
}

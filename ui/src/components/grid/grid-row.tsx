import { memo } from 'react'
import type { GridColumn } from './grid-column.ts'

interface RowProps<Row> {
  readonly row: Row
  readonly columns: ReadonlyArray<GridColumn<Row>>
  readonly isPhone: boolean
  readonly rowPx: number
  readonly isMeasured: boolean
  readonly rowIndex: number | undefined
  readonly isOpen: boolean
  readonly className: string | undefined
}

/** Memoized, because scrolling renders the grid at every frame and changes only the few rows that become visible. */
export const GridRow = memo(Row) as typeof Row

function Row<Value>({ row, columns, isPhone, rowPx, isMeasured, rowIndex, isOpen, className = '' }: RowProps<Value>) {
  return (
    <div
      role="row" className={`grid-row ${isOpen ? 'is-open' : ''} ${className}`} aria-rowindex={rowIndex}
      style={isMeasured ? { minHeight: `${rowPx}px` } : { height: `${rowPx}px`, minHeight: 0 }}
    >
      {isPhone
        ? <><Line columns={columns} row={row} line="1" /><Line columns={columns} row={row} line="2" /></>
        : columns.map(column => <Cell key={column.id} column={column} row={row} />)}
    </div>
  )
}

interface LineProps<Row> {
  readonly columns: ReadonlyArray<GridColumn<Row>>
  readonly row: Row
  readonly line: '1' | '2'
}

/** One of the two lines that a row has on a phone. */
function Line<Row>({ columns, row, line }: LineProps<Row>) {
  return (
    <div className="grid-line">
      {columns.filter(({ phone }) => phone === line).map(column => <Cell key={column.id} column={column} row={row} />)}
      {columns.filter(({ phone }) => phone === `${line} end`).map(column => <Cell key={column.id} column={column} row={row} isAtEnd />)}
    </div>
  )
}

function Cell<Row>({ column, row, isAtEnd = false }: { column: GridColumn<Row>; row: Row; isAtEnd?: boolean }) {
  const { id, isNumber = false, className = '', cell } = column
  return <span role="cell" className={`cell-${id} ${isNumber ? 'num' : ''} ${isAtEnd ? 'at-end' : ''} ${className}`}>{cell(row)}</span>
}

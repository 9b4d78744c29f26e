import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { DataGridProps, GridColumn } from './grid-column.ts'

interface Props<Row> extends DataGridProps<Row> {
  readonly rowPx: number
  readonly isPhone: boolean
}

const HEADING_PX = 34
const OVERSCAN = 12
/** This many rows before the end, the next page is requested. */
const AHEAD = 30

/** The body of a grid, scrolled by the page: only the rows in sight exist, however many there are. */
export function GridRows<Row>(props: Props<Row>) {
  const { name, rows, keyOf, rowPx, isPhone, columns, isMeasured = false, openKey, classOf, headingOf, onEnd } = props
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const hasHeading = (index: number): boolean => headingOf !== undefined && headingOf(rows[index]!, rows[index - 1]) !== null
  const virtualizer = useWindowVirtualizer({
    count: rows.length, overscan: OVERSCAN, scrollMargin: offset, getItemKey: index => keyOf(rows[index]!),
    estimateSize: index => (hasHeading(index) ? rowPx + HEADING_PX : rowPx)
  })
  // What stands above can grow with any render. While the page scrolls, reading it would cost a layout per frame, and the rows that exist
  // beyond those in sight hide the difference.
  useLayoutEffect(() => {
    if (virtualizer.isScrolling) return
    const top = Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    if (top !== offset) setOffset(top)
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx, headingOf])
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= rows.length - AHEAD) onEnd?.()
  }, [last, rows.length, onEnd])

  return (
    <div role="rowgroup" ref={body} className={`grid-body ${name}-body`} style={{ height: `${virtualizer.getTotalSize()}px` }}>
      {items.map(({ index, key, start }) => {
        const row = rows[index]!
        const heading = headingOf?.(row, rows[index - 1])
        return (
          <div
            key={key} ref={isMeasured ? virtualizer.measureElement : undefined} data-index={index} className="grid-item"
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            {heading && <div role="row" className="grid-heading"><span role="cell">{heading}</span></div>}
            <GridRow
              row={row} columns={columns} isPhone={isPhone} rowPx={rowPx} isMeasured={isMeasured}
              rowIndex={headingOf ? undefined : index + 2}
              isOpen={openKey !== undefined && openKey !== null && key === openKey} className={classOf?.(row)}
            />
          </div>
        )
      })}
    </div>
  )
}

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

/** Memoized, because scrolling renders the grid at every frame and changes only the few rows that come into sight. */
const GridRow = memo(Row) as typeof Row

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

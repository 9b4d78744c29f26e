import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useFastScroll } from '../../hooks/use-fast-scroll.ts'
import type { GridRowsProps } from './grid-column.ts'
import { GridRow } from './grid-row.tsx'
import { PassingRows } from './passing-rows.tsx'

const HEADING_PX = 34
const OVERSCAN = 12
/** This many rows before the end, the next page is requested. */
const AHEAD = 30

/** The body of a grid, scrolled by the page: only the rows in sight exist, however many there are. */
export function VirtualRows<Row>(props: GridRowsProps<Row>) {
  const { name, rows, keyOf, rowPx, isPhone, columns, isMeasured = false, openKey, classOf, headingOf, onEnd } = props
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const hasHeading = (index: number): boolean => headingOf !== undefined && headingOf(rows[index]!, rows[index - 1]) !== null
  // The same function as long as the rows are the same, whoever tells their keys: with another one, all places are computed again.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]!), [rows])
  const isFast = useFastScroll()
  const virtualizer = useWindowVirtualizer({
    count: rows.length, overscan: OVERSCAN, scrollMargin: offset, getItemKey,
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
      {isFast && <PassingRows columns={columns} isPhone={isPhone} rowPx={rowPx} />}
      {!isFast && items.map(({ index, key, start }) => {
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

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

/** The body of a grid, scrolled by the page. Only the visible rows exist, however many there are. */
export function VirtualRows<Row>(props: GridRowsProps<Row>) {
  const { name, rows, keyOf, rowPx, isPhone, columns, isMeasured = false, openKey, classOf, headingOf, onEnd } = props
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  const hasHeading = (index: number): boolean => headingOf !== undefined && headingOf(rows[index]!, rows[index - 1]) !== null
  // Stays the same function while the rows are the same, even if `keyOf` is not, because a new function makes it compute all positions
  // again.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]!), [rows])
  const isFast = useFastScroll()
  const virtualizer = useWindowVirtualizer({
    count: rows.length, overscan: OVERSCAN, scrollMargin: offset, getItemKey,
    estimateSize: index => (hasHeading(index) ? rowPx + HEADING_PX : rowPx)
  })
  // The content above can grow with any render. While the page scrolls, measuring it would cost a layout per frame. Meanwhile, the rows
  // that exist beyond the visible ones hide the difference.
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

import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type CSSProperties, type ReactNode } from 'react'
import { Link } from 'wouter'
import { loadLevel } from '../../format/schedules/agenda.ts'
import { formatCompact, formatCount } from '../../format/stats/number.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

export interface AgendaColumn {
  readonly key: string
  readonly name: string
  /** The full name, for the tooltip and for screen readers. */
  readonly title: string
}

export interface AgendaRow {
  readonly key: string
  readonly name: string
  readonly note?: string
  readonly href: string
  /** One per column; null outside the agenda. */
  readonly counts: ReadonlyArray<number | null>
  readonly total: number
}

interface Props {
  readonly label: string
  readonly rowsAre: string
  readonly columns: readonly AgendaColumn[]
  readonly rows: readonly AgendaRow[]
  /** The line on top; null if the rows do not add up to anything. */
  readonly totals: { readonly counts: readonly number[]; readonly total: number } | null
}

const ROW_PX = 32
const OVERSCAN = 8

/** Numbers by row and column, shaded by size. The table scrolls in its own frame, and only the visible rows exist. */
export function AgendaTable({ label, rowsAre, columns, rows, totals }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length, getScrollElement: () => frame.current, estimateSize: () => ROW_PX, overscan: OVERSCAN
  })
  const heaviest = rows.reduce((max, row) => row.counts.reduce<number>((most, count) => Math.max(most, count ?? 0), max), 0)
  const headRows = totals ? 2 : 1
  return (
    <div className="agenda-frame" ref={frame} tabIndex={0} role="region" aria-label={label}>
      <div
        className={`agenda agenda-${columns.length > 7 ? 'hours' : 'days'}`} style={{ '--agenda-columns': columns.length } as CSSProperties}
        role="table" aria-label={label} aria-rowcount={rows.length + headRows}
      >
        <div role="rowgroup" className="agenda-head">
          <div role="row" className="agenda-row" aria-rowindex={1}>
            <span role="columnheader" className="agenda-name">{rowsAre}</span>
            <span role="columnheader" className="num">{scheduleTexts.total}</span>
            {columns.map(column =>
              <span key={column.key} role="columnheader" className="num" title={column.title} aria-label={column.title}>
                {column.name}
              </span>)}
          </div>
          {totals && (
            <div role="row" className="agenda-row agenda-totals" aria-rowindex={2}>
              <span role="rowheader" className="agenda-name">{scheduleTexts.all}</span>
              <Cell count={totals.total} />
              {totals.counts.map((count, index) =>
                <Cell key={columns[index]!.key} count={count} level={loadLevel(count, Math.max(...totals.counts))} />)}
            </div>
          )}
        </div>
        <div role="rowgroup" className="agenda-body" style={{ height: `${virtualizer.getTotalSize()}px` }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!
            return (
              <div
                role="row" key={row.key} className="agenda-row" aria-rowindex={index + headRows + 1}
                style={{ height: `${ROW_PX}px`, transform: `translateY(${start}px)` }}
              >
                <span role="rowheader" className="agenda-name">
                  <Link href={row.href} className="agenda-link" data-row-link title={row.note ? `${row.name} · ${row.note}` : row.name}>
                    <bdi>{row.name}</bdi>
                  </Link>
                  {row.note && <span className="muted"> <bdi>{row.note}</bdi></span>}
                </span>
                <Cell count={row.total} />
                {row.counts.map((count, column) =>
                  <Cell key={columns[column]!.key} count={count} level={loadLevel(count ?? 0, heaviest)} />)}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Cell({ count, level }: { count: number | null; level?: number }): ReactNode {
  if (count === null) {
    return <span role="cell" className="num agenda-outside"><span className="sr-only">{scheduleTexts.notInAgenda}</span></span>
  }
  return (
    <span role="cell" className={`num ${level === undefined ? 'agenda-sum' : `load-${level}`}`} title={scheduleTexts.runCount(count)}>
      {count === 0
        ? <span className="muted">·<span className="sr-only">0</span></span>
        : count < 1_000 ? formatCount(count) : formatCompact(count, 1_000)}
    </span>
  )
}

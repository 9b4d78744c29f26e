import type { ComponentType, CSSProperties, KeyboardEvent } from 'react'
import { useCallback, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { columnsThatFit, readChoice, templateOf } from '../../format/lists/grid-columns.ts'
import { nextSorting, type Sorting } from '../../format/lists/sorting.ts'
import { usePreference } from '../../hooks/use-preference.ts'
import { stepRow } from '../../hooks/use-shortcuts.ts'
import { useWidth } from '../../hooks/use-width.ts'
import type { DataGridProps, GridColumn, GridMenuProps, GridRowsProps, RowHeights } from './grid-column.ts'

const PHONE_PX = 480
const HEIGHTS: RowHeights = { comfortable: 36, compact: 28, phone: 58 }

interface Props<Row> extends DataGridProps<Row> {
  /** Draws the rows. */
  readonly Rows: ComponentType<GridRowsProps<Row>>
  /** The menu for its columns, if they can be chosen. */
  readonly Menu?: ComponentType<GridMenuProps>
}

/** A grid of any rows and columns. Only the columns that fit exist. */
export function Grid<Row>({ Rows, Menu, ...props }: Props<Row>) {
  const { name, label, columns, total, sorting = null, sortHref, heights = HEIGHTS, openKey, onHold, headingOf } = props
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const choice = readChoice(usePreference(`grid ${name}`))
  const isPhone = width !== null && width <= PHONE_PX
  const shown = useMemo(
    () => isPhone ? columns.filter(column => column.phone !== undefined) : columnsThatFit(columns, choice, width ?? 0),
    [columns, choice.toggled.join(), isPhone, width]
  )
  const hold = useCallback((isHeld: boolean) => onHold?.(isHeld), [onHold])
  const style = isPhone ? {} : { '--columns': templateOf(shown, width ?? 0) } as CSSProperties
  return (
    <div className="grid-frame" ref={frame}>
      {Menu && width !== null && !isPhone && <Menu name={name} columns={columns} choice={choice} />}
      <div
        className={`grid ${name} ${isPhone ? 'is-phone' : ''} ${choice.density === 'compact' ? 'is-compact' : ''}`} style={style}
        role="table" aria-label={label} aria-rowcount={total === null || headingOf ? -1 : total + 1}
        data-panel-list={openKey === undefined ? undefined : name}
        onPointerEnter={event => { if (event.pointerType === 'mouse') hold(true) }} onPointerLeave={() => hold(false)}
        onFocus={() => hold(true)} onBlur={() => hold(false)} onKeyDown={onKey}
      >
        {width !== null && <>
          <div role="rowgroup" className="grid-head">
            <div role="row" className="grid-row" aria-rowindex={1}>
              {shown.map(column => <Head key={column.id} column={column} sorting={sorting} sortHref={sortHref} />)}
            </div>
          </div>
          <Rows {...props} columns={shown} isPhone={isPhone} rowPx={heights[isPhone ? 'phone' : choice.density]} />
        </>}
      </div>
    </div>
  )
}

interface HeadProps<Row> {
  readonly column: GridColumn<Row>
  readonly sorting: Sorting | null
  readonly sortHref: DataGridProps<Row>['sortHref']
}

function Head<Row>({ column: { id, name, title, isNumber = false, isNameless = false, sorts }, sorting, sortHref }: HeadProps<Row>) {
  const current = sorting?.column === id ? sorting : null
  const order = current ? current.isDescending ? 'descending' as const : 'ascending' as const : undefined
  const words = isNameless ? <span className="sr-only">{name}</span> : name
  return (
    <span role="columnheader" className={isNumber ? 'num' : undefined} title={title} aria-sort={order}>
      {sorts && sortHref
        ? <Link href={sortHref(nextSorting(sorting, id, sorts === 'down'))} replace className={`grid-sort ${order ?? ''}`}>{words}</Link>
        : words}
    </span>
  )
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The arrow keys move from row to row, as j and k do. Enter opens a row. If the row is open already, Enter moves the focus to its panel.
 */
function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const link = event.target as HTMLElement
  if (!link.matches('[data-row-link]')) return
  const by = STEPS[event.key]
  const panel = event.key === 'Enter' && link.matches('[data-opened]') ? document.querySelector<HTMLElement>('dialog.panel h2') : null
  if (by === undefined && panel === null) return
  event.preventDefault()
  if (by === undefined) panel?.focus()
  else stepRow(by)
}

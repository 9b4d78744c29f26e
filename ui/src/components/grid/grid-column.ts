import type { ReactNode } from 'react'
import type { ColumnPlace, Density, GridChoice } from '../../format/lists/grid-columns.ts'
import type { Sorting } from '../../format/lists/sorting.ts'

export interface GridColumn<Row> extends ColumnPlace {
  readonly cell: (row: Row) => ReactNode
  readonly title?: string
  readonly isNumber?: boolean
  /** The class of its cells. */
  readonly className?: string
  /** The name is for screen readers only. */
  readonly isNameless?: boolean
  /** Its place on a phone, where a row has two lines; without it, the column is not shown there. */
  readonly phone?: '1' | '1 end' | '2' | '2 end'
  /** The list can be sorted by it, and the first click sorts in this direction. */
  readonly sorts?: 'up' | 'down'
}

/** Pixels of a row. */
export type RowHeights = Readonly<Record<Density | 'phone', number>>

export interface DataGridProps<Row> {
  /** Part of its class name and of its key in the browser's storage. */
  readonly name: string
  readonly label: string
  readonly columns: ReadonlyArray<GridColumn<Row>>
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** How many rows there are in all; null when that is not known. */
  readonly total: number | null
  readonly openKey?: string | null
  readonly classOf?: (row: Row) => string
  /** A line above a row that starts a new group. */
  readonly headingOf?: (row: Row, before: Row | undefined) => ReactNode
  readonly sorting?: Sorting | null
  /** The address of another order. Without it, the order cannot be changed. */
  readonly sortHref?: (sorting: Sorting) => string
  readonly heights?: RowHeights
  /** Rows can be higher than that if their content needs more lines. */
  readonly isMeasured?: boolean
  /** Called when the reader is near the last row. */
  readonly onEnd?: () => void
  /** While the pointer or the focus is in the list, nothing may move. */
  readonly onHold?: (isHeld: boolean) => void
}

export interface GridRowsProps<Row> extends DataGridProps<Row> {
  readonly rowPx: number
  readonly isPhone: boolean
}

export interface GridMenuProps {
  readonly name: string
  readonly columns: readonly ColumnPlace[]
  readonly choice: GridChoice
}

/** By which column a list is sorted, and in which direction. */
export interface Sorting {
  readonly column: string
  readonly isDescending: boolean
}

/** `backlog` or `-backlog` from the address; null if it is not one of these columns. */
export function readSorting(text: string | null, columns: readonly string[]): Sorting | null {
  const isDescending = text?.startsWith('-') ?? false
  const column = isDescending ? text!.slice(1) : text
  return column !== null && columns.includes(column) ? { column, isDescending } : null
}

export function sortingText({ column, isDescending }: Sorting): string {
  return isDescending ? `-${column}` : column
}

/** A second click on a column reverses its order. */
export function nextSorting(current: Sorting | null, column: string, isDescendingFirst: boolean): Sorting {
  return { column, isDescending: current?.column === column ? !current.isDescending : isDescendingFirst }
}

type Value = string | number | null

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Sorts rows by a value. Unknown values come last in both directions. Rows with equal values keep their order. */
export function sortedBy<Row>(rows: readonly Row[], isDescending: boolean, valueOf: (row: Row) => Value): readonly Row[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * (typeof a === 'string' && typeof b === 'string' ? byName.compare(a, b) : Number(a) - Number(b))
  })
}

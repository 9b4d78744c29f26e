import type { DataGridProps, GridRowsProps } from './grid-column.ts'
import { Grid } from './grid.tsx'
import { GridRow } from './grid-row.tsx'

/** A few rows on a page that shows more than one list. It needs no code that the first page would have to load for it. */
export function BriefGrid<Row>(props: DataGridProps<Row>) {
  return <Grid {...props} Rows={AllRows} />
}

function AllRows<Row>({ name, rows, keyOf, rowPx, isPhone, columns, isMeasured = false, openKey, classOf }: GridRowsProps<Row>) {
  return (
    <div role="rowgroup" className={`grid-body ${name}-body`}>
      {rows.map((row, index) => {
        const key = keyOf(row)
        return <GridRow
          key={key} row={row} columns={columns} isPhone={isPhone} rowPx={rowPx} isMeasured={isMeasured} rowIndex={index + 2}
          isOpen={openKey === key} className={classOf?.(row)}
        />
      })}
    </div>
  )
}

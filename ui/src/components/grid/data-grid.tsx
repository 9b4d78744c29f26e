import type { DataGridProps } from './grid-column.ts'
import { Grid } from './grid.tsx'
import { GridMenu } from './grid-menu.tsx'
import { VirtualRows } from './virtual-rows.tsx'

/** A list of any length. Only the visible rows exist, and its columns can be chosen. */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  return <Grid {...props} Rows={VirtualRows} Menu={GridMenu} />
}

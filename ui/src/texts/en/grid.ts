/** The menu of every list. */
export const grid = {
  menu: 'Columns and density',
  columns: 'Columns',
  rows: 'Rows',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  columnsGiveWay: 'Columns are hidden where there is no room.'
}

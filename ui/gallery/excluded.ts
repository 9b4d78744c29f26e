/** Components that have no stories of their own, and why. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  'executions/execution-columns': 'the columns of executions/execution-list, which draws every cell of them',
  'executions/select-column': 'a column of executions/execution-list, which draws it where one is selected',
  'grid/grid': 'what grid/brief-grid and grid/data-grid share',
  'grid/grid-row': 'a row of grid/brief-grid and grid/data-grid',
  'grid/virtual-rows': 'the rows of grid/data-grid'
}

/** Components that show no text from outside, so that none of it can be hostile, and why. */
export const WITHOUT_OUTSIDE_TEXT: Readonly<Record<string, string>> = {
  'bulk/bulk-progress': 'numbers and words of the catalogue',
  'bulk/outcome-filter': 'numbers and words of the catalogue',
  'elements/icon': 'drawings',
  'elements/status-mark': 'its words are of the catalogue',
  'executions/attempt': 'numbers',
  'executions/status-filter': 'numbers and words of the catalogue',
  'executions/timeline': 'times and words of the catalogue',
  'executions/waterfall': 'times and words of the catalogue',
  'failures/hours-note': 'words of the catalogue',
  'failures/state-filter': 'words of the catalogue',
  'frame/help-dialog': 'words of the catalogue',
  'frame/sign-in-again': 'words of the catalogue',
  'grid/passing-rows': 'bars without words',
  'schedules/run-strip': 'drawings and words of the catalogue',
  'stats/figure': 'numbers and words of the catalogue',
  'stats/range-picker': 'times and words of the catalogue',
  'stats/series-table': 'numbers and times',
  'stats/sparkline': 'drawings',
  'stats/stats-figures': 'numbers and words of the catalogue'
}

/** The help for keyboard shortcuts. */
export const help = {
  keys: { find: ['Ctrl K', '⌘ K'], open: 'Enter', close: 'Esc' },
  nextRow: 'Next and previous row; an open panel follows',
  openRow: 'Open the row; press again to move into its panel',
  selectRow: 'Select an execution; with Shift, the range from the last one',
  searchPage: 'Search or filter this page',
  closeOpen: 'Close what is open',
  goTo: (page: string) => `Go to ${page}`,
  pauseAndResume: 'Pause and resume updates',
  thisList: 'This list',
  singleKeys: 'Single keys without Ctrl or ⌘'
}

/** The palette and the search fields. */
export const search = {
  search: 'Search',
  searchExecutions: 'Search executions',
  placeholder: 'Search: words of errors and arguments, took:>5s, since:24h …',
  enter: 'Enter',
  completions: 'Completions',

  find: 'Find',
  palettePlaceholder: 'Page, task, schedule, failure, an id, or: save, rename or forget NAME',
  found: 'Found',
  moreFound: 'More were found: type more of the name.',
  nothingFound: 'Nothing found with this name.',
  kinds: {
    recent: 'Recent', view: 'Saved view', page: 'Page', filter: 'Filter', task: 'Task', schedule: 'Schedule', group: 'Failure group',
    execution: 'Open execution', action: 'Action'
  },
  statusExecutions: {
    pending: 'Pending executions', running: 'Running executions', success: 'Successful executions', failed: 'Failed executions',
    cancelled: 'Cancelled executions'
  },
  searchingTasks: 'Searching tasks…',
  searchingSchedules: 'Searching schedules…',
  tasks: 'Tasks',
  schedules: 'Schedules',
  notSearched: (what: string, why: string) => `${what} could not be searched: ${why}`,
  /** Typed before a name. */
  save: 'save',
  savePage: (name: string) => `Save this page as “${name}”`,
  /** Typed before a new name, on the page of a saved view. */
  rename: 'rename',
  renameView: (name: string, to: string) => `Rename the saved view “${name}” to “${to}”`,
  /** Typed before the name of a saved view, or alone on its page. */
  forget: 'forget',
  forgetView: (name: string) => `Forget the saved view “${name}”`,
  inUtc: 'Times in UTC',
  inOwnZone: 'Times in your own zone'
}

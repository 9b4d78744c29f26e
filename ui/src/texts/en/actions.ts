/** Questions before an action, and what it came to. */
export const actions = {
  notConfirmed: 'Not confirmed',
  mayBeEnqueued: 'Not confirmed: it may have been enqueued, or may yet be.',
  askAgainDetail: 'Ask again: the request is the same, so it is enqueued at most once. Or look for it in the history.',
  askAgain: 'Ask again',
  leaveIt: 'Leave it',
  notNow: 'Not now',
  enqueueing: 'Enqueueing…',
  enqueued: 'Enqueued:',
  notRun: (why: string) => `Not run: ${why}`,

  retry: 'Retry…',
  retryQuestion: 'Retry it?',
  retryDetail: 'It runs again as a new execution, with the same arguments. This one stays in the history as it is.',
  retryDetailEdited: 'It runs again as a new execution, with these arguments. This one stays in the history as it is.',
  retryIt: 'Retry it',
  editArguments: 'Edit the arguments',
  ownArguments: 'Use its own arguments',
  argumentsLabel: 'Arguments, a JSON array',
  notAnArray: 'This is not a JSON array.',
  hiddenValues: 'Replace each [redacted] with the real value.',
  cutArguments: 'Only the beginning of its arguments was kept, so they are not filled in.',

  runTask: 'Run…',
  runTaskTitle: 'Run this task',
  runIt: 'Run it',
  priority: 'Priority',
  priorityNote: '0 is none and runs first, then 1 (most urgent) upward',
  delay: 'Delay in seconds',
  outOfRange: (most: string) => `A whole number from 0 to ${most}.`,
  close: 'Close',
  cancel: 'Cancel'
}

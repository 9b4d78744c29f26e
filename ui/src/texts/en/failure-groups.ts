import { counted } from '../numbers.ts'

const groupsOf = (count: number): string => counted(count, { one: 'group', other: 'groups' })

/** The page of all failures, and that of one group. */
export const groups = {
  group: 'Failure group',
  theGroup: 'This failure group',
  loading: 'Loading failures',
  loadingGroup: 'Loading the failure group',
  /** @param order null if the reader has chosen the order */
  listed: (count: string, isOne: boolean, order: string | null) =>
    `${count} ${isOne ? 'group' : 'groups'}${order === null ? '' : `, ${order}`}`,
  appearAsGroups: 'Failures with the same cause appear here as one group, with where and since when they happen.',
  showMoreThan: (count: number) => `Show more than these ${groupsOf(count)}`,
  tooMany: (count: number) => `There are more than ${groupsOf(count)}: too many to sort here. Those that failed last come first. ` +
    'Choose a shorter time or a task first.',
  loadingMore: 'Loading more',
  everyTask: 'Show the failures of every task',
  hours: '24 hours',
  firstSeen: 'First seen',
  tasks: 'Tasks',
  where: 'Where',
  andMoreTasks: (count: number) => `and ${counted(count, { one: 'more task', other: 'more tasks' })}`,
  allTimeTitle: 'Failures over all time',
  copyAsMarkdown: 'Copy as Markdown',
  groupHasNotFailed: (range: string) => `This group has not failed${range}.`,
  noSuchGroup: 'No failure group has this id.',
  noneKept: 'None of its executions is kept.',
  noneKeptOf: (range: string) => `None of its executions${range} is kept.`,

  state: 'State',
  states: { open: 'open', resolved: 'resolved', regressed: 'failed again' },
  views: { open: 'Open', regressed: 'Failed again', resolved: 'Resolved', all: 'Every state' },
  noneOf: {
    open: (range: string) => `No open failures${range}`,
    regressed: (range: string) => `No resolved failure has happened again${range}`,
    resolved: (range: string) => `No resolved failure${range}`,
    all: (range: string) => `Nothing has failed${range}`
  },
  action: 'Resolve or reopen',
  decided: { resolve: 'resolved', reopen: 'reopened' },
  by: 'by',
  byItself: 'resolved by itself: each failure was retried successfully',
  decidedBy: (what: string, who: string | null, when: string) => `${what}${who === null ? '' : ` by ${who}`} ${when}`,
  note: 'Note (optional)',
  decidedMeanwhile: 'Someone else has resolved or reopened it. Doing the same without a note changes nothing; anything else replaces it.',
  resolve: {
    button: 'Resolve…',
    question: 'Resolve this failure group?',
    detail: 'It leaves the list of open failures. If it fails again, it comes back as failed again. Counts stay as they are.',
    confirm: 'Resolve it',
    busy: 'Resolving…',
    done: (type: string) => `Resolved: ${type}`,
    refused: (why: string) => `Not resolved: ${why}`,
    failedAgain: (when: string) => `The last failure is now the one above, ${when}. Confirm again to resolve that one too.`,
    inDoubt: (why: string) => `Perhaps resolved: ${why}`
  },
  reopen: {
    button: 'Reopen…',
    question: 'Reopen this failure group?',
    detail: 'It is listed among the open failures again. Counts stay as they are.',
    confirm: 'Reopen it',
    busy: 'Reopening…',
    done: (type: string) => `Reopened: ${type}`,
    refused: (why: string) => `Not reopened: ${why}`,
    inDoubt: (why: string) => `Perhaps reopened: ${why}`
  },

  last: 'Last failure',
  theLast: 'The last failure',
  lastDetails: 'Arguments, attempts and log',
  stackOfLast: 'Stack of the last failure',
  noStack: 'No stack was recorded.',
  lastNotKept: 'The execution is no longer kept: retention removed it.',
  loadingLast: 'Loading the last failure',

  compare: (count: number) => `Compare the arguments of the latest ${count}`,
  comparedNotLoaded: 'The executions could not be loaded; retrying every few seconds.',
  loadingArguments: 'Loading the arguments',
  compared: (count: number) => `${counted(count, { one: 'execution', other: 'executions' })} compared, the latest first`,
  notCompared: (count: number) =>
    `; of ${counted(count, { one: 'other', other: 'others' })} the arguments were cut, not recorded or could not be loaded`
}

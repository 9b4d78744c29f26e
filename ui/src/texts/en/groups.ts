import { counted } from '../numbers.ts'

const groupsOf = (count: number): string => counted(count, { one: 'group', other: 'groups' })

/** The page of all failures, and that of one group. */
export const groups = {
  group: 'Failure group',
  theGroup: 'This failure group',
  loading: 'Loading failures',
  loadingGroup: 'Loading the failure group',
  listed: (count: string, isOne: boolean, order: string) => `${count} ${isOne ? 'group' : 'groups'}, ${order}`,
  appearAsGroups: 'Failures with the same cause appear here as one group, with where and since when they happen.',
  showMoreThan: (count: number) => `Show more than these ${groupsOf(count)}`,
  loadingMore: 'Loading…',
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

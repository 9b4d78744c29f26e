import { counted, formatInteger, formOf } from '../numbers.ts'

const groupsOf = (count: number): string => counted(count, { one: 'group', other: 'groups' })

/** Failures and their groups. */
export const failures = {
  title: 'Failures',
  groups: 'Failure groups',
  loadingGroups: 'Loading failure groups',
  all: 'All failures',
  allOfThisTime: 'all failures of this time',
  newestFirst: 'those that failed last first',
  urgentFirst: 'new and rising ones first',
  showMoreGroups: (count: number) => `Show ${counted(count, { one: 'more group', other: 'more groups' })}`,
  andGroups: (count: number) => `and ${groupsOf(count)}`,
  orMore: ' or more',
  counted: (hours: string) => `counted ${hours}`,
  countedTitle: 'The failures of a group are counted in whole hours',
  failedExecutions: 'Failed executions',

  recent: 'Recent failed executions',
  allFailed: 'All failed executions',
  noneFailed: (range: string) => `No execution has failed${range}`,
  failedAppear: 'When one fails for good it appears here, with its error.',
  loadingFailed: 'Loading failed executions',
  noErrorRecorded: 'no error recorded',

  columns: { trend: 'Last 24 hours', count: 'Failures' },
  lastHours: 'Last 24 hours',
  trend: 'Failures in each of the last 24 hours, oldest first',
  count: (count: number) => counted(count, { one: 'failure', other: 'failures' }),
  onPhone: (count: number) => formOf(count, { one: 'failure', other: 'failures' }),
  lastSeen: 'Last seen',
  rising: '↗ rising',
  risingTitle:
    'Of what finished in the last three hours, more than twice the share of the hours before; and it failed in the last 15 minutes',
  new: 'new',
  newTitle: 'First seen in the last 24 hours',
  andMore: (count: number) => `and ${formatInteger(count)} more`
}

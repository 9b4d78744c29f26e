import { counted, formatInteger } from '../numbers.ts'

/** Who changed what. */
export const audit = {
  title: 'Audit log',
  one: 'Audit entry',
  thisOne: 'This entry',
  lead: 'Every write that somebody requested, newest first.',
  kept: (days: number, count: number) =>
    `Entries are kept for ${counted(days, { one: 'day', other: 'days' })}, at most ${formatInteger(count)}.`,
  loading: 'Loading the audit log',
  loadingOne: 'Loading the entry',
  loadingMore: 'Loading more',
  none: 'Nothing is recorded yet',
  noneDetail: 'Every change that somebody requests here or through the API appears here.',
  noneMatches: 'No entry matches',
  showAll: 'Show the whole log',
  showNews: (count: number, hasMore: boolean) => `Show ${formatInteger(count)}${hasMore ? '+' : ''} new`,
  moreNotLoaded: 'More could not be loaded.',
  stillLooking: (found: number) => `Still looking. ${formatInteger(found)} found so far.`,
  lookedSoFar: (found: number) => `Not all entries were searched. ${formatInteger(found)} found so far.`,
  stop: 'Stop',
  goOn: 'Continue',
  searchAgain: 'Search again',
  searchAgainTitle: 'This search took long, so it is not repeated automatically',
  thatIsAll: (count: number) => `That is all: ${counted(count, { one: 'entry', other: 'entries' })}.`,

  columns: { when: 'When', what: 'What', on: 'On what', who: 'Who', outcome: 'Outcome', reason: 'Reason', address: 'From' },
  actions: {
    'tasks:run': 'Run task', 'executions:retry': 'Retry execution', 'executions:cancel': 'Cancel execution',
    'executions:update': 'Change execution', 'executions:delete': 'Delete execution',
    'failures:resolve': 'Resolve failures', 'failures:reopen': 'Reopen failures',
    'schedules:create': 'Create schedule',
    'schedules:update': 'Edit schedule', 'schedules:enable': 'Enable schedule', 'schedules:disable': 'Disable schedule',
    'schedules:run': 'Run schedule', 'schedules:delete': 'Delete schedule',
    'bulk:create': 'Start bulk operation', 'bulk:suspend': 'Suspend bulk operation', 'bulk:resume': 'Resume bulk operation',
    'bulk:abort': 'Abort bulk operation', 'bulk:undo': 'Undo bulk operation',
    'queues:pause': 'Pause queue', 'queues:resume': 'Resume queue', 'queues:limit': 'Limit queue'
  },
  outcomes: { done: 'Done', refused: 'Refused', failed: 'Failed', unknown: 'Unknown', in_progress: 'In progress' },
  outcomeNotes: {
    done: 'The change was made.',
    refused: 'It was not allowed, not valid or not possible. Nothing was changed.',
    failed: 'The server could not do it. Nothing was changed.',
    unknown: 'It may have been made: nobody recorded the outcome.',
    in_progress: 'It has no outcome yet.'
  },
  notListed: (count: number) => `${counted(count, { one: 'refused write', other: 'refused writes' })} before this ` +
    `${count === 1 ? 'is' : 'are'} not listed`,
  notListedInShort: (count: number) => `${formatInteger(count)} more not listed`,
  nobody: 'Nobody was signed in, or the host does not say who',
  noAddress: 'The host does not report the address',
  schedule: (id: string) => `Schedule ${id}`,
  execution: (id: string) => `Execution ${id}`,
  group: (id: string) => `Failure group ${id}`,
  failureGroup: 'Failure group',

  filters: {
    outcome: 'Outcome', everyOutcome: 'All', actor: 'Who, exactly as listed', action: 'Action', everyAction: 'All actions',
    task: 'Task', everyTask: 'All tasks', schedule: 'Schedule', everySchedule: 'Entries about every schedule', execution: 'Execution',
    everyExecution: 'Entries about every execution'
  },

  copyEntry: 'Copy as JSON',
  reason: 'Reason',
  noReason: 'none given',
  changes: 'What changed',
  differences: 'Differences',
  field: 'Field',
  before: 'Before',
  after: 'After',
  notThere: 'not there',
  nothingDiffers: 'Before and after are the same.',
  changesCut: 'It has more fields than are compared here. The JSON below has all of them.',
  sameFields: (count: number) => counted(count, { one: 'field did not change', other: 'fields did not change' }),
  beforeAsJson: 'Before, as JSON',
  afterAsJson: 'After, as JSON',
  answer: 'Answer',
  wasDeleted: 'As it was before',
  notKept: { before: 'The state before was too large to keep.', after: 'The state after was too large to keep.' },
  details: 'Details',
  request: 'Request',
  status: 'Status',
  code: 'Code',
  requestId: 'Request id',
  entry: 'Entry',
  allOfIt: 'all entries about it',
  allOfActor: 'all entries of this user',
  missing: 'This entry is not in the log',
  missingDetail: 'It may be older than what is kept.',

  link: 'Changes',
  linkTo: 'in the audit log'
}

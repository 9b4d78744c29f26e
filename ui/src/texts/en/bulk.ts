import { counted, formatInteger, formOf } from '../numbers.ts'

const executionsOf = (count: number): string => counted(count, { one: 'execution', other: 'executions' })
const groupsOf = (count: number): string => counted(count, { one: 'open failure group', other: 'open failure groups' })
const selectedOf = (count: number): string => counted(count, { one: 'selected execution', other: 'selected executions' })
const tasksOf = (count: number): string => counted(count, { one: 'task', other: 'tasks' })

const unchanged = (count: number): string => `and ${formOf(count, { one: 'stays', other: 'stay' })} unchanged`

/** One action on everything that matches a filter: the question before it, and its outcome. */
export const bulk = {
  title: 'Bulk operations',
  lead: 'Retries, cancels, deletes or resolves everything that matches a filter. Kept for 7 days.',
  one: 'This bulk operation',
  loading: 'Loading bulk operations',
  loadingOne: 'Loading the bulk operation',
  none: 'No bulk operation in the last 7 days',
  noneDetail: 'Filter the executions, then choose “All that match…”.',
  toExecutions: 'Go to the executions',
  more: 'Show more',

  allThatMatch: 'All that match…',
  retryAll: 'Retry all…',
  allThatMatchTitle: 'Retry, cancel, delete or resolve everything that matches the filter',
  question: 'Act on all that match',
  selected: (count: number) => `${formatInteger(count)} selected`,
  selectedFull: (most: number) => `${formatInteger(most)} selected, the most at a time. “All that match…” has no such limit.`,
  actOnSelected: 'Act on these…',
  questionSelected: 'Act on the selected executions',
  clearSelection: 'Clear',
  select: 'Select',
  selectOne: (task: string, id: string) => `Select ${task} ${id}`,
  action: 'Action',
  actions: { retry: 'Retry', cancel: 'Cancel', delete: 'Delete', resolve: 'Resolve' },
  unknownAction: 'Unknown action',
  details: {
    retry: 'Each failed execution runs again as a new one, with its own arguments. Those that were retried before are skipped.',
    cancel: 'Pending executions never run. Running ones are asked to stop. This cannot be undone.',
    delete: 'Arguments, results, attempts and logs of finished executions are lost. This cannot be undone.',
    resolve: 'Failure groups are resolved as a whole. The range is widened to whole hours.'
  },
  counting: 'Counting what matches… You can start without waiting.',
  notCounted: (why: string) => `Not counted: ${why}`,
  matching: (count: number, isGroups: boolean, isAtLeast: boolean) =>
    `${isAtLeast ? 'At least ' : ''}${(isGroups ? groupsOf : executionsOf)(count)}`,
  matchNow: 'match now',
  nothingMatches: 'Nothing matches.',
  uncounted: 'Counting takes too long. You can start without the count.',
  ofTasks: (count: number) => `of ${tasksOf(count)}`,
  ofAtMostTasks: (count: number) => `of at most ${tasksOf(count)}`,
  leftOut: (count: number) => `${tasksOf(count)} left out: you may not do this to their executions.`,
  selectedLeftOut: (count: number) =>
    `${formatInteger(count)} of your selection ${formOf(count, { one: 'is', other: 'are' })} left out: you may not do this.`,
  notMatching: {
    retry: (count: number) => `${formatInteger(count)} of your selection cannot be retried now, ${unchanged(count)}.`,
    cancel: (count: number) => `${formatInteger(count)} of your selection cannot be cancelled now, ${unchanged(count)}.`,
    delete: (count: number) => `${formatInteger(count)} of your selection cannot be deleted now, ${unchanged(count)}.`
  },
  capped: (most: number) => `An operation ends after ${formatInteger(most)} items.`,
  tooMany: (most: number) => `An operation has at most ${formatInteger(most)} items. Narrow the filter, for example by time.`,
  newest: 'The newest of them',
  rate: 'Items per second (optional)',
  rateNote: 'Empty: as fast as the stores allow.',
  rateProblem: (most: string) => `A whole number from 1 to ${most}.`,
  start: 'Start',
  startWith: (count: string) => `Start with ${count}`,
  starting: 'Starting…',
  drifted: (now: string, before: string | null) =>
    `Nothing was started: ${now} match now${before === null ? '' : `, not ${before}`}. Start with these?`,
  notStarted: (why: string) => `Not started: ${why}`,
  mayBeStarted: (why: string) => `Perhaps started: ${why}. Start again: the request is the same, so it is carried out once.`,
  started: 'The bulk operation has started',

  columns: {
    created: 'Started', action: 'Action', filter: 'Filter', state: 'State', progress: 'Progress', by: 'By', reason: 'Reason',
    outcome: 'Outcome', item: 'Item', why: 'Why', made: 'New execution'
  },
  states: {
    running: 'Running', suspended: 'Suspended', aborted: 'Aborted', done: 'Done', undoing: 'Undoing', undone: 'Undone',
    unsupported: 'Other version'
  },
  unsupported: 'Started by another version of the task dashboard. Processes of that version work on it; this one leaves it alone.',
  outcomes: { done: 'Done', skipped: 'Skipped', failed: 'Failed', undone: 'Undone' },
  /** Why an item was not done. */
  codes: {
    ALREADY_RETRIED: 'It was retried already', EXECUTION_PRUNED: 'It is no longer in the history',
    NOT_RETRYABLE: 'It has not failed, or is part of a flow', CONFLICT: 'Its queue has removed the job, or cannot be changed',
    OBSERVED_ONLY: 'Not possible in an existing queue', EXECUTION_NOT_FOUND: 'It is gone',
    NOT_CANCELLABLE: 'It was too late to cancel it', ARGUMENTS_NOT_KEPT: 'Its arguments are incomplete: retry it alone, with new ones',
    TASK_NOT_REGISTERED: 'No process registers its task', FAILED_AGAIN: 'It has failed again since',
    FAILURE_GROUP_DECIDED: 'Someone else has resolved or reopened it', FAILURE_GROUP_NOT_FOUND: 'The group no longer exists'
  } as Readonly<Record<string, string>>,
  allOutcomes: 'All',
  outcome: 'Outcome',
  waits: {
    broker: 'The broker is unreachable. The operation continues once it answers.',
    result_backend: 'The result backend is unreachable. The operation continues once it answers.'
  },
  refuses: (problem: string) => `${problem}. The operation continues once that is fixed.`,
  filterWords: {
    everything: 'everything',
    schedule: (id: string) => `schedule ${id}`,
    worker: (id: string) => `worker ${id}`,
    group: (id: string) => `failure group ${id}`,
    took: (length: string) => `took ${length} or longer`,
    search: (text: string) => `search ${text}`,
    selected: selectedOf,
    until: (time: string) => `until ${time}`
  },
  doneOf: (done: string, all: string) => `${done} of ${all}`,
  undoneSoFar: (undone: string) => `${undone} undone so far`,
  undoneOf: (undone: string, all: string) => `${undone} of ${all} undone`,
  itemsSoFar: (count: number) => counted(count, { one: 'item', other: 'items' }),
  progress: 'Progress',
  progressUnknown: 'unknown',
  cappedNote: 'It reached the limit of items in one operation. More may match.',
  facts: {
    created: 'Started', by: 'By', reason: 'Reason', filter: 'Filter', tasks: 'Tasks', rate: 'Rate', before: 'Covers up to',
    changed: 'Last changed', finished: 'Ended', expires: 'Kept until', id: 'Id'
  },
  notChecked: 'Checking them took too long. Those that do not match when their turn comes stay unchanged.',
  selectedWereLeftOut: (count: number) =>
    `${selectedOf(count)} ${formOf(count, { one: 'was', other: 'were' })} left out: not allowed for the person who started this.`,
  matchesNow: 'Show what matches now',
  nobody: 'No one was identified',
  noReason: 'No reason was given',
  unlimited: 'as fast as the stores allow',
  perSecond: (rate: number) => `${formatInteger(rate)} per second`,
  tasksTouched: (count: number, leftOut: number) => `${tasksOf(count)}${leftOut === 0 ? '' : `, ${formatInteger(leftOut)} left out`}`,

  verbInDoubt: (why: string) => `Not confirmed: it may have happened, or may yet. ${why}`,
  verbs: {
    suspend: {
      button: 'Suspend', question: 'Suspend this operation?', detail: 'It continues when someone resumes it.', confirm: 'Suspend it',
      refused: (why: string) => `Not suspended: ${why}`
    },
    resume: {
      button: 'Resume', question: 'Resume this operation?', detail: 'It continues where it stopped.', confirm: 'Resume it',
      refused: (why: string) => `Not resumed: ${why}`
    },
    abort: {
      button: 'Abort…', question: 'Abort this operation?', detail: 'It ends for good. What it did stays.', confirm: 'Abort it',
      refused: (why: string) => `Not aborted: ${why}`
    },
    undo: {
      button: 'Undo…', question: 'Undo this operation?',
      detail: 'Removes retries that have not started, and reopens the groups it resolved. Retries that have started continue.',
      confirm: 'Undo it', refused: (why: string) => `Not undone: ${why}`
    }
  },

  items: 'Items',
  loadingItems: 'Loading items',
  noItems: 'No item has an outcome yet.',
  endedWithoutItems: 'It ended before any item was processed.',
  noItemsOf: 'No item has this outcome.',
  notListedYet: 'The newest outcomes are not listed yet.',
  lookForMore: 'Look for more',
  failureGroup: (id: string) => `failure group ${id}`,
  taskUnknown: 'unknown task'
}

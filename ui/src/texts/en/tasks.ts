import type { ReactNode } from 'react'
import { counted, formatInteger, formOf } from '../numbers.ts'
import { phrase } from '../phrase.ts'

/** The list of tasks, and one task. */
export const tasks = {
  title: 'Tasks',
  task: 'Task',
  count: (count: number) => counted(count, { one: 'task', other: 'tasks' }),
  countJobNames: (count: number) => `, ${counted(count, { one: 'job name', other: 'job names' })}`,
  jobNameOf: (task: string) => `job name, part of ${task}`,
  partOf: (queue: ReactNode) => phrase`Jobs with this name in the queue ${queue}.`,
  search: 'Search tasks',
  groupByPrefix: 'Group by prefix',
  withoutPrefix: 'Without a prefix',
  countWaiting: (count: number) => `, ${formatInteger(count)} waiting`,
  countWithoutWorker: (count: number) => `${formatInteger(count)} without a worker`,
  loading: 'Loading tasks',
  noneMatches: 'No task matches',
  showAll: 'Show all tasks',
  noneRegistered: 'No task is registered',
  registerOne: (start: ReactNode) =>
    phrase`Register one in a process of the queue app. It appears here within seconds, or when that process has called ${start}.`,
  howToRegister: 'How to register a task',

  types: {
    io: 'Runs on the event loop of its process',
    cpu: 'Runs in a process of its own',
    external: 'An existing queue, filled and processed by other BullMQ code'
  },
  columns: {
    type: 'Type', retries: 'Retries', delay: 'Retry delay', workers: 'Workers', backlog: 'Backlog', finished: 'Finished',
    success: 'Success', last: 'Last run', schedules: 'Schedules'
  },
  backlogTitle: 'Waiting executions, including those that are not due yet',
  p95Title: '95 of 100 executions took at most this long, over the last 24 hours',
  nothingInDay: 'Nothing finished in the last 24 hours',
  never: 'never',
  limitReached: (until: ReactNode) => phrase`limit reached until ${until} · `,
  none: 'none',
  notRetried: 'It is not retried',
  noWorkerTitle: 'No process runs this task now',
  queueUnread: 'The queue cannot be read now',
  schedulesUnknown: 'The queue cannot be read now, or it has more schedules than are shown',
  countedByQueue: 'BullMQ counts waiting and running jobs per queue, not per job name',
  workersOfOthers: 'An existing queue; its workers are not known here',
  settingsOfOthers: 'Set for each job by the code that adds it',
  otherCode: 'other code',
  workersOnPhone: 'workers',
  waitingOnPhone: 'waiting',
  waitAndRun: (pending: number, running: number) => `${formatInteger(pending)} waiting, ${formatInteger(running)} running`,
  succeededAndFailed: (success: number, failed: number) => `${formatInteger(success)} succeeded, ${formatInteger(failed)} failed`,
  nothingFinishedYet: 'Nothing has finished yet',

  facts: {
    retries: 'Retries', running: 'Running', took: 'Took', waited: 'Waited', timeout: 'Timeout', rateLimit: 'Rate limit',
    runsIn: 'Runs in', queue: 'Queue', firstSeen: 'First seen'
  },
  atOnce: (count: number) => `${formatInteger(count)} at once in each`,
  oldestDueSince: (span: string) => `the oldest has been due for ${span}`,
  ofCount: (count: number) => `of ${formatInteger(count)}`,
  afterDelay: (delay: string) => `after ${delay}`,
  reachedUntil: (until: ReactNode) => phrase` reached until ${until}`,
  ownProcess: 'a process of its own',
  workerProcess: 'the process of its worker',
  percentilesTitle: 'Percentiles of the last 24 hours',

  delayTo: (least: string, most: string) => `${least} to ${most}`,
  delayGrows: (first: string, most: string) => `${first} before the second attempt, twice as long after each failure, at most ${most}`,
  delayStays: (delay: string) => `${delay} before each further attempt`,
  lessByChance: (delay: string, percent: number) => `${delay}; up to ${formatInteger(percent)} % less, at random`,
  rateLimit: (count: number, span: string) => `${formatInteger(count)} per ${span}`,
  rateLimitTitle: (count: number, span: string) =>
    `Rate limit: at most ${counted(count, { one: 'attempt', other: 'attempts' })} ${formOf(count, { one: 'starts', other: 'start' })} in ` +
      `${span}, over all processes. Due executions wait.`,

  allItsExecutions: 'All its executions',
  notRegistered: 'No process has registered this task',
  stillInHistory: 'Its earlier executions are still in the history.',
  all: 'All tasks',
  theTask: 'This task',
  loadingOne: 'Loading the task',
  noWorker: 'No process runs this task now.',
  enqueuedWaits: 'Enqueued executions wait until one does.',
  hasNotRun: 'It has not run yet, or none of its executions are kept.',
  thatFailed: 'Failed executions',
  allGroups: (count: string) => `All ${count} groups`,
  itsFailures: 'Its failures',
  hasNotFailed: 'It has not failed in the last 24 hours.',
  knownSince: (at: ReactNode) => phrase`known since ${at}`,
  nothingCounted: 'Nothing was counted in this range.',
  succeededHourly: 'Succeeded, hour by hour',
  failedHourly: 'Failed, hour by hour',
  theLastDay: 'The last 24 hours',
  loadingLastDay: 'Loading the last 24 hours',
  noSchedule: 'No schedule starts it.',
  moreSchedules: 'More schedules',
  countMoreSchedules: (count: number) => counted(count, { one: 'more schedule', other: 'more schedules' })
}

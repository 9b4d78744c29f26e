import type { ReactNode } from 'react'
import { counted, formatInteger } from '../numbers.ts'
import { phrase } from '../phrase.ts'

/** The processes that run tasks, and their queues. */
export const workers = {
  title: 'Workers',
  worker: 'Worker',
  queues: 'Queues',
  queue: 'Queue',
  count: (count: number) => counted(count, { one: 'worker', other: 'workers' }),
  countTroubled: (count: number) => `${formatInteger(count)} with a problem`,
  countSilent: (count: number) => `${formatInteger(count)} silent`,
  search: 'Search workers and queues',
  loading: 'Loading workers',
  loadingQueues: 'Loading queues',
  noneMatches: 'No worker matches',
  showAll: 'Show all workers',
  noQueueMatches: 'No queue matches',
  showAllQueues: 'Show all queues',
  none: 'No process runs tasks',
  ofOthers: 'An existing queue; its workers are not known here',
  notKnown: 'Workers are not known',
  notKnownDetail: 'This dashboard observes existing queues. The processes that work on them do not report here.',
  startOne: 'Enqueued executions wait until one does. Start a process that registers tasks. It appears here within seconds.',
  howToStart: 'How to start a worker',
  noQueue: 'No tasks are registered yet. Each task gets its own queue.',

  states: { alive: 'Alive', silent: 'Silent', refused: 'Refused', stopping: 'Stopping' },
  queueStates: { running: 'Running', paused: 'Paused', noWorker: 'No worker' },
  columns: {
    state: 'State', running: 'Runs now', tasks: 'Tasks', started: 'Up since', memory: 'Memory', version: 'Version', seen: 'Last seen'
  },
  queueColumns: {
    state: 'State', pending: 'Pending', running: 'Running', utilisation: 'In use', oldest: 'Oldest', pace: 'Per minute', trend: '24 hours',
    workers: 'Workers', rate: 'Rate limit'
  },
  pause: {
    column: 'Limit, pause or resume', list: 'Paused queues', paused: 'Paused', pauseIt: 'Pause…', resumeIt: 'Resume…',
    pauseOf: (task: string) => `Pause the queue of ${task}…`,
    resumeOf: (task: string) => `Resume the queue of ${task}…`,
    pausedBy: (who: ReactNode) => phrase` by ${who}`,
    pausedByOther: ' by other code; who and when is unknown',
    pausedSince: (since: ReactNode) => phrase`, since ${since}`,
    pausedUntil: (until: ReactNode) => phrase`, until ${until}`,
    pausedBecause: (reason: ReactNode) => phrase`: ${reason}`,
    waiting: (count: number) => `${counted(count, { one: 'execution waits', other: 'executions wait' })}.`,
    more: (count: number) => `And ${counted(count, { one: 'other queue', other: 'other queues' })}.`
  },
  limit: {
    list: 'Limited queues', limitIt: 'Limit…',
    limitOf: (task: string) => `Limit the queue of ${task}…`,
    atOnce: (count: number, inCode: number | null) =>
      `${formatInteger(count)} at once${inCode === null ? '' : ` (${formatInteger(inCode)} in the code)`}`,
    rate: (words: string, inCode: string | null) => `${words} (${inCode ?? 'no rate'} in the code)`
  },
  runningTitle: 'As of its last report',
  memoryTitle: 'Resident memory of the process, without the processes of cpu tasks',
  pendingTitle: 'Waiting executions, including those that are not due yet',
  utilisationTitle: 'Share of what all its workers can run at a time',
  oldestTitle: 'How long the oldest due execution has waited',
  paceTitle: 'Executions finished per minute, since the start of the previous hour',
  trend: 'Executions finished in each of the last 24 hours, oldest first',

  executionsOf: (worker: string) => `Executions of ${worker}`,
  notReported: 'Its version does not report this',
  earlierVersion: 'earlier version',
  nothing: 'nothing',
  runs: (count: number) => counted(count, { one: 'execution', other: 'executions' }),
  whenLastSeen: (running: string) => `${running} when last seen`,
  andMore: (count: number) => ` and ${formatInteger(count)} more`,
  andMoreTasks: (count: number) => `and ${formatInteger(count)} more`,
  execution: (id: string) => `Execution ${id}`,
  atOnce: (task: string, count: number) => `${task} (${formatInteger(count)} at a time)`,
  onNode: (version: string) => `On Node ${version}`,
  queueTitle: (name: string) => `Queue ${name}`,
  waitingOnPhone: 'waiting',
  runningOnPhone: 'running',
  concurrencyUnknown: 'A worker runs a version that does not report its concurrency',
  noWorker: 'No worker runs this task',
  runningOf: (running: number, concurrency: number) => `${formatInteger(running)} of ${formatInteger(concurrency)} running`,
  noneDue: 'none',
  noLimit: 'none',
  reachedUntil: (until: ReactNode) => phrase`reached until ${until}`,
  show: 'Show the worker'
}

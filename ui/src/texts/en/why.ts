import type { ReactNode } from 'react'
import { counted, formatInteger } from '../numbers.ts'
import { phrase } from '../phrase.ts'

const executionsOf = (count: number): string => counted(count, { one: 'execution', other: 'executions' })
const processesOf = (count: number): string => counted(count, { one: 'process', other: 'processes' })

/** Why an execution does not run. */
export const why = {
  title: 'Why it does not run',
  loading: 'Loading why it does not run',
  notLoaded: (message: string) => `Why it does not run could not be loaded: ${message}`,

  delayed: (due: ReactNode, clock: ReactNode) => phrase`It is not due yet: ${due}, ${clock}.`,
  planned: (due: ReactNode, clock: ReactNode, schedule: ReactNode) => phrase`${schedule} plans it: ${due}, ${clock}.`,
  itsSchedule: 'Its schedule',
  retrying: (attempt: number, most: number, due: ReactNode, clock: ReactNode) =>
    phrase`Attempt ${formatInteger(attempt)} of ${formatInteger(most)} failed. It waits for the next one: ${due}, ${clock}.`,
  waitingChildren: (count: number | null) =>
    count === null ? 'It waits for executions that it depends on.' : `It waits for ${executionsOf(count)} that it depends on.`,
  itsQueue: (pause: ReactNode) => phrase`Its queue: ${pause}.`,
  noWorker: 'No process runs this task now: start one that registers it.',
  workersUnavailable: (states: string) => `No process takes this task now: ${states}.`,
  stopping: (count: number) => `${processesOf(count)} stopping`,
  silent: (count: number) => `${processesOf(count)} silent`,
  refused: (count: number) => `${processesOf(count)} refused by the broker`,
  concurrencyLimit: (running: number, limit: number) =>
    `Its queue is full: ${formatInteger(running)} ${running === 1 ? 'is' : 'are'} running, and it allows ` +
      `${formatInteger(limit)} at a time across all processes.`,
  rateLimited: (limit: string, due: ReactNode, clock: ReactNode) => phrase`The rate limit of ${limit} is reached: ${due}, ${clock}.`,
  rate: (max: number, length: string | null) => length === null ? formatInteger(max) : `${formatInteger(max)} per ${length}`,
  behind: (link: ReactNode) => phrase`${link} before it.`,
  ahead: (count: number, isExact: boolean) =>
    `${isExact ? '' : 'At least '}${counted(count, { one: 'execution starts', other: 'executions start' })}`,
  pace: (rate: string, length: string, isExact: boolean) =>
    ` At ${rate} per minute, that takes ${isExact ? 'about' : 'at least'} ${length}.`,
  priority: (priority: number) =>
    ` It has priority ${formatInteger(priority)}: those with none or a lower number run first.`,
  workersBusy: (workers: number, concurrency: number) => workers === 1
    ? `The process with this task is running as many as it can (${formatInteger(concurrency)}).`
    : `All ${formatInteger(workers)} processes with this task are running as many as they can (${formatInteger(concurrency)} in total).`,
  workerLost: (worker: ReactNode, due: ReactNode, clock: ReactNode) =>
    phrase`Its process ${worker} stopped responding. Another one can take it when the lock expires: ${due}, ${clock}.`,
  lastSeen: (when: ReactNode) => phrase` It was last seen ${when}.`,
  stalled: 'Its process stopped responding, and its lock has expired. The next process that looks for lost executions takes it back.',
  cancelling: (who: ReactNode, when: ReactNode) => phrase`Its handler was asked to stop${who}, ${when}.`,
  by: (who: ReactNode) => phrase` by ${who}`,
  brokerAway: {
    unreachable: 'The broker does not answer: nothing starts, and the state of this execution is unknown.',
    refused: 'The broker refuses requests: nothing starts, and the state of this execution is unknown.'
  },
  backendAway: {
    unreachable: 'The result backend does not answer: whether this execution has finished is unknown.',
    refused: 'The result backend refuses requests: whether this execution has finished is unknown.'
  },
  unknown: 'Nothing seems to be blocking it. It may start at any moment.',
  free: (workers: number, free: number) => ` ${processesOf(workers)} could take ${formatInteger(free)} more.`,

  workers: 'Workers',
  queues: 'Queues',
  health: 'Health'
}

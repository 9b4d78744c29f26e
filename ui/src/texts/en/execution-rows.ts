import { counted } from '../numbers.ts'

const executionsOf = (count: number): string => counted(count, { one: 'execution', other: 'executions' })

/** Executions in lists and figures. */
export const rows = {
  statuses: { pending: 'Pending', running: 'Running', success: 'Success', failed: 'Failed', cancelled: 'Cancelled' },
  states: {
    delayed: 'delayed', prioritized: 'with priority', waiting_children: 'waiting for children', paused: 'queue paused',
    retrying: 'between attempts', stalled: 'stalled'
  },

  cancelling: 'Cancelling',
  neverStarted: 'never started',

  task: 'Task',
  attempt: 'Attempt',
  attemptOf: (attempt: number, most: number) => `Attempt ${attempt} of ${most}`,
  notDue: 'not due',
  notYet: 'not yet',
  retried: (status: string) => `retried: ${status}`,
  isRetry: 'a retry',
  waitUnknown: 'The start of its first attempt was not recorded',
  lengthUnknown: 'The duration of its last attempt was not recorded',

  error: 'Error',
  nothingRemoved: 'Nothing is removed.',
  keptFor: (limits: string) => `Executions are kept ${limits}.`,
  keptApart: (success: string, failed: string) => `Successful ones are kept ${success}, failed ones ${failed}.`,
  forEver: 'forever',
  forSpan: (span: string) => `for ${span}`,
  upTo: (count: number) => `up to ${executionsOf(count)}`
}

import type { ReactNode } from 'react'
import { counted } from '../numbers.ts'
import { phrase } from '../phrase.ts'

/** What BullMQ stores about the job of an execution in an observed queue. */
export const jobs = {
  title: 'Job in BullMQ',
  notLoaded: (message: string) => `The job could not be loaded: ${message}`,
  notKnown: 'The queue no longer has this run of the job. Its parent, children, deduplication key and trace are not known.',
  parent: 'Parent',
  children: 'Children',
  childrenUnknown: 'Not known: the user of the server may not read them, or the server is older than Redis 6.2.',
  othersNotListed: (count: number) => `${counted(count, { one: 'other child is', other: 'other children are' })} not listed`,
  someNotListed: 'There may be others that are not listed.',
  statuses: { unfinished: 'Not finished', success: 'Success', failed: 'Failed' },
  notObserved: 'queue not observed',
  removed: 'job removed',
  deduplication: 'Deduplication',
  held: (id: ReactNode) => phrase`${id}, held until this job finishes`,
  heldUntil: (id: ReactNode, when: ReactNode) => phrase`${id}, held until ${when}`,
  notHeld: (id: ReactNode) => phrase`${id}, no longer held by this job`,
  heldUnknown: (id: ReactNode) => phrase`${id}; who holds it cannot be read`,
  trace: 'Trace'
}

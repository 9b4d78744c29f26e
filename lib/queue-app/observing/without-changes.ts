import type { Schedules } from '../../scheduler/schedules.ts'
import type { Operations } from '../operations/operations.ts'
import { observedOnly } from './observed-registry.ts'

type Managed = Pick<
  Operations, 'runTask' | 'retryExecution' | 'cancelExecution' | 'updateExecution' | 'pauseQueue' | 'resumeQueue' | 'setScheduleEnabled' |
  'updateSchedule' | 'runSchedule' | 'bulk'
>

/**
 * The operations of an app that observes: decisions about failures, which are kept in the history, and no others.
 * @param managed what it may also change with `manage: true`; null without it
 */
export function withoutChanges(operations: Operations, managed: Managed | null): Operations {
  return {
    audit: operations.audit,
    answers: operations.answers,
    resolveFailureGroup: operations.resolveFailureGroup,
    reopenFailureGroup: operations.reopenFailureGroup,
    createSchedule: refuse('it adds no schedules'),
    setScheduleEnabled: refuse('it changes no schedules'),
    updateSchedule: refuse('it changes no schedules'),
    runSchedule: refuse('it runs no schedules'),
    deleteSchedule: refuse('it deletes no schedules'),
    runTask: refuse('it adds no executions'),
    retryExecution: refuse('it retries no executions'),
    cancelExecution: refuse('it cancels no executions'),
    deleteExecution: refuse('it deletes no executions'),
    updateExecution: refuse('it changes no executions'),
    pauseQueue: refuse('it pauses no queues'),
    resumeQueue: refuse('it resumes no queues'),
    limitQueue: refuse('it limits no queues'),
    bulk: {
      create: refuse('it starts no bulk operations'),
      suspend: refuse('it has no bulk operations'),
      resume: refuse('it has no bulk operations'),
      abort: refuse('it has no bulk operations'),
      undo: refuse('it has no bulk operations')
    },
    ...managed
  }
}

/** Refuses all changes to the schedules of existing queues. */
export const UNCHANGED_SCHEDULES: Pick<Schedules, 'create' | 'setEnabled' | 'update' | 'runNow' | 'delete'> = {
  create: refuse('it adds no schedules'),
  setEnabled: refuse('it changes no schedules'),
  update: refuse('it changes no schedules'),
  runNow: refuse('it runs no schedules'),
  delete: refuse('it deletes no schedules')
}

function refuse(what: string): () => Promise<never> {
  return () => Promise.reject(observedOnly(what))
}

import type { PublishedTask } from './task-definitions.ts'

/** An observed queue: other code fills it and works on it. That code decides for each job how it is run and retried. */
export interface ExternalTask {
  readonly type: 'external'
  readonly name: string
  readonly description: null
  readonly retries: null
  readonly backoff: null
  readonly timeoutMs: null
  readonly concurrency: null
  readonly rateLimit: null
  /** The task of its queue, if this is the task of one of several job names; else null. */
  readonly partOf: string | null
  /** Milliseconds since the epoch, by the clock of this process. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** A task that dashboards show. */
export type KnownTask = PublishedTask | ExternalTask

export function toExternalTask(
  { taskName, ...seen }: { readonly taskName: string } & Pick<ExternalTask, 'partOf' | 'firstSeenAt' | 'lastSeenAt'>
): ExternalTask {
  const { partOf, firstSeenAt, lastSeenAt } = seen
  return {
    type: 'external', name: taskName, description: null, retries: null, backoff: null, timeoutMs: null, concurrency: null, rateLimit: null,
    partOf, firstSeenAt, lastSeenAt
  }
}

/** Whether the processes that run a task are known. For tasks of observed queues they are not. */
export function hasKnownWorkers(task: Pick<KnownTask, 'type'>, { knowsWorkers }: { readonly knowsWorkers: boolean }): boolean {
  return knowsWorkers && task.type !== 'external'
}

/** The task that this one is a part of. That task has what is known about their queue. Null if this task has a queue of its own. */
export function partOf(task: KnownTask): string | null {
  return task.type === 'external' ? task.partOf : null
}

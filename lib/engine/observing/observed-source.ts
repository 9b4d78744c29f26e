import { MAX_TASK_NAME_LENGTH, TASK_NAME_PATTERN } from '../../../schemas/limits.ts'
import { hasAtMost } from '../../input/has-at-most.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { FoundQueues, ObservedServer } from './observed-server.ts'

/** Queues of one server under one prefix. */
export interface ObservedSource {
  readonly server: ObservedServer
  readonly prefix: string
  /** Put before the names of its queues, as in `label/name`, because several sources may have queues of the same name. */
  readonly label: string | null
  readonly queues: readonly string[] | 'all'
}

export function namesOf({ prefix, queues }: ObservedSource, found: FoundQueues | undefined): readonly string[] {
  return queues === 'all' ? [...found?.byPrefix.get(prefix) ?? []] : queues
}

/** `left`: how many names cannot be shown. */
export function toQueues({ server, prefix, label }: ObservedSource, names: readonly string[]): { shown: ObservedQueue[]; left: number } {
  const all = names.map((name): ObservedQueue => ({
    taskName: taskNameOf(label, name), name, prefix, server: server.partFor({ prefix, name })
  }))
  const shown = all.filter(({ taskName }) => isTaskName(taskName))
  return { shown, left: all.length - shown.length }
}

/** Queue names have no colon, so execution ids can be parsed. */
export function taskNameOf(label: string | null, queueName: string): string {
  return label === null ? queueName : `${label}/${queueName}`
}

const PRINTABLE_NAME = new RegExp(TASK_NAME_PATTERN, 'u')

/** Whether a task can have this name. */
export function isTaskName(name: string): boolean {
  return name !== '.' && name !== '..' && hasAtMost(name, MAX_TASK_NAME_LENGTH) && PRINTABLE_NAME.test(name)
}

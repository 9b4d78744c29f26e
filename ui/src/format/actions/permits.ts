import type { Queue, Schedule } from '../../../../schemas/index.ts'

/** What only the code that owns a queue does. */
const OF_OWNER: readonly string[] = ['queues:limit', 'schedules:delete']

/** Whether a queue or a schedule can be changed by this action at all, by those who may do it. */
export function permits({ changes }: Pick<Queue | Schedule, 'changes'>, action: string): boolean {
  return changes === 'all' || changes === 'some' && !OF_OWNER.includes(action)
}

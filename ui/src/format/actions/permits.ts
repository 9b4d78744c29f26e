import type { Queue, Schedule } from '../../../../schemas/index.ts'

/** Actions that only the code that owns a queue may take. */
const OF_OWNER: readonly string[] = ['queues:limit', 'schedules:delete']

/** Whether this action can change a queue or a schedule at all, for a reader who has the right to it. */
export function permits({ changes }: Pick<Queue | Schedule, 'changes'>, action: string): boolean {
  return changes === 'all' || changes === 'some' && !OF_OWNER.includes(action)
}

import type { Task } from '../../../../schemas/index.ts'
import { taskTexts } from '../../texts/tasks.ts'

/** Why it is not known how many executions of a task wait and run. */
export function whyNotCounted({ part_of: whole }: Pick<Task, 'part_of'>): string {
  return whole === null ? taskTexts.queueUnread : taskTexts.countedByQueue
}

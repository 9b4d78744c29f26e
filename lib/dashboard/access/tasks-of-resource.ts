import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import type { AccessResource } from '../options.ts'
import { answerOf } from '../resources/answer.ts'

type Reads = Pick<Monitoring, 'execution' | 'schedule' | 'failureGroups' | 'patienceMs'>

/**
 * The tasks of an execution, schedule or failure group that is named without its task. None if it is unknown. Of a group, the 20 tasks in
 * which it occurs most. Rejects if the store does not answer.
 */
export async function tasksOf({ taskName, executionId, scheduleId, errorGroup }: AccessResource, read: Reads): Promise<string[]> {
  if (taskName !== undefined) return []
  if (executionId !== undefined) return namesIn(await answerOf(read, () => read.execution(executionId)))
  if (scheduleId !== undefined) return namesIn(await answerOf(read, () => read.schedule(scheduleId)))
  if (errorGroup === undefined) return []
  const { groups: [group] } = await answerOf(read, () => read.failureGroups({ errorGroup, limit: 1 }))
  return group?.tasks.map(({ taskName }) => taskName) ?? []
}

function namesIn(found: { readonly taskName: string } | null): string[] {
  return found === null ? [] : [found.taskName]
}

import type { Monitoring } from '../../queue-app/monitoring/monitoring.ts'
import type { AccessResource } from '../options.ts'
import { answerOf } from '../resources/answer.ts'

type Reads = Pick<Monitoring, 'execution' | 'schedule' | 'failureGroups' | 'tasks' | 'patienceMs'>

/** A group lists at most this many tasks, so one that lists as many may occur in others too. */
const MAX_TASKS_NAMED = 20

/**
 * The tasks of an execution, schedule or failure group that is named without its task. None if it is unknown. If a group may occur in more
 * tasks than it lists, all known tasks are included. Rejects if the store does not answer.
 */
export async function tasksOf({ taskName, executionId, scheduleId, errorGroup }: AccessResource, read: Reads): Promise<string[]> {
  if (taskName !== undefined) return []
  if (executionId !== undefined) return namesIn(await answerOf(read, () => read.execution(executionId)))
  if (scheduleId !== undefined) return namesIn(await answerOf(read, () => read.schedule(scheduleId)))
  if (errorGroup === undefined) return []
  const { groups: [group] } = await answerOf(read, () => read.failureGroups({ errorGroup, limit: 1 }))
  const named = group?.tasks.map(({ taskName }) => taskName) ?? []
  if (named.length < MAX_TASKS_NAMED) return named
  const known = await answerOf(read, () => read.tasks())
  return [...new Set([...named, ...known.map(({ name }) => name)])]
}

function namesIn(found: { readonly taskName: string } | null): string[] {
  return found === null ? [] : [found.taskName]
}

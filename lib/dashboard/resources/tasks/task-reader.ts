import type { Task, TaskDetail } from '../../../../schemas/task.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import type { Snapshots } from '../snapshots.ts'
import { toTask, toTaskDetail } from './to-task.ts'

export type TaskReader = ReturnType<typeof createTaskReader>

export function createTaskReader(monitoring: Monitoring, snapshots: Snapshots) {
  return {
    list(): Promise<Task[]> {
      return snapshots.read('tasks', async () => (await answerOf(monitoring, () => monitoring.tasks())).map(toTask))
    },

    /** Rejects with TASK_NOT_FOUND. */
    get(name: string): Promise<TaskDetail> {
      return snapshots.read(`task ${name}`, async () => {
        const task = await answerOf(monitoring, () => monitoring.task(name))
        if (!task) throw createTaskDashboardError('TASK_NOT_FOUND', [name])
        return toTaskDetail(task)
      })
    }
  }
}

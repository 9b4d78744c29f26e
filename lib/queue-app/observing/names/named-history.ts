import type { ResultBackend } from '../../../backend/result-backend.ts'
import { queueTaskOf } from '../../../engine/observing/job-task.ts'
import type { JobNames } from './job-names.ts'

/**
 * The history, as used for recording queues. Recorded executions get the tasks of their names, and listing the task of a queue includes the
 * tasks of its names.
 */
export function withNamesRecorded(backend: ResultBackend, names: JobNames): ResultBackend {
  return {
    ...backend,
    async record(executions, options) {
      names.note(executions.map(each => ({ ...each, taskName: queueTaskOf(each.taskName) })))
      const named = executions.map(each => ({ ...each, taskName: names.taskOf(queueTaskOf(each.taskName), each.jobName) }))
      return backend.record(named, options)
    },
    async list({ taskName, ...query }) {
      if (taskName === undefined) return backend.list(query)
      return backend.list({ ...query, taskNames: [taskName, ...names.tasksOf(taskName).map(task => task.taskName)] })
    }
  }
}

import type { Task } from '../../../schemas/index.ts'
import { TaskFacts } from '../../src/components/tasks/task-facts.tsx'
import { TaskTable } from '../../src/components/tasks/task-table.tsx'
import { hostileTask, longTask, newTask, task, taskDetail, tasks, unknownTask } from '../samples/workers.ts'
import { href, type Stories } from '../story.ts'

export const taskStories: Stories = {
  'tasks/task-facts': [
    { state: 'ready', show: () => <TaskFacts task={taskDetail(task)} /> },
    { state: 'empty', words: 'it never ran', show: () => <TaskFacts task={taskDetail(newTask)} /> },
    { state: 'unknown', words: 'of an existing queue', show: () => <TaskFacts task={taskDetail(unknownTask)} /> },
    { state: 'huge', show: () => <TaskFacts task={taskDetail(longTask)} /> },
    { state: 'hostile', show: () => <TaskFacts task={taskDetail(hostileTask)} /> }
  ],
  'tasks/task-table': [
    { state: 'ready', show: () => table(tasks) },
    { state: 'empty', show: () => table([]) },
    { state: 'unknown', words: 'of an existing queue', show: () => table([unknownTask]) },
    { state: 'partial', words: 'in groups', show: () => table(tasks, true) },
    { state: 'huge', show: () => table([longTask]) },
    { state: 'hostile', show: () => table([hostileTask]) }
  ]
}

function table(rows: readonly Task[], isGrouped = false) {
  return <TaskTable
    tasks={rows} href={href} executionHref={href} sorting={null} sortHref={href} headingOf={isGrouped ? ({ type }) => type : undefined}
  />
}

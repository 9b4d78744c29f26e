import { TaskFacts } from '../../src/components/tasks/task-facts.tsx'
import { TaskTable } from '../../src/components/tasks/task-table.tsx'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { externalTask, taskDetail, tasks } from '../samples/tasks.ts'
import { nowhere, type Stories } from './story.ts'

export const taskStories: Stories = {
  Tasks: [{
    state: 'ready',
    show: () => <TaskTable tasks={tasks} href={nowhere} executionHref={nowhere} sorting={null} sortHref={nowhere} />
  }],
  'Facts of a task': [
    { state: 'ready', show: () => <TaskFacts task={taskDetail} /> },
    { state: 'partial', words: 'of other code', show: () => <TaskFacts task={externalTask} /> },
    { state: 'hostile', show: () => <TaskFacts task={{ ...taskDetail, name: HOSTILE, queue: LONG, description: LONG }} /> }
  ]
}

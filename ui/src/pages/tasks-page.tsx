import { useQuery } from '@tanstack/react-query'
import { Code } from '../components/code.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { TaskTable } from '../components/task-table.tsx'
import { tasksQuery } from '../api/tasks.ts'
import { withParameters } from '../format/address.ts'
import { plural } from '../format/number.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled } from '../hooks/use-settled.ts'

const POLLED_EVERY_MS = 4_000

const FIRST_TASK = `queueApp.task('email:send', async (to, subject) => {
  // …
}, { type: 'io', retries: 3, retryDelayMs: 30_000 })`

export function TasksPage() {
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...tasksQuery, ...usePolling(POLLED_EVERY_MS) }))
  return (
    <div className="history-section">
      <div className="page-header">
        <h1>Tasks</h1>
        {data && data.length > 0 && <span className="muted">{plural(data.length, 'task')}</span>}
        <Stale failure={failure} updatedAt={updatedAt} />
      </div>
      {data
        ? data.length === 0
          ? <Empty title="No task is registered">
            <p>
              Register one in a process of the queue app. It appears here within seconds, or when that process has called <code>
                queueApp.start()
              </code>.
            </p><Code label="How to register a task" text={FIRST_TASK} />
          </Empty>
          : <TaskTable
            tasks={data} href={task => `/executions${withParameters('', { task: task.name })}`}
            executionHref={id => `/executions${withParameters('', { execution: id })}`}
          />
        : failure ? <Failed what="Tasks" failure={failure} onRetry={retry} /> : <SkeletonRows count={8} label="Loading tasks" />}
    </div>
  )
}

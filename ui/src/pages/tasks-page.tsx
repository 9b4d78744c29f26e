import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Task } from '../../../schemas/index.ts'
import { tasksQuery } from '../api/tasks.ts'
import { Code } from '../components/code.tsx'
import { Section } from '../components/section.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { TaskTable } from '../components/task-table.tsx'
import { plural } from '../format/number.ts'
import { useAddress } from '../hooks/use-address.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled, type Settled } from '../hooks/use-settled.ts'
import { ExecutionHistory } from './execution-history.tsx'
import { ExecutionPanel } from './execution-panel.tsx'

/** More tasks than this would push the history out of sight. */
const TASKS_AT_FIRST = 8
const PLACED_AFTER_MS = 1_000

const FIRST_TASK = `queueApp.task('email:send', async (to, subject) => {
  // …
}, { type: 'io', retries: 3, retryDelayMs: 30_000 })`

export function TasksPage() {
  const address = useAddress()
  const tasks = useSettled(useQuery({ ...tasksQuery, ...usePolling(4_000) }))
  const openId = address.get('execution')
  const close = useCallback(() => address.go({ execution: null }), [address])
  return (
    <>
      <h1 className="sr-only">Tasks</h1>
      <RegisteredTasks tasks={tasks} />
      <div className={useIsPlaced(tasks.data !== undefined || tasks.failure !== null) ? undefined : 'is-unplaced'}>
        <ExecutionHistory tasks={tasks.data} saidAbove={tasks.data ? null : tasks.failure?.message ?? null} />
      </div>
      {openId && <ExecutionPanel key={openId} executionId={openId} onClose={close} />}
    </>
  )
}

/** What stands below is shown once it has its place, or after a moment: nothing that is read moves. */
function useIsPlaced(isAboveKnown: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PLACED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isAboveKnown || isLate
}

function RegisteredTasks({ tasks: { data, failure, updatedAt, retry } }: { tasks: Settled<Task[]> }) {
  const address = useAddress()
  const current = address.get('task')
  const isAll = address.get('tasks') === 'all'
  const shown = isAll ? data : data?.filter((task, index) => index < TASKS_AT_FIRST || task.name === current)
  const aside = <span className="section-aside">
    <Stale failure={failure} updatedAt={updatedAt} />{data && data.length > 0 && plural(data.length, 'task')}
  </span>
  return (
    <Section title="Registered tasks" aside={aside}>
      {data && shown
        ? data.length === 0
          ? <Empty title="No task is registered">
            <p>
              Register one in a process of the queue app. It appears here within seconds, or when that process has called <code>
                queueApp.start()
              </code>.
            </p><Code label="How to register a task" text={FIRST_TASK} />
          </Empty>
          : <TaskTable
            tasks={shown} currentName={current}
            href={task => address.href({ task: task.name === current ? null : task.name })}
            executionHref={id => address.href({ execution: id })}
          />
        : failure ? <Failed what="Registered tasks" failure={failure} onRetry={retry} /> : <SkeletonRows count={4} label="Loading tasks" />}
      {data && data.length > TASKS_AT_FIRST && (
        <Link className="more" href={address.href({ tasks: isAll ? null : 'all' })}>
          {isAll ? 'Show fewer' : `Show all ${plural(data.length, 'task')}`}
        </Link>
      )}
    </Section>
  )
}

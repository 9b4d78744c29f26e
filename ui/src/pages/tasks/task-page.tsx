import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { PageLink } from '../../components/elements/page-link.tsx'
import type { TaskDetail } from '../../../../schemas/index.ts'
import { taskQuery } from '../../api/tasks.ts'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { TaskFacts } from '../../components/tasks/task-facts.tsx'
import { withParameters } from '../../format/places/address.ts'
import { isMissing } from '../../format/health/final-failure.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { ExecutionPanel } from '../executions/execution-panel.tsx'
import { useAllowed } from '../use-allowed.ts'
import { TaskPause } from '../workers/task-pause.tsx'
import { RunTaskDialog } from './run-task-dialog.tsx'
import { TaskExecutions } from './task-executions.tsx'
import { TaskFailures } from './task-failures.tsx'
import { TaskHours } from './task-hours.tsx'
import { TaskSchedules } from './task-schedules.tsx'
import { actionTexts } from '../../texts/actions.ts'
import { taskTexts } from '../../texts/tasks.ts'

const POLLED_EVERY_MS = 5_000

/** One task: how it is doing, why it fails, what starts it, and what ran last. */
export function TaskPage({ name }: { name: string }) {
  const address = useAddress()
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...taskQuery(name), ...usePolling(POLLED_EVERY_MS) }))
  const { may } = useAllowed(name)
  const [isAsking, setAsking] = useState(false)
  const openId = address.get('execution')
  const isGone = failure !== null && isMissing(failure)
  return (
    <>
      <div className="page-header">
        <h1 className="wrap">
          <Link href="/tasks">{taskTexts.title}</Link> <span className="muted" aria-hidden="true">/</span> <bdi>{name}</bdi>
        </h1>
        <Stale failure={failure} updatedAt={updatedAt} />
        <div className="page-tools">
          {data && may('tasks:run') &&
            <button type="button" className="button" onClick={() => setAsking(true)}>{actionTexts.runTask}</button>}
          <PageLink href={`/executions${withParameters('', { task: name })}`} isWay className="button">
            {taskTexts.allItsExecutions}
          </PageLink>
        </div>
      </div>
      {data
        ? <Task task={data} />
        : isGone
          ? <Empty title={taskTexts.notRegistered}>
            <p>{taskTexts.stillInHistory} <Link href="/tasks">{taskTexts.all}</Link></p>
          </Empty>
          : failure
            ? <Failed what={taskTexts.theTask} isOne failure={failure} onRetry={retry} />
            : <SkeletonRows count={5} label={taskTexts.loadingOne} />}
      <TaskHours name={name} />
      <TaskFailures name={name} />
      <TaskSchedules name={name} />
      <TaskExecutions name={name} />
      {isAsking && <RunTaskDialog taskName={name} onClose={() => setAsking(false)} />}
      {openId && <ExecutionPanel key={openId} executionId={openId} onClose={() => address.go({ execution: null })} />}
    </>
  )
}

function Task({ task }: { task: TaskDetail }) {
  return (
    <>
      {task.part_of !== null &&
        <p className="muted wrap">
          {taskTexts.partOf(<Link href={`/tasks${withParameters('', { name: task.part_of })}`}><bdi>{task.part_of}</bdi></Link>)}
        </p>}
      {task.description && <p className="muted wrap"><bdi>{task.description}</bdi></p>}
      {task.workers === 0 &&
        <p className="alert"><StatusMark mark="warning" word={taskTexts.noWorker} /> {taskTexts.enqueuedWaits}</p>}
      <TaskPause taskName={task.name} />
      <TaskFacts task={task} />
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { Link } from 'wouter'
import type { Task } from '../../../../schemas/index.ts'
import { tasksQuery } from '../../api/tasks.ts'
import { Code } from '../../components/elements/code.tsx'
import { SearchField } from '../../components/search/search-field.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../../components/frame/states.tsx'
import { TaskTable } from '../../components/tasks/task-table.tsx'
import { withParameters } from '../../format/places/address.ts'
import { readSorting, sortingText } from '../../format/lists/sorting.ts'
import { countTasks, prefixOf, TASK_SORTINGS, toTaskGroups, toTaskList, type TaskGroup } from '../../format/tasks/task-list.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { TaskPage } from './task-page.tsx'
import { taskTexts } from '../../texts/tasks.ts'

const POLLED_EVERY_MS = 4_000

const FIRST_TASK = `queueApp.task('email:send', async (to, subject) => {
  // …
}, { type: 'io', retries: 3, retryDelayMs: 30_000 })`

const START = 'queueApp.start()'

/** Every task, or the page of one. */
export function TasksPage() {
  const name = useAddress().get('name')
  return name === null ? <TaskList /> : <TaskPage key={name} name={name} />
}

function TaskList() {
  const address = useAddress()
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...tasksQuery, ...usePolling(POLLED_EVERY_MS) }))
  const isGrouped = address.get('by') === 'prefix'
  return (
    <>
      <div className="page-header">
        <h1>{taskTexts.title}</h1>
        {data && data.length > 0 && <Count of={data} />}
        <Stale failure={failure} updatedAt={updatedAt} />
        <div className="page-tools">
          <SearchField
            label={taskTexts.search} value={address.get('find') ?? ''} onChange={find => address.go({ find }, { replace: true })}
          />
          <button
            type="button" className="button toggle" aria-pressed={isGrouped} onClick={() => address.go({ by: isGrouped ? null : 'prefix' })}
          >
            {taskTexts.groupByPrefix}
          </button>
        </div>
      </div>
      {data
        ? data.length === 0 ? <NoTasks /> : <Found tasks={data} isGrouped={isGrouped} />
        : failure
          ? <Failed what={taskTexts.title} failure={failure} onRetry={retry} />
          : <SkeletonRows count={8} label={taskTexts.loading} />}
    </>
  )
}

function Found({ tasks, isGrouped }: { tasks: readonly Task[]; isGrouped: boolean }) {
  const { get, href } = useAddress()
  const [find, sort] = [get('find') ?? '', get('sort')]
  const sorting = useMemo(() => readSorting(sort, TASK_SORTINGS), [sort])
  const found = useMemo(() => toTaskList(tasks, { find, sorting, isGrouped }), [tasks, find, sorting, isGrouped])
  const groups = useMemo(() => (isGrouped ? toTaskGroups(found) : null), [found, isGrouped])
  const headingOf = useCallback((task: Task, before: Task | undefined) =>
    (before && prefixOf(before) === prefixOf(task) ? null : <Heading group={groups!.get(prefixOf(task))!} />), [groups])
  if (found.length === 0)
    return <Empty title={taskTexts.noneMatches}><p><Link href={href({ find: null })}>{taskTexts.showAll}</Link></p></Empty>
  return <TaskTable
    tasks={found} href={taskHref} executionHref={executionHref} headingOf={groups ? headingOf : undefined}
    sorting={sorting ?? { column: 'name', isDescending: false }} sortHref={next => href({ sort: sortingText(next) })}
  />
}

function Count({ of }: { of: readonly Task[] }) {
  const { tasks, jobNames } = countTasks(of)
  return <span className="muted">{taskTexts.count(tasks)}{jobNames > 0 && taskTexts.countJobNames(jobNames)}</span>
}

function Heading({ group: { name, tasks, pending, withoutWorker } }: { group: TaskGroup }) {
  return (
    <>
      <bdi>{name}</bdi>
      <span className="muted">{taskTexts.count(tasks)}{pending > 0 && taskTexts.countWaiting(pending)}</span>
      {withoutWorker > 0 && <span className="tone-warn"> {taskTexts.countWithoutWorker(withoutWorker)}</span>}
    </>
  )
}

function NoTasks() {
  return (
    <Empty title={taskTexts.noneRegistered}>
      <p>{taskTexts.registerOne(<code>{START}</code>)}</p>
      <Code label={taskTexts.howToRegister} text={FIRST_TASK} />
    </Empty>
  )
}

function taskHref({ name }: Task): string {
  return `/tasks${withParameters('', { name })}`
}

function executionHref(id: string): string {
  return `/executions${withParameters('', { execution: id })}`
}

import { useMemo } from 'react'
import { Link } from 'wouter'
import { PageLink } from '../elements/page-link.tsx'
import type { Task } from '../../../../schemas/index.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { formatCompact, formatCount, formatRate } from '../../format/stats/number.ts'
import { backoffTitle, backoffWords, rateLimitTitle, rateLimitWords } from '../../format/tasks/policy.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { statusWord } from '../../format/executions/status.ts'
import { whyNotCounted } from '../../format/tasks/why-not-counted.ts'
import { DataGrid } from '../grid/data-grid.tsx'
import type { DataGridProps, GridColumn } from '../grid/grid-column.ts'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { taskTexts } from '../../texts/tasks.ts'

interface Props {
  readonly tasks: readonly Task[]
  readonly href: (task: Task) => string
  readonly executionHref: (executionId: string) => string
  readonly sorting: Sorting | null
  readonly sortHref: (sorting: Sorting) => string
  readonly headingOf?: NonNullable<DataGridProps<Task>['headingOf']> | undefined
}

export function TaskTable({ tasks, href, executionHref, sorting, sortHref, headingOf }: Props) {
  const columns = useMemo(() => columnsOf(href, executionHref), [href, executionHref])
  return <DataGrid
    name="tasks" label={taskTexts.title} columns={columns} rows={tasks} total={tasks.length} keyOf={({ name }) => name}
    isMeasured={headingOf !== undefined}
    sorting={sorting} sortHref={sortHref} {...(headingOf && { headingOf })}
  />
}

function columnsOf(href: Props['href'], executionHref: Props['executionHref']): ReadonlyArray<GridColumn<Task>> {
  const { columns, ...words } = taskTexts
  return [
    {
      id: 'name', name: words.task, minPx: 160, grow: 2.6, isFixed: true, phone: '1', sorts: 'up', className: 'cell-task',
      cell: task => <NameCell task={task} href={href(task)} />
    },
    {
      id: 'type', name: columns.type, minPx: 72, givesWay: 6,
      cell: ({ type }) => <span className="tag" title={words.types[type]}>{type}</span>
    },
    { id: 'retries', name: columns.retries, minPx: 52, givesWay: 5, isNumber: true, cell: ({ retries }) =>
      retries === null ? <Unknown reason={words.settingsOfOthers} /> : formatCount(retries) },
    { id: 'delay', name: columns.delay, minPx: 122, givesWay: 7, isNumber: true, cell: task => <RetryDelay task={task} /> },
    {
      id: 'workers', name: columns.workers, minPx: 58, isWarning: true, isNumber: true, phone: '2', sorts: 'up',
      cell: ({ workers }) => <Workers count={workers} />
    },
    {
      id: 'backlog', name: columns.backlog, title: words.backlogTitle, minPx: 62, isNumber: true,
      phone: '2', sorts: 'down', cell: task => <Backlog task={task} />
    },
    {
      id: 'finished', name: columns.finished, minPx: 66, givesWay: 4, isNumber: true, sorts: 'down',
      cell: ({ executions }) => <Finished of={executions} />
    },
    {
      id: 'success', name: columns.success, minPx: 68, isWarning: true, isNumber: true, phone: '1 end', sorts: 'up',
      cell: task => <Success task={task} />
    },
    {
      id: 'p95', name: 'p95', title: words.p95Title, minPx: 70, givesWay: 3,
      isNumber: true, sorts: 'down', cell: ({ duration_ms: ms }) =>
        ms ? formatDuration(ms.p95) : <Unknown reason={words.nothingInDay} />
    },
    {
      id: 'last', name: columns.last, minPx: 92, grow: 0.6, givesWay: 2, phone: '2 end', sorts: 'down',
      cell: ({ last_execution: last }) =>
        (last ? <LastRun last={last} href={executionHref(last.execution_id)} /> : <span className="muted">{words.never}</span>)
    },
    {
      id: 'schedules', name: columns.schedules, minPx: 70, givesWay: 8, isExtra: true, isNumber: true, sorts: 'down',
      cell: ({ schedules }) => (schedules === null ? <Unknown reason={taskTexts.schedulesUnknown} /> : formatCount(schedules))
    }
  ]
}

function NameCell({ task, href }: { task: Task; href: string }) {
  return (
    <>
      {task.rate_limited_until !== null &&
        <span className="cell-limit tone-warn">{taskTexts.limitReached(<Moment at={task.rate_limited_until} as="clock" />)}</span>}
      <Link href={href} className={`row-link${task.part_of === null ? '' : ' task-part'}`} data-row-link={task.name}>
        <bdi>{task.name}</bdi>
      </Link>
      {task.part_of !== null && <span className="sr-only"> {taskTexts.jobNameOf(task.part_of)}</span>}
      {task.rate_limit &&
        <span className="cell-limit muted" title={rateLimitTitle(task.rate_limit)}> {rateLimitWords(task.rate_limit)}</span>}
      {task.description && <span className="muted cell-note wide-word" title={task.description}> <bdi>{task.description}</bdi></span>}
    </>
  )
}

function RetryDelay({ task: { retries, backoff } }: { task: Task }) {
  if (retries === null || backoff === null) return <Unknown reason={taskTexts.settingsOfOthers} />
  return retries === 0
    ? <span className="muted" title={taskTexts.notRetried}>{taskTexts.none}</span>
    : <span title={backoffTitle(backoff)}>{backoffWords(backoff)}</span>
}

function Workers({ count }: { count: number | null }) {
  if (count === null) return <span className="wide-word"><Unknown reason={taskTexts.workersOfOthers} /></span>
  if (count === 0)
    return <span className="tone-warn" title={taskTexts.noWorkerTitle}>
      0<span className="phone-word"> {taskTexts.workersOnPhone}</span>
    </span>
  return <span className="wide-word">{formatCount(count)}</span>
}

function Backlog({ task }: { task: Task }) {
  const { pending, running } = task.executions
  if (pending === null || running === null) return <Unknown reason={whyNotCounted(task)} />
  return <span className={pending === 0 ? 'muted' : undefined} title={taskTexts.waitAndRun(pending, running)}>
    {formatCompact(pending)}<span className="phone-word"> {taskTexts.waitingOnPhone}</span>
  </span>
}

function Finished({ of: { success, failed } }: { of: Task['executions'] }) {
  return <span title={taskTexts.succeededAndFailed(success, failed)}>{formatCompact(success + failed)}</span>
}

function LastRun({ last, href }: { last: NonNullable<Task['last_execution']>; href: string }) {
  return <PageLink href={href} className="quiet-link above">
    <StatusMark mark={last.status} word={statusWord(last.status)} isQuiet /> <Moment at={last.finished_at} as="relative" />
  </PageLink>
}

function Success({ task: { executions: { success, failed }, success_rate: rate } }: { task: Task }) {
  if (success + failed === 0) return <Unknown reason={taskTexts.nothingFinishedYet} />
  return <span className={rate < 95 ? 'tone-bad' : undefined}>{formatRate(rate)}</span>
}

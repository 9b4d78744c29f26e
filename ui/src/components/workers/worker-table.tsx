import { useMemo } from 'react'
import { PageLink } from '../elements/page-link.tsx'
import type { Worker } from '../../../../schemas/index.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { formatBytes, formatCount } from '../../format/stats/number.ts'
import { workerMark, workerName } from '../../format/workers/worker-list.ts'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { DataGrid } from '../grid/data-grid.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { errorTexts } from '../../texts/errors.ts'
import { workerTexts } from '../../texts/workers.ts'

interface Props {
  readonly workers: readonly Worker[]
  /** The executions of a worker. */
  readonly href: (worker: Worker) => string
  readonly executionHref: (executionId: string) => string
  readonly sorting: Sorting | null
  readonly sortHref: (sorting: Sorting) => string
}

const HEIGHTS = { comfortable: 53, compact: 44, phone: 62 }
/** Links in one row; the page of the worker's executions has all of them. */
const MAX_RUNS_SHOWN = 3

export function WorkerTable({ workers, href, executionHref, sorting, sortHref }: Props) {
  const columns = useMemo(() => columnsOf(href, executionHref), [href, executionHref])
  return <DataGrid
    name="workers" label={workerTexts.title} columns={columns} rows={workers} total={workers.length} keyOf={({ worker_id: id }) => id}
    heights={HEIGHTS} sorting={sorting} sortHref={sortHref} classOf={({ state }) => (state === 'silent' ? 'is-off' : '')}
  />
}

function columnsOf(href: Props['href'], executionHref: Props['executionHref']): ReadonlyArray<GridColumn<Worker>> {
  const { columns, ...words } = workerTexts
  return [
    {
      id: 'worker', name: words.worker, minPx: 170, grow: 1.6, isFixed: true, phone: '1', sorts: 'up', className: 'two-lines',
      cell: worker => <NameCell worker={worker} href={href(worker)} />
    },
    {
      id: 'state', name: columns.state, minPx: 104, isWarning: true, phone: '1 end', sorts: 'up',
      cell: worker => <span title={worker.problems.map(errorTexts.sayOfPart).join('; ') || undefined}>
        <StatusMark {...workerMark(worker)} />
      </span>
    },
    {
      id: 'running', name: columns.running, title: words.runningTitle, minPx: 150, grow: 2, phone: '2', sorts: 'down',
      className: 'two-lines', cell: worker => <Running worker={worker} executionHref={executionHref} />
    },
    { id: 'tasks', name: columns.tasks, minPx: 66, givesWay: 5, isNumber: true, sorts: 'down', cell: worker => <Tasks worker={worker} /> },
    {
      id: 'started', name: columns.started, minPx: 86, givesWay: 2, sorts: 'up',
      cell: ({ started_at: at }) => <Moment at={at} as="relative" />
    },
    {
      id: 'memory', name: columns.memory, title: words.memoryTitle, minPx: 78, givesWay: 3, isNumber: true,
      sorts: 'down',
      cell: ({ memory_bytes: bytes }) => (bytes === null ? <Unknown reason={workerTexts.notReported} /> : formatBytes(bytes))
    },
    { id: 'version', name: columns.version, minPx: 72, givesWay: 4, sorts: 'up', cell: worker => <Version worker={worker} /> },
    {
      id: 'seen', name: columns.seen, minPx: 86, givesWay: 1, phone: '2 end', sorts: 'up',
      cell: ({ last_seen_at: at }) => (at === null ? <Unknown reason={workerTexts.notReported} /> : <Moment at={at} as="relative" />)
    }
  ]
}

function NameCell({ worker, href }: { worker: Worker; href: string }) {
  const problems = worker.problems.map(each => withLocalTimes(errorTexts.sayOfPart(each), currentTime()))
  const [problem] = problems
  const note = problem ?? worker.app ?? (worker.host === null ? workerTexts.earlierVersion : worker.worker_id)
  return (
    <>
      <PageLink href={href} className="row-link" data-row-link={worker.worker_id} title={workerTexts.executionsOf(worker.worker_id)}>
        <bdi>{workerName(worker)}</bdi>
      </PageLink>
      <span className={problem ? 'tone-warn' : 'muted'} title={problems.join('; ') || undefined}>
        <span className="wide-word"><bdi>{note}</bdi></span>
      </span>
    </>
  )
}

function Running({ worker: { running, executions, state }, executionHref }: { worker: Worker; executionHref: Props['executionHref'] }) {
  if (running === null) return <Unknown reason={workerTexts.notReported} />
  const shown = executions?.slice(0, MAX_RUNS_SHOWN) ?? []
  const rest = running - shown.length
  const words = running === 0 ? workerTexts.nothing : workerTexts.runs(running)
  return (
    <>
      <span className={running === 0 ? 'muted' : undefined}>
        {state === 'silent' ? workerTexts.whenLastSeen(words) : words}
      </span>
      {shown.length > 0 &&
        <span className="muted wide-word">
          {shown.map(({ execution_id: id, task_name: name, started_at: at }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <PageLink href={executionHref(id)} className="quiet-link above" title={workerTexts.execution(id)}>
                <bdi>{name}</bdi>
              </PageLink>
              {at !== null && <> <Moment at={at} as="relative" /></>}
            </span>
          ))}
          {rest > 0 && workerTexts.andMore(rest)}
        </span>}
    </>
  )
}

function Tasks({ worker: { task_count: count, tasks } }: { worker: Worker }) {
  const names = tasks.map(({ name, concurrency }) => (concurrency === null ? name : workerTexts.atOnce(name, concurrency)))
  return <span title={[...names, ...(count > tasks.length ? [workerTexts.andMoreTasks(count - tasks.length)] : [])].join('\n')}>
    {formatCount(count)}
  </span>
}

function Version({ worker: { version, node_version: node } }: { worker: Worker }) {
  if (version === null) return <Unknown reason={workerTexts.notReported} />
  return <span title={node === null ? undefined : workerTexts.onNode(node)}>{version}</span>
}

import { Link } from 'wouter'
import type { Execution } from '../../../../schemas/index.ts'
import { queueTitle, stateWord, statusWord } from '../../format/executions/status.ts'
import type { GridColumn } from '../grid/grid-column.ts'
import { Attempt } from './attempt.tsx'
import { ErrorLine, Took, Waited } from './execution-cells.tsx'
import { Due, Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { RetriedMark } from './retried-mark.tsx'
import { executionTexts } from '../../texts/executions.ts'
import { rowTexts } from '../../texts/execution-rows.ts'

interface Given {
  readonly href: (executionId: string) => string
  readonly openId: string | null
  /** Executions that no longer match the list since it was loaded. */
  readonly movedOn: ReadonlySet<string>
}

/** The columns of the history. */
export function executionColumns({ href, openId, movedOn }: Given): ReadonlyArray<GridColumn<Execution>> {
  const { columns, ...words } = executionTexts
  return [
    {
      id: 'status', name: words.status, minPx: 90, isFixed: true, phone: '1 end',
      cell: ({ execution_id: id, status, cancelling_since: cancelling }) => <>
        <StatusMark mark={status} word={cancelling === null ? statusWord(status) : rowTexts.cancelling} />{movedOn.has(id) &&
          <span className="sr-only">{words.changedSince}</span>}
      </>
    },
    {
      id: 'task', name: rowTexts.task, minPx: 140, grow: 1.4, isFixed: true, phone: '1',
      cell: execution => <TaskCell
        execution={execution} href={href} isOpen={execution.execution_id === openId}
      />
    },
    {
      id: 'changed', name: columns.changed, minPx: 104, title: words.changedTitle, sorts: 'down',
      phone: '2 end', cell: ({ finished_at: finished, started_at: started, submitted_at: at }) => <Moment at={finished ?? started ?? at} />
    },
    { id: 'submitted', name: columns.submitted, minPx: 104, givesWay: 4, cell: ({ submitted_at: at }) => <Moment at={at} /> },
    { id: 'waited', name: columns.waited, minPx: 72, givesWay: 3, isNumber: true, cell: execution => <Waited execution={execution} /> },
    {
      id: 'took', name: words.took, minPx: 86, givesWay: 1, isNumber: true, phone: '2 end',
      cell: execution => <Took execution={execution} />
    },
    {
      id: 'attempt', name: columns.attempt, minPx: 56, givesWay: 2, isNumber: true,
      cell: execution => <Attempt execution={execution} />
    },
    {
      id: 'error', name: columns.error, minPx: 120, grow: 2.2, isWarning: true, phone: '2',
      cell: ({ error }) => error && <ErrorLine error={error} />
    },
    {
      id: 'queue', name: columns.queue, minPx: 100, grow: 0.8, givesWay: 6, isExtra: true,
      cell: ({ queue }) => <bdi>{queueTitle(queue)}</bdi>
    },
    {
      id: 'worker', name: words.worker, minPx: 110, grow: 0.8, givesWay: 5, isExtra: true,
      cell: ({ worker_id: worker }) => worker && <bdi title={worker}>{worker}</bdi>
    },
    {
      id: 'id', name: columns.id, minPx: 120, grow: 0.8, givesWay: 7, isExtra: true,
      cell: ({ execution_id: id }) => <code title={id}>{id}</code>
    }
  ]
}

interface TaskCellProps {
  readonly execution: Execution
  readonly href: (executionId: string) => string
  readonly isOpen: boolean
}

function TaskCell({ execution, href, isOpen }: TaskCellProps) {
  const state = stateWord(execution.state)
  return (
    <>
      {execution.state === 'stalled' && <span className="tone-warn">{state} · </span>}
      <Link
        href={href(execution.execution_id)} className="row-link" data-row-link={execution.execution_id} data-opened={isOpen || undefined}
        aria-current={isOpen ? 'true' : undefined}
      >
        <bdi>{execution.task_name}</bdi>
      </Link>
      {execution.state === 'delayed' && execution.next_attempt_at !== null
        ? <span className="muted"> <Due at={execution.next_attempt_at} /></span>
        : state && execution.state !== 'stalled' && <span className="muted"> {state}</span>}
      {' '}<RetriedMark of={execution} href={href} />
      {execution.retry_of !== null && <span className="muted"> {rowTexts.isRetry}</span>}
    </>
  )
}

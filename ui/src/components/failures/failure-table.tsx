import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Execution } from '../../../../schemas/index.ts'
import { BriefGrid } from '../grid/brief-grid.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { Attempt } from '../executions/attempt.tsx'
import { ErrorLine } from '../executions/execution-cells.tsx'
import { RetriedMark } from '../executions/retried-mark.tsx'
import { Moment } from '../elements/moment.tsx'
import { rowTexts } from '../../texts/execution-rows.ts'
import { failureTexts } from '../../texts/failures.ts'

interface Props {
  readonly executions: readonly Execution[]
  readonly href: (executionId: string) => string
}

export function FailureTable({ executions, href }: Props) {
  const columns = useMemo(() => columnsOf(href), [href])
  return <BriefGrid
    name="failures" label={failureTexts.recent} columns={columns} rows={executions} total={executions.length}
    keyOf={({ execution_id: id }) => id}
  />
}

function columnsOf(href: Props['href']): ReadonlyArray<GridColumn<Execution>> {
  return [
    {
      id: 'task', name: rowTexts.task, minPx: 110, grow: 1, phone: '1',
      cell: execution => <>
        <Link href={href(execution.execution_id)} className="row-link" data-row-link={execution.execution_id}>
          <bdi>{execution.task_name}</bdi>
        </Link>{' '}
        <RetriedMark of={execution} href={href} />
      </>
    },
    {
      id: 'error', name: rowTexts.error, minPx: 120, grow: 2.6, isWarning: true, phone: '2',
      cell: ({ error }) => (error ? <ErrorLine error={error} /> : <span className="muted">{failureTexts.noErrorRecorded}</span>)
    },
    {
      id: 'attempt', name: rowTexts.attempt, minPx: 56, givesWay: 1, isNumber: true,
      cell: execution => <Attempt execution={execution} />
    },
    {
      id: 'when', name: rowTexts.statuses.failed, minPx: 76, isNumber: true, phone: '1 end',
      cell: ({ finished_at: at }) => at && <Moment at={at} as="relative" />
    }
  ]
}

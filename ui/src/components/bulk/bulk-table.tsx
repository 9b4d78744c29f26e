import { useMemo } from 'react'
import { Link } from 'wouter'
import type { BulkOperation } from '../../../../schemas/index.ts'
import { filterWords } from '../../format/bulk/bulk-filter.ts'
import { actionWord, operationHref, progressWords, stateMark } from '../../format/bulk/bulk-state.ts'
import { currentTime } from '../../format/time/clock.ts'
import { useLanguage } from '../../hooks/use-language.ts'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { DataGrid } from '../grid/data-grid.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  readonly operations: readonly BulkOperation[]
  readonly total: number
  readonly onEnd: () => void
}

/** Bulk operations, the newest first. */
export function BulkTable({ operations, total, onEnd }: Props) {
  const { language } = useLanguage()
  const columns = useMemo(columnsNow, [language])
  return <DataGrid name="bulk" label={bulkTexts.title} columns={columns} rows={operations} total={total} keyOf={keyOf} onEnd={onEnd} />
}

function keyOf({ operation_id: id }: BulkOperation): string {
  return id
}

function columnsNow(): ReadonlyArray<GridColumn<BulkOperation>> {
  const { columns } = bulkTexts
  return [
    { id: 'created', name: columns.created, minPx: 104, isFixed: true, phone: '2 end', cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      id: 'action', name: columns.action, minPx: 110, isFixed: true, phone: '1',
      cell: operation => {
        const id = operation.operation_id
        return <Link href={operationHref(id)} className="row-link" data-row-link={id}>{actionWord(operation)}</Link>
      }
    },
    { id: 'state', name: columns.state, minPx: 130, isWarning: true, phone: '1 end', cell: each => <StatusMark {...stateMark(each)} /> },
    { id: 'progress', name: columns.progress, minPx: 140, phone: '2', cell: progressWords },
    {
      id: 'filter', name: columns.filter, minPx: 160, grow: 2,
      cell: ({ filter, execution_count: selected }) => filter === null
        ? <Unknown reason={bulkTexts.unsupported} />
        : <FilterCell words={filterWords(filter, currentTime(), selected)} />
    },
    {
      id: 'by', name: columns.by, minPx: 90, grow: 0.6, givesWay: 1,
      cell: ({ created_by: by }) => (by === null ? <Unknown reason={bulkTexts.nobody} /> : <bdi title={by}>{by}</bdi>)
    },
    {
      id: 'reason', name: columns.reason, minPx: 120, grow: 1, givesWay: 2,
      cell: ({ reason }) => reason !== null && <bdi title={reason}>{reason}</bdi>
    }
  ]
}

function FilterCell({ words }: { words: string }) {
  return <bdi title={words}>{words}</bdi>
}

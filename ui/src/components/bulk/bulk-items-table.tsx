import { useMemo } from 'react'
import { PageLink } from '../elements/page-link.tsx'
import type { BulkItem } from '../../../../schemas/index.ts'
import { executionAddress, groupAddress } from '../../format/audit/resource-addresses.ts'
import { outcomeMark } from '../../format/bulk/bulk-state.ts'
import { useLanguage } from '../../hooks/use-language.ts'
import { StatusMark } from '../elements/status-mark.tsx'
import { DataGrid } from '../grid/data-grid.tsx'
import type { GridColumn } from '../grid/grid-column.ts'
import { bulkTexts } from '../../texts/bulk.ts'

const HEIGHTS = { comfortable: 53, compact: 44, phone: 62 }

interface Props {
  readonly items: readonly BulkItem[]
  readonly total: number | null
  readonly onEnd: () => void
}

/** The outcome of each item, with a link to it. */
export function BulkItemsTable({ items, total, onEnd }: Props) {
  const { language } = useLanguage()
  const columns = useMemo(columnsNow, [language])
  return <DataGrid
    name="bulk-items" label={bulkTexts.items} columns={columns} rows={items} total={total} keyOf={keyOf} heights={HEIGHTS} onEnd={onEnd}
  />
}

function keyOf({ execution_id: execution, error_group: group }: BulkItem): string {
  return execution ?? group ?? ''
}

function columnsNow(): ReadonlyArray<GridColumn<BulkItem>> {
  const { columns } = bulkTexts
  return [
    { id: 'outcome', name: columns.outcome, minPx: 130, isFixed: true, phone: '1 end', cell: ({ outcome }) =>
      <StatusMark {...outcomeMark(outcome)} /> },
    { id: 'item', name: columns.item, minPx: 200, grow: 2, isFixed: true, phone: '1', className: 'two-lines', cell: ItemCell },
    {
      id: 'why', name: columns.why, minPx: 160, grow: 1, phone: '2',
      cell: ({ code }) => code !== null && <span title={code}>{bulkTexts.codes[code] ?? <code>{code}</code>}</span>
    },
    {
      id: 'made', name: columns.made, minPx: 140, grow: 1,
      cell: ({ made_execution_id: made }) => made !== null &&
        <PageLink href={executionAddress(made)} className="quiet-link above" title={made}><bdi>{made}</bdi></PageLink>
    }
  ]
}

function ItemCell({ task_name: task, execution_id: execution, error_group: group }: BulkItem) {
  const id = execution ?? group
  if (id === null) return null
  const words = execution === null ? bulkTexts.failureGroup(id) : task ?? bulkTexts.taskUnknown
  return (
    <>
      <PageLink
        href={execution === null ? groupAddress(id) : executionAddress(execution)} className="row-link" data-row-link={id} title={words}
      >
        <bdi>{words}</bdi>
      </PageLink>
      {execution !== null && <span className="muted" title={execution}><bdi>{execution}</bdi></span>}
    </>
  )
}

import { useMemo } from 'react'
import type { Execution } from '../../../../schemas/index.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { DataGrid } from '../grid/data-grid.tsx'
import { executionColumns } from './execution-columns.tsx'
import { executionTexts } from '../../texts/executions.ts'

interface Props {
  readonly executions: readonly Execution[]
  /** How many there are in all, when that is known exactly. */
  readonly total: number | null
  readonly openId: string | null
  readonly movedOn: ReadonlySet<string>
  readonly href: (executionId: string) => string
  readonly order: 'oldest' | null
  readonly orderHref: (order: 'oldest' | null) => string
  readonly onEnd: () => void
  /** The pointer or the focus is in the list: nothing may move. */
  readonly onHold: (isHeld: boolean) => void
}

/** The history, in the order of the last change: the server knows no other. */
export function ExecutionList({ executions, total, openId, movedOn, href, order, orderHref, onEnd, onHold }: Props) {
  const columns = useMemo(() => executionColumns({ href, openId, movedOn }), [href, openId, movedOn])
  const sorting: Sorting = { column: 'changed', isDescending: order === null }
  return <DataGrid
    name="history" label={executionTexts.history} columns={columns} rows={executions} total={total} keyOf={keyOf} openKey={openId}
    classOf={({ execution_id: id }) => (movedOn.has(id) ? 'has-moved-on' : '')}
    sorting={sorting} sortHref={({ isDescending }) => orderHref(isDescending ? null : 'oldest')} onEnd={onEnd} onHold={onHold}
  />
}

function keyOf({ execution_id: id }: Execution): string {
  return id
}

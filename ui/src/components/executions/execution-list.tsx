import { useMemo } from 'react'
import type { Execution } from '../../../../schemas/index.ts'
import type { Sorting } from '../../format/lists/sorting.ts'
import { DataGrid } from '../grid/data-grid.tsx'
import type { Selection } from '../../hooks/use-selection.ts'
import { executionColumns } from './execution-columns.tsx'
import { selectByKey, selectColumn } from './select-column.tsx'
import { executionTexts } from '../../texts/executions.ts'

interface Props {
  readonly executions: readonly Execution[]
  /** How many there are in all; null if that is not known exactly. */
  readonly total: number | null
  readonly openId: string | null
  readonly movedOn: ReadonlySet<string>
  readonly href: (executionId: string) => string
  readonly order: 'oldest' | null
  readonly orderHref: (order: 'oldest' | null) => string
  readonly onEnd: () => void
  /** While the pointer or the focus is in the list, nothing may move. */
  readonly onHold: (isHeld: boolean) => void
  /** Null if rows cannot be selected. */
  readonly selection: Selection | null
}

/** The history, in the order of the last change. The server supports no other order. */
export function ExecutionList({ executions, total, openId, movedOn, href, order, orderHref, onEnd, onHold, selection }: Props) {
  const columns = useMemo(() => {
    const shown = executionColumns({ href, openId, movedOn })
    return selection === null ? shown : [selectColumn(selection), ...shown]
  }, [href, openId, movedOn, selection])
  const sorting: Sorting = { column: 'changed', isDescending: order === null }
  const grid = <DataGrid
    name="history" label={executionTexts.history} columns={columns} rows={executions} total={total} keyOf={keyOf} openKey={openId}
    classOf={({ execution_id: id }) => (movedOn.has(id) ? 'has-moved-on' : '')}
    sorting={sorting} sortHref={({ isDescending }) => orderHref(isDescending ? null : 'oldest')} onEnd={onEnd} onHold={onHold}
  />
  return selection === null ? grid : <div onKeyDown={event => selectByKey(event, selection)}>{grid}</div>
}

function keyOf({ execution_id: id }: Execution): string {
  return id
}

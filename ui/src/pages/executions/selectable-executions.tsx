import { useMemo, useRef, type ComponentProps, type ReactNode } from 'react'
import type { Execution } from '../../../../schemas/index.ts'
import { MAX_BULK_EXECUTIONS } from '../../../../schemas/limits.ts'
import { ExecutionList } from '../../components/executions/execution-list.tsx'
import { ACTIONS_ON_SELECTED, ITEM_ACTIONS } from '../../format/bulk/bulk-filter.ts'
import type { ExecutionFilter } from '../../format/executions/execution-filter.ts'
import { useSelection } from '../../hooks/use-selection.ts'
import { ActOnSelected } from '../bulk/act-on-selected.tsx'
import { useAllowed } from '../use-allowed.ts'

type Props = Omit<ComponentProps<typeof ExecutionList>, 'selection'> & {
  readonly filter: ExecutionFilter
  /** Shown in place of an empty list. */
  readonly children: ReactNode
}

/** A list of executions. A reader who may act on several can select them. The selection stays when the list becomes empty. */
export function SelectableExecutions({ filter, children, ...list }: Props) {
  const { may } = useAllowed(filter.taskName ?? undefined)
  const { executions } = list
  const order = useMemo(() => executions.map(each => each.execution_id), [executions])
  const selection = useSelection(order, MAX_BULK_EXECUTIONS, JSON.stringify(filter))
  const selected = useSelected(executions, selection.keys)
  const mayAct = may('bulk:create') && ACTIONS_ON_SELECTED.some(action => may(ITEM_ACTIONS[action]))
  return (
    <>
      {executions.length > 0 ? <ExecutionList {...list} selection={mayAct ? selection : null} /> : children}
      {mayAct && selected.length > 0 && <ActOnSelected selected={selected} onClear={selection.clear} />}
    </>
  )
}

/** The selected rows, as the list last had them. */
function useSelected(executions: readonly Execution[], keys: ReadonlySet<string>): readonly Execution[] {
  const seen = useRef(new Map<string, Execution>())
  return useMemo(() => {
    // A list grows with each page and each finished execution. Without a selection, it need not be searched.
    if (keys.size === 0 && seen.current.size === 0) return NONE
    const shown = new Map(executions.filter(each => keys.has(each.execution_id)).map(each => [each.execution_id, each]))
    seen.current = new Map([...keys].flatMap(key => {
      const found = shown.get(key) ?? seen.current.get(key)
      return found ? [[key, found]] : []
    }))
    return [...seen.current.values()]
  }, [executions, keys])
}

const NONE: readonly Execution[] = []

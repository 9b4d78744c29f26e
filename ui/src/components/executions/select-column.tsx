import type { KeyboardEvent } from 'react'
import type { Execution } from '../../../../schemas/index.ts'
import type { Selection } from '../../hooks/use-selection.ts'
import { areSingleKeysOn } from '../../hooks/use-shortcuts.ts'
import type { GridColumn } from '../grid/grid-column.ts'
import { bulkTexts } from '../../texts/bulk.ts'

/** A box for each execution. Shift selects all executions since the last one. */
export function selectColumn({ keys, toggle }: Selection): GridColumn<Execution> {
  return {
    id: 'select', name: bulkTexts.select, isNameless: true, minPx: 18, isFixed: true, phone: '1',
    cell: ({ execution_id: id, task_name: task }) => <input
      type="checkbox" className="select-box" checked={keys.has(id)} aria-label={bulkTexts.selectOne(task, id)}
      onClick={event => {
        toggle(id, event.shiftKey)
        // After a mouse click, the keys of the list continue from this row.
        if (event.detail > 0) event.currentTarget.closest('[role=row]')?.querySelector<HTMLElement>('[data-row-link]')?.focus()
      }}
    />
  }
}

/** Handles `x` on a row. */
export function selectByKey(event: KeyboardEvent, { toggle }: Selection): void {
  if (event.key.toLowerCase() !== 'x' || event.ctrlKey || event.metaKey || event.altKey || !areSingleKeysOn()) return
  const id = (event.target as HTMLElement).dataset['rowLink']
  if (id !== undefined) toggle(id, event.shiftKey)
}

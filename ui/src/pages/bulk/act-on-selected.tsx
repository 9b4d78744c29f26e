import type { Execution } from '../../../../schemas/index.ts'
import { MAX_BULK_EXECUTIONS } from '../../../../schemas/limits.ts'
import { actionsForStatuses, selectionFilter } from '../../format/bulk/bulk-filter.ts'
import { BulkButton } from './bulk-button.tsx'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  /** At least one. */
  readonly selected: readonly Execution[]
  readonly onClear: () => void
}

/** The actions for the selected executions. It stays visible while the list scrolls. */
export function ActOnSelected({ selected, onClear }: Props) {
  const statuses = new Set(selected.map(each => each.status))
  const [taskName, ...others] = new Set(selected.map(each => each.task_name))
  const isFull = selected.length >= MAX_BULK_EXECUTIONS
  return (
    <div className="selection-bar">
      <span role="status">{isFull ? bulkTexts.selectedFull(MAX_BULK_EXECUTIONS) : bulkTexts.selected(selected.length)}</span>
      <BulkButton
        className="button" label={bulkTexts.actOnSelected} question={bulkTexts.questionSelected}
        filter={() => selectionFilter(selected)} taskName={others.length === 0 ? taskName : undefined}
        actions={actionsForStatuses(statuses)} onStarted={onClear}
      />
      <button type="button" className="button" onClick={onClear}>{bulkTexts.clearSelection}</button>
    </div>
  )
}

import type { BulkOperation } from '../../../../schemas/index.ts'
import { shareDone } from '../../format/bulk/bulk-state.ts'
import { formatCount, formatTotal } from '../../format/stats/number.ts'
import { bulkTexts } from '../../texts/bulk.ts'

/** How far an operation is, in words. */
export function bulkProgressWords({ progress, count }: BulkOperation): string {
  if (progress === null) return bulkTexts.progressUnknown
  const { items } = progress
  const isAllUnknown = count.relation === 'at_least' && items >= count.value
  return isAllUnknown ? bulkTexts.itemsSoFar(items) : bulkTexts.doneOf(formatCount(items), formatTotal(count))
}

/** How far an operation is. Nothing moves while nobody knows how much there is to do. */
export function BulkProgress({ operation }: { operation: BulkOperation }) {
  const share = shareDone(operation)
  const words = bulkProgressWords(operation)
  return (
    <div className="bulk-progress">
      {share !== null && <progress className="progress" max={1} value={share} aria-label={bulkTexts.progress}>{words}</progress>}
      <p role="status">{words}</p>
    </div>
  )
}

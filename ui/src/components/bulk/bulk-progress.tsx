import type { BulkOperation } from '../../../../schemas/index.ts'
import { progressWords, shareDone } from '../../format/bulk/bulk-state.ts'
import { bulkTexts } from '../../texts/bulk.ts'

/** The progress of an operation. There is no bar while the total is not known. */
export function BulkProgress({ operation }: { operation: BulkOperation }) {
  const share = shareDone(operation)
  const words = progressWords(operation)
  return (
    <div className="bulk-progress">
      {share !== null && <progress className="progress" max={1} value={share} aria-label={bulkTexts.progress}>{words}</progress>}
      <p role="status">{words}</p>
    </div>
  )
}

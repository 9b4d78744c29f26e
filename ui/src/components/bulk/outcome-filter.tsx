import { Link } from 'wouter'
import type { BulkOperation } from '../../../../schemas/index.ts'
import { BULK_OUTCOMES, outcomeMark, type BulkOutcome } from '../../format/bulk/bulk-state.ts'
import { formatCount } from '../../format/stats/number.ts'
import { StatusMark } from '../elements/status-mark.tsx'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  readonly current: BulkOutcome | null
  readonly progress: NonNullable<BulkOperation['progress']>
  readonly href: (outcome: BulkOutcome | null) => string
}

/** How many items have each outcome, and which of them are listed. */
export function OutcomeFilter({ current, progress, href }: Props) {
  return (
    <nav className="filter bulk-outcomes" aria-label={bulkTexts.outcome}>
      {([null, ...BULK_OUTCOMES] as const).map(outcome => (
        <Link key={outcome ?? 'all'} href={href(outcome)} className="filter-item" aria-current={current === outcome ? 'true' : undefined}>
          {outcome === null ? bulkTexts.allOutcomes : <StatusMark {...outcomeMark(outcome)} />}
          <span className="filter-count">{formatCount(progress[outcome ?? 'items'])}</span>
        </Link>
      ))}
    </nav>
  )
}

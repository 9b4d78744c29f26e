import type { Change } from '../../format/stats/period.ts'
import { statsTexts } from '../../texts/stats.ts'

interface Props {
  readonly change: Change | null
  /** `the 24 h before`. */
  readonly than: string
  /** More is worse, as with failures. */
  readonly isRiseBad?: boolean
}

/** How a figure differs from that of the span before; nothing if that is not known. */
export function ChangeNote({ change, than, isRiseBad = false }: Props) {
  if (change === null) return null
  const { direction, text } = change
  const tone = isRiseBad && direction !== 'same' ? direction === 'up' ? 'tone-bad' : 'tone-good' : 'muted'
  const sign = { up: '↑ ', down: '↓ ', same: '' }[direction]
  const { moreThan, lessThan, sameAs } = statsTexts
  const title = { up: moreThan, down: lessThan, same: sameAs }[direction](than)
  return (
    <span className={`change ${tone}`} title={title}>
      <span aria-hidden="true">{sign}</span><span className="sr-only">{direction === 'same' ? '' : `${statsTexts[direction]} `}</span>{text}
    </span>
  )
}

import type { ColumnPlace } from '../../format/lists/grid-columns.ts'

interface Props {
  readonly columns: readonly ColumnPlace[]
  readonly isPhone: boolean
  readonly rowPx: number
}

/** Replaces rows that pass too fast to be read. It does not move, so that no frame has anything to draw. */
export function PassingRows({ columns, isPhone, rowPx }: Props) {
  const rows = Math.ceil(innerHeight / rowPx)
  const bars = isPhone ? columns.slice(0, 1) : columns
  return (
    <div className="grid-passing" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="grid-row" style={{ height: `${rowPx}px`, minHeight: 0 }}>
          {bars.map(({ id, grow = 0 }) => <i key={id} style={{ width: `${(grow > 0 ? 30 : 60) + index * 37 % 40}%` }} />)}
        </div>
      ))}
    </div>
  )
}

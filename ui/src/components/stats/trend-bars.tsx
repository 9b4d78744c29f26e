import { formatCount } from '../../format/stats/number.ts'

const BAR_PX = 3
const HEIGHT_PX = 18

/** The shape of the last hours; a screen reader hears the numbers. */
export function TrendBars({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(...counts, 1)
  const text = `${label}: ${counts.map(formatCount).join(', ')}`
  return (
    <svg className="trend" viewBox={`0 0 ${counts.length * (BAR_PX + 1)} ${HEIGHT_PX}`} role="img" aria-label={text}>
      <title>{text}</title>
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT_PX)
        return <rect
          key={index} x={index * (BAR_PX + 1)} y={HEIGHT_PX - height} width={BAR_PX} height={height}
          className={count === 0 ? 'trend-none' : undefined}
        />
      })}
    </svg>
  )
}

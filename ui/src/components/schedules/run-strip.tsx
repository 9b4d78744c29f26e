import { stripWords, type StripMark } from '../../format/schedules/run-strip.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

const STEP_PX = 9
const BAR_PX = 6
const HEIGHT_PX = 20
/** Marks can be told apart without their colour: a failed run is half as high, a missed run is a hollow box. */
const HEIGHTS: Readonly<Record<StripMark, number>> = {
  success: 20, late: 20, running: 20, pending: 20, failed: 10, cancelled: 6, missed: 19
}

/** The last runs at a glance, the newest on the right. */
export function RunStrip({ marks }: { marks: readonly StripMark[] }) {
  const text = scheduleTexts.stripLabel(marks.length, stripWords(marks))
  const width = marks.length * STEP_PX
  return (
    <p className="run-strip">
      <svg viewBox={`0 0 ${width} ${HEIGHT_PX}`} width={width} height={HEIGHT_PX} role="img" aria-label={text}>
        <title>{text}</title>
        {marks.map((mark, index) => {
          const height = HEIGHTS[mark]
          return <rect
            key={index} x={index * STEP_PX + 0.5} y={HEIGHT_PX - height} width={BAR_PX} height={height - 0.5} className={`strip-${mark}`}
          />
        })}
      </svg>
      <span className="muted">{stripWords(marks)}</span>
    </p>
  )
}

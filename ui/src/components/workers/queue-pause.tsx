import type { Queue } from '../../../../schemas/index.ts'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { workerTexts } from '../../texts/workers.ts'

/** Says that a queue is paused: by whom, since when, why and until when, as far as it is known. */
export function QueuePause({ pause }: { pause: NonNullable<Queue['pause']> }) {
  const { since, by, reason, until } = pause
  const { pausedBy, pausedSince, pausedUntil, pausedByOther, paused, pausedBecause } = workerTexts.pause
  return (
    <span className="wrap">
      <StatusMark mark="off" word={paused} />
      {since === null && by === null ? pausedByOther : by !== null && pausedBy(<b><bdi>{by}</bdi></b>)}
      {since !== null && pausedSince(<Moment at={since} as="both" />)}
      {until !== null && pausedUntil(<Moment at={until} as="clock" />)}
      {reason !== null && pausedBecause(<q><bdi>{reason}</bdi></q>)}
    </span>
  )
}

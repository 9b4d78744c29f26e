import type { Queue } from '../../../../schemas/index.ts'
import { rateLimitWords } from '../../format/tasks/policy.ts'
import { Moment } from '../elements/moment.tsx'
import { workerTexts } from '../../texts/workers.ts'

/** More would push the queues out of sight. */
const MAX_SHOWN = 20

/** How live limits differ from those in the code, and who set them. */
export function LimitedQueues({ queues }: { queues: readonly Queue[] }) {
  const limited = queues.filter(({ limits }) => limits !== null)
  if (limited.length === 0) return null
  return (
    <ul className="alert reasons" aria-label={workerTexts.limit.list}>
      {limited.slice(0, MAX_SHOWN).map(queue => <li key={queue.name}><Limits queue={queue} /></li>)}
      {limited.length > MAX_SHOWN && <li>{workerTexts.pause.more(limited.length - MAX_SHOWN)}</li>}
    </ul>
  )
}

function Limits({ queue: { task_name: task, limits, concurrency: inCode, rate_limit: rateInCode } }: { queue: Queue }) {
  const { concurrency, rate, since, by, reason } = limits!
  const words = workerTexts.limit
  const { pausedBy, pausedSince, pausedByOther, pausedBecause } = workerTexts.pause
  return (
    <span className="wrap">
      <b><bdi>{task}</bdi></b>: {[
        concurrency !== null && words.atOnce(concurrency, inCode),
        rate !== null && words.rate(rateLimitWords(rate), rateInCode && rateLimitWords(rateInCode))
      ].filter(Boolean).join(', ')}
      {since === null && by === null ? pausedByOther : by !== null && pausedBy(<b><bdi>{by}</bdi></b>)}
      {since !== null && pausedSince(<Moment at={since} as="both" />)}
      {reason !== null && pausedBecause(<q><bdi>{reason}</bdi></q>)}.
    </span>
  )
}

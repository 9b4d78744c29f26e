import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { SECOND_MS } from '../../format/time/units.ts'
import { toWaterfall } from '../../format/executions/waterfall.ts'
import { useTick } from '../../hooks/use-now.ts'
import { Moment } from '../elements/moment.tsx'
import { Timeline } from './timeline.tsx'
import { executionTexts } from '../../texts/executions.ts'

/** Waiting, attempts and back-off to scale, each with its duration. The exact times are folded below. */
export function Waterfall({ events }: { events: ExecutionDetail['timeline'] }) {
  const end = events.find(({ event }) => event === 'succeeded' || event === 'failed' || event === 'cancelled')
  const isOver = end !== undefined
  const now = useTick(at => (isOver ? 0 : Math.floor(at / SECOND_MS) * SECOND_MS))
  return (
    <>
      <ol className="waterfall">
        {toWaterfall(events, now).map((stretch, index) => {
          const { kind, attempt, outcome, from, to, left, width } = stretch
          return (
            <li key={index}>
              <span>
                {executionTexts.stretches[kind]}{attempt !== null && ` ${attempt}`}{outcome !== null &&
                  <span className="sr-only">, {executionTexts.outcomes[outcome]}</span>}
              </span>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect x={left} y="0" width={width} height="10" className={`stretch-${outcome ?? kind}`} />
              </svg>
              <span className="num">{formatDuration(Math.max(0, (to ?? Math.max(now, from)) - from))}{to === null && '…'}</span>
            </li>
          )
        })}
      </ol>
      <p className="waterfall-ends muted">
        <span>{executionTexts.events.submitted} {events[0] && <Moment at={events[0].at} />}</span>
        {end && <span>{executionTexts.events[end.event]} <Moment at={end.at} as="both" /></span>}
      </p>
      <details className="more-details"><summary>{executionTexts.exactTimes}</summary><Timeline events={events} /></details>
    </>
  )
}

import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { Moment } from '../elements/moment.tsx'
import { executionTexts } from '../../texts/executions.ts'

/** The events in order, with the time between them. */
export function Timeline({ events }: { events: ExecutionDetail['timeline'] }) {
  return (
    <ol className="timeline">
      {events.map((event, index) => {
        const before = events[index - 1]
        return (
          <li key={index} className={`timeline-${event.event}`}>
            <span>
              {executionTexts.events[event.event]}{event.attempt !== null && event.event === 'started' &&
                <span className="muted">{executionTexts.ofAttempt(event.attempt)}</span>}
            </span>
            <span className="muted num">
              {before ? `+ ${formatDuration(Math.max(0, Date.parse(event.at) - Date.parse(before.at)))}` : ''}
            </span>
            <span className="num"><Moment at={event.at} as="exact" /></span>
          </li>
        )
      })}
    </ol>
  )
}

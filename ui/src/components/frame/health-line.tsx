import type { Health, HealthComponent } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import type { Failure } from '../../hooks/use-settled.ts'
import { Stale } from './states.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { errorTexts } from '../../texts/errors.ts'
import { frameTexts } from '../../texts/frame.ts'

const PARTS: ReadonlyArray<keyof Health['components']> = ['app', 'broker', 'backend', 'scheduler', 'workers']

interface Props {
  /** Undefined while it is loading. Its lines are shown already. */
  readonly health: Health | undefined
  readonly failure: Failure | null
  readonly updatedAt: number
}

export function HealthLine({ health, failure, updatedAt }: Props) {
  return (
    <ul className="health" aria-label={frameTexts.health}>
      {PARTS.map(name => {
        const part = health?.components[name]
        if (!part)
          return <li key={name}>
            <StatusMark
              mark={failure ? 'unknown' : 'pending'} word={failure ? frameTexts.notKnown : frameTexts.notKnownYet} isQuiet
            />
            <span className="muted">{frameTexts.parts[name]}</span>
          </li>
        const isUnknown = isUnseen(part)
        const word = isUnknown ? frameTexts.notKnown : part.healthy ? frameTexts.healthy : frameTexts.unhealthy
        return (
          <li key={name} title={withLocalTimes(errorTexts.sayOfPart(part.message), currentTime())}>
            <StatusMark
              mark={failure || isUnknown ? 'unknown' : part.healthy ? 'success' : 'failed'}
              word={failure && !isUnknown ? frameTexts.notKnownNow(word) : word} isQuiet
            />
            <span>{frameTexts.parts[name]}</span>
            {part.healthy
              ? part.latency_ms !== undefined && <span className="muted num">{formatDuration(part.latency_ms)}</span>
              : <span className="tone-bad">{withLocalTimes(errorTexts.sayOfPart(part.message), currentTime())}</span>}
          </li>
        )
      })}
      {failure && <li><Stale failure={failure} updatedAt={updatedAt} /></li>}
    </ul>
  )
}

/** Whether a part is called healthy only because the server cannot see it: workers and schedules of observed queues. */
function isUnseen({ healthy, message }: HealthComponent): boolean {
  return healthy && message.startsWith('unknown: ')
}

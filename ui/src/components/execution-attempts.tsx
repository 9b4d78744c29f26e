import type { ExecutionDetail } from '../../../schemas/index.ts'
import { formatDuration } from '../format/duration.ts'
import { plural } from '../format/number.ts'
import { JsonView } from './json-view.tsx'
import { LongText } from './long-text.tsx'
import { Moment } from './moment.tsx'
import { StatusMark } from './status-mark.tsx'

export const CUT = 'cut: it is over the size limit'

/** What became of each attempt, the oldest first. */
export function Attempts({ execution, isCut }: { execution: ExecutionDetail; isCut: (field: string) => boolean }) {
  return (
    <ol className="attempts">
      {execution.attempts.map((attempt, index) => (
        <li key={attempt.attempt}>
          <p>
            <StatusMark mark={attempt.error ? 'failed' : 'success'} word={`Attempt ${attempt.attempt}`} />
            {attempt.started_at && attempt.finished_at &&
              <span className="muted"> took {formatDuration(Date.parse(attempt.finished_at) - Date.parse(attempt.started_at))}</span>}
            {attempt.finished_at && <span className="muted"> · <Moment at={attempt.finished_at} /></span>}
          </p>
          {attempt.error &&
            <p className="wrap">
              <b><bdi>{attempt.error.type}</bdi></b> <bdi>
                {shortened(attempt.error.message)}
              </bdi>{isCut(`/attempts/${index}/error/message`) &&
                <Cut />}
            </p>}
          {attempt.error?.stack &&
            <Stack
              text={attempt.error.stack} label={`Stack of attempt ${attempt.attempt}`} isCut={isCut(`/attempts/${index}/error/stack`)}
            />}
        </li>
      ))}
      {execution.attempts.length < execution.attempt - 1 &&
        <li className="muted">{plural(execution.attempt - execution.attempts.length, 'attempt')} not recorded</li>}
    </ol>
  )
}

/** The stack has the rest. */
function shortened(message: string): string {
  return message.length > 500 ? `${message.slice(0, 500)}…` : message
}

export function Stack({ text, label, isCut }: { text: string; label: string; isCut: boolean }) {
  return <details className="stack"><summary>Stack{isCut && <Cut />}</summary><LongText text={text} label={label} /></details>
}

function Cut() {
  return <span className="tone-warn"> {CUT}</span>
}

/** Of what was too large the start of its JSON is kept, as text; quoted once more nobody could read it. */
export function Payload({ value, isCut, label }: { value: unknown; isCut: boolean; label: string }) {
  return isCut && typeof value === 'string'
    ? <LongText text={`${value}…`} label={`Start of the ${label.toLowerCase()}`} />
    : <JsonView value={value} label={label} />
}

import type { ExecutionAttempt, ExecutionDetail } from '../../../../schemas/index.ts'
import { foldAttempts } from '../../format/executions/attempt-runs.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { plural } from '../../format/stats/number.ts'
import { JsonView } from '../elements/json-view.tsx'
import { LongText } from '../elements/long-text.tsx'
import { Moment } from '../elements/moment.tsx'
import { StackView } from './stack-view.tsx'
import { StatusMark } from '../elements/status-mark.tsx'

export const CUT = 'cut: it is over the size limit'

/** What became of each attempt, the oldest first; equal ones in a row are told once. */
export function Attempts({ execution, isCut }: { execution: ExecutionDetail; isCut: (field: string) => boolean }) {
  return (
    <ol className="attempts">
      {foldAttempts(execution.attempts).map(run =>
        <Run key={run[0]!.attempt} run={run} first={execution.attempts.indexOf(run[0]!)} isCut={isCut} />)}
      {execution.attempts.length < execution.attempt - 1 &&
        <li className="muted">{plural(execution.attempt - execution.attempts.length, 'attempt')} not recorded</li>}
    </ol>
  )
}

/** @param first where it begins among all attempts */
function Run({ run, first, isCut }: { run: readonly ExecutionAttempt[]; first: number; isCut: (field: string) => boolean }) {
  const [{ error, attempt }, last] = [run[0]!, run.at(-1)!]
  const word = run.length === 1 ? `Attempt ${attempt}` : `Attempts ${attempt} to ${last.attempt}`
  const took = run.map(({ started_at: from, finished_at: to }) => (from && to ? Date.parse(to) - Date.parse(from) : null))
  const known = took.filter(ms => ms !== null)
  return (
    <li>
      <p>
        <StatusMark mark={error ? 'failed' : 'success'} word={word} />
        {known.length === run.length &&
          <span className="muted"> took {run.length === 1
            ? formatDuration(known[0]!)
            : `${formatDuration(Math.min(...known))} to ${formatDuration(Math.max(...known))}`}
          </span>}
        {last.finished_at && <span className="muted"> · <Moment at={last.finished_at} /></span>}
      </p>
      {error &&
        <p className="wrap">
          <b><bdi>{error.type}</bdi></b> <bdi>{shortened(error.message)}</bdi>{isCut(`/attempts/${first}/error/message`) && <Cut />}
        </p>}
      {error?.stack &&
        <Stack text={error.stack} label={`Stack of attempt ${attempt}`} isCut={isCut(`/attempts/${first}/error/stack`)} />}
    </li>
  )
}

/** The stack has the rest. */
function shortened(message: string): string {
  return message.length > 500 ? `${message.slice(0, 500)}…` : message
}

function Stack({ text, label, isCut }: { text: string; label: string; isCut: boolean }) {
  return <details className="stack"><summary>Stack{isCut && <Cut />}</summary><StackView text={text} label={label} /></details>
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

import type { ExecutionAttempt, ExecutionDetail } from '../../../../schemas/index.ts'
import { foldAttempts } from '../../format/executions/attempt-runs.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { JsonView } from '../elements/json-view.tsx'
import { LongText } from '../elements/long-text.tsx'
import { Moment } from '../elements/moment.tsx'
import { StackView } from './stack-view.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { executionTexts } from '../../texts/executions.ts'

/** The outcome of each attempt, oldest first. Consecutive equal ones are merged. */
export function Attempts({ execution, isCut }: { execution: ExecutionDetail; isCut: (field: string) => boolean }) {
  return (
    <ol className="attempts">
      {foldAttempts(execution.attempts).map(run =>
        <Run key={run[0]!.attempt} run={run} first={execution.attempts.indexOf(run[0]!)} isCut={isCut} />)}
      {execution.attempts.length < execution.attempt - 1 &&
        <li className="muted">{executionTexts.attemptsNotRecorded(execution.attempt - execution.attempts.length)}</li>}
    </ol>
  )
}

/** @param first the index of its first attempt among all attempts */
function Run({ run, first, isCut }: { run: readonly ExecutionAttempt[]; first: number; isCut: (field: string) => boolean }) {
  const [{ error, attempt }, last] = [run[0]!, run.at(-1)!]
  const word = run.length === 1 ? executionTexts.attempt(attempt) : executionTexts.attemptsTo(attempt, last.attempt)
  const took = run.map(({ started_at: from, finished_at: to }) => (from && to ? Date.parse(to) - Date.parse(from) : null))
  const known = took.filter(ms => ms !== null)
  return (
    <li>
      <p>
        <StatusMark mark={error ? 'failed' : 'success'} word={word} />
        {known.length === run.length &&
          <span className="muted"> {run.length === 1
            ? executionTexts.tookLength(formatDuration(known[0]!))
            : executionTexts.tookBetween(formatDuration(Math.min(...known)), formatDuration(Math.max(...known)))}
          </span>}
        {last.finished_at && <span className="muted"> · <Moment at={last.finished_at} /></span>}
      </p>
      {error &&
        <p className="wrap">
          <b><bdi>{error.type}</bdi></b> <bdi>{shortened(error.message)}</bdi>{isCut(`/attempts/${first}/error/message`) && <Cut />}
        </p>}
      {error?.stack &&
        <Stack text={error.stack} label={executionTexts.stackOfAttempt(attempt)} isCut={isCut(`/attempts/${first}/error/stack`)} />}
    </li>
  )
}

/** The stack contains the rest. */
function shortened(message: string): string {
  return message.length > 500 ? `${message.slice(0, 500)}…` : message
}

function Stack({ text, label, isCut }: { text: string; label: string; isCut: boolean }) {
  return <details className="stack">
    <summary>{executionTexts.stack}{isCut && <Cut />}</summary><StackView text={text} label={label} />
  </details>
}

function Cut() {
  return <span className="tone-warn"> {executionTexts.cut}</span>
}

/** For a value that was too large, the start of its JSON is kept as text. Quoting it again would make it unreadable. */
export function Payload({ value, isCut, label, startLabel }: { value: unknown; isCut: boolean; label: string; startLabel: string }) {
  return isCut && typeof value === 'string'
    ? <LongText text={`${value}…`} label={startLabel} />
    : <JsonView value={value} label={label} />
}

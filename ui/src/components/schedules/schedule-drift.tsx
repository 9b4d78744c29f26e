import type { Schedule, ScheduleDrift as Drift } from '../../../../schemas/index.ts'
import { formatInterval } from '../../format/time/duration.ts'
import { plural } from '../../format/stats/number.ts'
import { toPatchCall } from '../../format/schedules/schedule-draft.ts'
import { CallSnippets } from './call-snippets.tsx'
import { Moment } from '../elements/moment.tsx'

type Field = Drift['fields'][number]

interface Props {
  readonly schedule: Schedule
  readonly drift: Drift
  /** Address of the mount for the calls; null leaves them out, where they would be refused. */
  readonly base: string | null
}

/** Where the schedule in effect differs from the code, which of the two wins, and the call that changes that. */
export function ScheduleDrift({ schedule, drift, base }: Props) {
  return (
    <>
      <p>
        It was edited: {plural(drift.fields.length, 'field')} {drift.fields.length === 1
          ? 'is'
          : 'are'} not as the code says. {schedule.wins === 'code'
          ? 'Code wins: the next process that starts with the declaration takes this back.'
          : 'The edit wins: it stays through deployments.'}
      </p>
      <div className="drift" role="table" aria-label="Differences from the code">
        <div role="row" className="drift-row drift-head">
          <span role="columnheader">Field</span><span role="columnheader">
            Code says
          </span><span role="columnheader">In effect</span><span role="columnheader">Since</span>
        </div>
        {drift.fields.map(field => <DriftRow key={field.field} field={field} />)}
      </div>
      {base !== null && (
        <details className="more-details">
          <summary>{schedule.wins === 'code' ? 'Keep the edit instead' : 'Restore what the code says'}</summary>
          {schedule.wins === 'code'
            ? <CallSnippets label="The call that keeps edits" base={base} call={toPatchCall(schedule, { wins: 'live' })} />
            : <CallSnippets label="The call that takes the edits back" base={base} call={toPatchCall(schedule, { wins: 'code' })} />}
        </details>
      )}
    </>
  )
}

function DriftRow({ field }: { field: Field }) {
  return (
    <div role="row" className="drift-row">
      <span role="rowheader">{FIELD_NAMES[field.field] ?? field.field.replaceAll('_', ' ')}</span>
      <span role="cell" className="wrap" data-label="Code says"><Value field={field.field} value={field.code} /></span>
      <span role="cell" className="wrap" data-label="In effect"><b><Value field={field.field} value={field.live} /></b></span>
      <span role="cell" className="muted" data-label="Since">
        {field.since === null ? 'not known' : <Moment at={field.since} />}{field.by !== null && <>, <bdi>{field.by}</bdi></>}
      </span>
    </div>
  )
}

const FIELD_NAMES: Record<string, string> = {
  args: 'arguments', interval_ms: 'interval', jitter_ms: 'jitter', start_at: 'start', end_at: 'end', timezone: 'time zone'
}
const SHOWN_CHARACTERS = 200

function Value({ field, value }: { field: string; value: unknown }) {
  if (value === null || value === undefined) return <span className="muted">none</span>
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  if (typeof value === 'number' && field.endsWith('_ms')) return <>{formatInterval(value)}</>
  if (typeof value === 'string' && field.endsWith('_at')) return <Moment at={value} />
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <code title={text.length > SHOWN_CHARACTERS ? text : undefined}>
    <bdi>{text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}</bdi>
  </code>
}

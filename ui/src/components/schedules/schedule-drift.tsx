import type { Schedule, ScheduleDrift as Drift } from '../../../../schemas/index.ts'
import { formatInterval } from '../../format/time/duration.ts'
import { toPatchCall } from '../../format/schedules/schedule-draft.ts'
import { CallSnippets } from './call-snippets.tsx'
import { Moment } from '../elements/moment.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

type Field = Drift['fields'][number]

interface Props {
  readonly schedule: Schedule
  readonly drift: Drift
  /** Address of the mount for the calls; null leaves them out, because they would be refused. */
  readonly base: string | null
  /** The calls are refused without a reason. */
  readonly needsReason: boolean
}

/** Where the schedule in effect differs from the code, which of the two wins, and the call that changes that. */
export function ScheduleDrift({ schedule, drift, base, needsReason }: Props) {
  return (
    <>
      <p>
        {scheduleTexts.wasEdited(drift.fields.length)} {schedule.wins === 'code'
          ? scheduleTexts.codeWinsDetail
          : scheduleTexts.editWinsDetail}
      </p>
      <div className="drift" role="table" aria-label={scheduleTexts.differences}>
        <div role="row" className="drift-row drift-head">
          {[scheduleTexts.field, scheduleTexts.codeSays, scheduleTexts.inEffect, scheduleTexts.since].map(name =>
            <span key={name} role="columnheader">{name}</span>)}
        </div>
        {drift.fields.map(field => <DriftRow key={field.field} field={field} />)}
      </div>
      {base !== null && (
        <details className="more-details">
          <summary>{schedule.wins === 'code' ? scheduleTexts.keepEdit : scheduleTexts.restoreCode}</summary>
          {schedule.wins === 'code'
            ? <CallSnippets
              label={scheduleTexts.callKeepsEdits} base={base} call={toPatchCall(schedule, { wins: 'live' })} needsReason={needsReason}
            />
            : <CallSnippets
              label={scheduleTexts.callTakesBack} base={base} call={toPatchCall(schedule, { wins: 'code' })} needsReason={needsReason}
            />}
        </details>
      )}
    </>
  )
}

function DriftRow({ field }: { field: Field }) {
  const names: Readonly<Record<string, string>> = scheduleTexts.fields
  return (
    <div role="row" className="drift-row">
      <span role="rowheader">{names[field.field] ?? field.field.replaceAll('_', ' ')}</span>
      <span role="cell" className="wrap" data-label={scheduleTexts.codeSays}><Value field={field.field} value={field.code} /></span>
      <span role="cell" className="wrap" data-label={scheduleTexts.inEffect}><b><Value field={field.field} value={field.live} /></b></span>
      <span role="cell" className="drift-since muted wrap">
        {field.since === null ? scheduleTexts.notKnown : <Moment at={field.since} />}{field.by !== null && <>, <bdi>{field.by}</bdi></>}
      </span>
    </div>
  )
}

const MAX_CHARACTERS_SHOWN = 200

function Value({ field, value }: { field: string; value: unknown }) {
  if (value === null || value === undefined) return <span className="muted">{scheduleTexts.none}</span>
  if (typeof value === 'boolean') return <>{value ? scheduleTexts.yes : scheduleTexts.no}</>
  if (typeof value === 'number' && field.endsWith('_ms')) return <>{formatInterval(value)}</>
  if (typeof value === 'string' && field.endsWith('_at')) return <Moment at={value} />
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <code title={text.length > MAX_CHARACTERS_SHOWN ? text : undefined}>
    <bdi>{text.length > MAX_CHARACTERS_SHOWN ? `${text.slice(0, MAX_CHARACTERS_SHOWN)}…` : text}</bdi>
  </code>
}

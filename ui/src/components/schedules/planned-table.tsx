import { Link } from 'wouter'
import type { PlannedRun } from '../../format/schedules/planned-runs.ts'
import { missReason } from '../../format/schedules/run-history.ts'
import { statusWord } from '../../format/executions/status.ts'
import { formatSpan } from '../../format/time/duration.ts'
import { ErrorLine } from '../executions/execution-cells.tsx'
import { Countdown, Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

/** From this size on, a drift is shown. */
const DRIFT_SHOWN_FROM_MS = 1_000

interface Props {
  readonly label: string
  readonly runs: readonly PlannedRun[]
  readonly href: (executionId: string) => string
}

/** When each run of a schedule was planned, when it started, and its outcome. */
export function PlannedTable({ label, runs, href }: Props) {
  return (
    <table className="planned" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{scheduleTexts.planned}</th><th scope="col">{scheduleTexts.started}</th>
          <th scope="col">{scheduleTexts.outcome}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map(run => (
          <tr key={`${run.outcome === 'upcoming' ? '' : run.execution?.execution_id ?? 'missed'} ${run.plannedAt}`}>
            <td>
              <Moment at={instant(run.plannedAt)} />
              {run.lastPlannedAt !== run.plannedAt && scheduleTexts.missedTo(<Moment at={instant(run.lastPlannedAt)} />)}
            </td>
            <td><Start run={run} /></td>
            <td><Outcome run={run} href={href} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Start({ run: { plannedAt, startedAt, driftMs, outcome, execution, miss } }: { run: PlannedRun }) {
  if (outcome === 'upcoming') return <span className="muted"><Countdown at={instant(plannedAt)} /></span>
  if (outcome === 'missed') return <span className="muted">{scheduleTexts.didNotStart}</span>
  if (startedAt === null || driftMs === null)
    return execution?.status === 'pending'
      ? <span className="muted">{scheduleTexts.hasNotStarted}</span>
      : <Unknown reason={scheduleTexts.startNotKnown} />
  return <>
    <Moment at={instant(startedAt)} />{' '}
    {driftMs >= DRIFT_SHOWN_FROM_MS
      ? <span className={miss ? 'tone-warn' : 'muted'}>{scheduleTexts.drifted(formatSpan(driftMs))}</span>
      : <span className="muted">{scheduleTexts.onTime}</span>}
  </>
}

function Outcome({ run: { outcome, count, execution, miss }, href }: { run: PlannedRun; href: Props['href'] }) {
  if (outcome === 'upcoming') return <span className="muted">{scheduleTexts.upcoming}</span>
  if (execution === null)
    return <>
      <StatusMark mark="warning" word={scheduleTexts.missed} />{count > 1 && ` ${scheduleTexts.countRuns(count)}`}
      {miss && <div className="planned-note">{missReason(miss)}</div>}
    </>
  return <>
    <Link href={href(execution.execution_id)} className="quiet-link">
      <StatusMark mark={execution.status} word={statusWord(execution.status)} />
    </Link>
    {miss && <div className="planned-note tone-warn">{scheduleTexts.lateFor(missReason(miss))}</div>}
    {execution.error && <div className="planned-note"><ErrorLine error={execution.error} /></div>}
  </>
}

function instant(at: number): string {
  return new Date(at).toISOString()
}

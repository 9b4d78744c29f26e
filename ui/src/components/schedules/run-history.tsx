import { useState } from 'react'
import { PageLink } from '../elements/page-link.tsx'
import type { ScheduleMiss } from '../../../../schemas/index.ts'
import { formatDuration, formatSpan } from '../../format/time/duration.ts'
import { missReason, type RunEntry, type RunHistory as History } from '../../format/schedules/run-history.ts'
import { statusWord } from '../../format/executions/status.ts'
import { ErrorLine } from '../executions/execution-cells.tsx'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly history: History
  readonly href: (executionId: string) => string
}

/** The outcomes of one schedule's runs, one line each, including those that did not run. */
export function RunHistory({ history: { entries, earlier }, href }: Props) {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <ol className="recent-runs">
        {entries.map(entry => <Entry key={keyOf(entry)} entry={entry} href={href} />)}
        {isWhole && earlier.map(entry => <Entry key={keyOf(entry)} entry={entry} href={href} />)}
      </ol>
      {earlier.length > 0 && !isWhole && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          {scheduleTexts.showEarlier(earlier.length)}
        </button>
      )}
    </>
  )
}

function Entry({ entry, href }: { entry: RunEntry; href: Props['href'] }) {
  if (entry.kind !== 'run') return entry.kind === 'missed' ? <Missed miss={entry.miss} /> : <Late miss={entry.miss} href={href} />
  const { execution, late } = entry
  return (
    <li>
      <PageLink href={href(execution.execution_id)} className="quiet-link">
        <StatusMark mark={execution.status} word={statusWord(execution.status)} />
      </PageLink>
      <span><Moment at={execution.finished_at ?? execution.started_at ?? execution.submitted_at} /></span>
      <span className="num">{execution.duration_ms !== null && formatDuration(execution.duration_ms)}</span>
      {late && <span className="run-note tone-warn"><LateWords miss={late} /></span>}
      {execution.error && <ErrorLine error={execution.error} />}
    </li>
  )
}

function Missed({ miss }: { miss: ScheduleMiss }) {
  return (
    <li>
      <StatusMark mark="warning" word={scheduleTexts.missed} />
      <span><Moment at={miss.first_due_at} />{miss.count > 1 && scheduleTexts.missedTo(<Moment at={miss.last_due_at} />)}</span>
      <span className="num">{miss.count > 1 && scheduleTexts.countRuns(miss.count)}</span>
      <span className="run-note">{missReason(miss)}</span>
    </li>
  )
}

function Late({ miss, href }: { miss: ScheduleMiss; href: Props['href'] }) {
  return (
    <li>
      {miss.execution_id === null
        ? <StatusMark mark="warning" word={scheduleTexts.late} />
        : <PageLink href={href(miss.execution_id)} className="quiet-link">
          <StatusMark mark="warning" word={scheduleTexts.late} />
        </PageLink>}
      <span><Moment at={miss.first_due_at} /></span>
      <span />
      <span className="run-note"><LateWords miss={miss} /></span>
    </li>
  )
}

function LateWords({ miss }: { miss: ScheduleMiss }) {
  const reason = missReason(miss)
  return <>
    {miss.late_by_ms === null ? scheduleTexts.lateFor(reason) : scheduleTexts.lateBy(formatSpan(miss.late_by_ms), reason)}
    {miss.count > 1 && scheduleTexts.standsFor(miss.count)}
  </>
}

function keyOf(entry: RunEntry): string {
  return entry.kind === 'run' ? entry.execution.execution_id : `${entry.kind} ${entry.miss.first_due_at}`
}

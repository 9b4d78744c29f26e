import type { FailureGroup } from '../../../../schemas/index.ts'
import { formatRelative } from '../../format/time/duration.ts'
import { useNow } from '../../hooks/use-now.ts'
import { groupTexts } from '../../texts/failure-groups.ts'
import { Moment } from '../elements/moment.tsx'

type Decided = Pick<FailureGroup, 'state' | 'decision'>

const TONES = { open: 'muted', resolved: 'tone-good', regressed: 'tone-bad' } as const

/** A word next to the error; nothing until someone has decided something. */
export function StateBadge({ group: { state, decision } }: { group: Decided }) {
  const now = useNow()
  if (state === 'open' || decision === null) return null
  const what = decision.automatic ? groupTexts.byItself : groupTexts.decided[decision.action]
  const who = groupTexts.decidedBy(what, decision.by, formatRelative(Date.parse(decision.at), now))
  return (
    <span className={TONES[state]} title={decision.note === null ? who : `${who}: ${decision.note}`}>
      {groupTexts.states[state]}{' · '}
    </span>
  )
}

/** The state of a group, who decided it and when, and the note. */
export function StateFact({ group: { state, decision } }: { group: Decided }) {
  return (
    <>
      <span className={TONES[state]}>{groupTexts.states[state]}</span>
      {decision !== null &&
        <span className="muted">
          {' · '}{decision.automatic ? groupTexts.byItself : groupTexts.decided[decision.action]}
          {decision.by !== null && <> {groupTexts.by} <bdi>{decision.by}</bdi></>}
          {' · '}<Moment at={decision.at} as="both" />
        </span>}
      {decision !== null && decision.note !== null && <p className="wrap group-note"><bdi>{decision.note}</bdi></p>}
    </>
  )
}

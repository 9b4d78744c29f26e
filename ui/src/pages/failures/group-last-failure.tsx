import { Link } from 'wouter'
import type { ExecutionDetail, FailureGroup } from '../../../../schemas/index.ts'
import { Section } from '../../components/frame/section.tsx'
import { StackView } from '../../components/executions/stack-view.tsx'
import { Failed, SkeletonRows } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import type { Settled } from '../../hooks/use-settled.ts'
import { groupTexts } from '../../texts/failure-groups.ts'

/** The last failure of a group. */
export function GroupLastFailure({ group, last }: { group: FailureGroup; last: Settled<ExecutionDetail> }) {
  const parameters = { status: 'failed', group: group.error_group, execution: group.last_execution_id }
  return (
    <Section
      title={groupTexts.last}
      aside={<Link href={`/executions${withParameters('', parameters)}`} className="quiet-link">{groupTexts.lastDetails}</Link>}
    >
      <LastStack last={last} />
    </Section>
  )
}

function LastStack({ last: { data: execution, failure, retry } }: { last: Settled<ExecutionDetail> }) {
  if (execution) {
    return execution.error?.stack
      ? <div className="stack"><StackView text={execution.error.stack} label={groupTexts.stackOfLast} /></div>
      : <p className="muted">{groupTexts.noStack}</p>
  }
  if (failure?.status === 410) return <p className="muted">{groupTexts.lastNotKept}</p>
  return failure
    ? <Failed what={groupTexts.theLast} failure={failure} onRetry={retry} isBrief />
    : <SkeletonRows count={4} label={groupTexts.loadingLast} />
}

import { PageLink } from '../elements/page-link.tsx'
import type { BulkOperation } from '../../../../schemas/index.ts'
import { filterWords, matchesHref } from '../../format/bulk/bulk-filter.ts'
import { currentTime } from '../../format/time/clock.ts'
import { Moment } from '../elements/moment.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { Fact } from '../elements/part.tsx'
import { bulkTexts } from '../../texts/bulk.ts'

/** Who started an operation, when, why, and on what. */
export function BulkFacts({ operation }: { operation: BulkOperation }) {
  const { facts } = bulkTexts
  const { action, filter, execution_count: selected, reason, rate } = operation
  const { changed_at: changedAt, changed_by: changedBy, finished_at: finishedAt } = operation
  if (action === null || filter === null) return <UnknownFacts operation={operation} />
  const matching = matchesHref(filter, action, currentTime())
  return (
    <dl className="facts bulk-facts">
      <Fact name={facts.created}><Moment at={operation.created_at} as="both" /></Fact>
      <Fact name={facts.by}><Person name={operation.created_by} /></Fact>
      <Fact name={facts.reason}>
        {reason === null ? <span className="muted">{bulkTexts.noReason}</span> : <bdi className="wrap">{reason}</bdi>}
      </Fact>
      <Fact name={facts.filter}>
        <div className="wrap"><bdi>{filterWords(filter, currentTime(), selected)}</bdi></div>
        {operation.executions_checked === false && <div className="muted">{bulkTexts.notChecked}</div>}
        {(operation.executions_left_out ?? 0) > 0 && <div className="muted">
          {bulkTexts.selectedWereLeftOut(operation.executions_left_out!)}
        </div>}
        {matching !== null && <PageLink href={matching} isWay className="quiet-link">{bulkTexts.matchesNow}</PageLink>}
      </Fact>
      <Fact name={facts.tasks}>{bulkTexts.tasksTouched(operation.task_count, operation.tasks_left_out)}</Fact>
      <Fact name={facts.rate}>{rate === null ? bulkTexts.unlimited : bulkTexts.perSecond(rate)}</Fact>
      <Fact name={facts.before}><Moment at={operation.before} as="exact" /></Fact>
      {changedAt !== null && <Fact name={facts.changed}>
        <Moment at={changedAt} as="both" /> · <Person name={changedBy} />
      </Fact>}
      {finishedAt !== null && <Fact name={facts.finished}><Moment at={finishedAt} as="both" /></Fact>}
      <Fact name={facts.expires}><Moment at={operation.expires_at} as="exact" /></Fact>
      <Fact name={facts.id}><code className="wrap">{operation.operation_id}</code></Fact>
    </dl>
  )
}

/** For an operation about which this version knows nothing else. */
function UnknownFacts({ operation }: { operation: BulkOperation }) {
  const { facts } = bulkTexts
  return (
    <dl className="facts bulk-facts">
      <Fact name={facts.created}><Moment at={operation.created_at} as="both" /></Fact>
      <Fact name={facts.by}><Person name={operation.created_by} /></Fact>
      <Fact name={facts.id}><code className="wrap">{operation.operation_id}</code></Fact>
    </dl>
  )
}

function Person({ name }: { name: string | null }) {
  return name === null ? <Unknown reason={bulkTexts.nobody} /> : <bdi className="wrap">{name}</bdi>
}

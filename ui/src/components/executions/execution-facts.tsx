import { Link } from 'wouter'
import { PageLink } from '../elements/page-link.tsx'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { withParameters, type AddressChange } from '../../format/places/address.ts'
import { formatCount } from '../../format/stats/number.ts'
import { queueTitle, statusWord } from '../../format/executions/status.ts'
import { Fact, Part } from '../elements/part.tsx'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { workerTexts } from '../../texts/workers.ts'
import { executionTexts } from '../../texts/executions.ts'

interface Props {
  readonly execution: ExecutionDetail
  /** Leads to who changed it; null if the reader may not see that. */
  readonly auditHref: string | null
  readonly href: (change: AddressChange) => string
}

/** The facts of an execution, with links. Empty ones are left out. */
export function ExecutionFacts({ execution, auditHref, href }: Props) {
  return (
    <Part title={executionTexts.details}>
      <dl className="facts">
        <Fact name={executionTexts.one}><code className="wrap">{execution.execution_id}</code></Fact>
        <Fact name={executionTexts.columns.submitted}><Moment at={execution.submitted_at} as="exact" /></Fact>
        <Fact name={executionTexts.columns.queue}><bdi className="wrap" title={execution.queue}>{queueTitle(execution.queue)}</bdi></Fact>
        {execution.job_name !== null && <Fact name={executionTexts.jobName}><bdi className="wrap">{execution.job_name}</bdi></Fact>}
        {execution.missing.length > 0 &&
          <Fact name={executionTexts.missingFields}>
            {executionTexts.removedBeforeRead(execution.missing.map(field => executionTexts.fields[field]).join(', '))}
          </Fact>}
        {execution.priority !== 0 && <Fact name={executionTexts.priority}>{formatCount(execution.priority)}</Fact>}
        {execution.worker_id &&
          <Fact name={executionTexts.worker}>
            <Link
              href={`/executions${withParameters('', { worker: execution.worker_id })}`} className="wrap"
              title={executionTexts.ofThisWorker}
            >
              <bdi>{execution.worker_id}</bdi>
            </Link> <PageLink isWay href={`/workers${withParameters('', { find: execution.worker_id })}`}>{workerTexts.show}</PageLink>
          </Fact>}
        {execution.schedule_id &&
          <Fact name={executionTexts.schedule}>
            <PageLink href={`/schedules${withParameters('', { schedule: execution.schedule_id })}`} className="wrap">
              {execution.schedule_id}
            </PageLink>
          </Fact>}
        {execution.cancellation &&
          <Fact name={executionTexts.cancelRequest}>
            <Moment at={execution.cancellation.requested_at} as="exact" />{execution.cancellation.requested_by !== null &&
              executionTexts.cancelledBy(<bdi>{execution.cancellation.requested_by}</bdi>)}{execution.cancellation.reason !== null &&
                <>: <bdi className="wrap">{execution.cancellation.reason}</bdi></>}
          </Fact>}
        {execution.retry_of &&
          <Fact name={executionTexts.retryOf}>
            <Link href={href({ execution: execution.retry_of })} className="wrap">{execution.retry_of}</Link>
          </Fact>}
        {execution.retried_by.length > 0 && <Fact name={executionTexts.retriedBy}><Retries of={execution} href={href} /></Fact>}
        <Fact name={executionTexts.sameTask}>
          <Link href={`/executions${withParameters('', { task: execution.task_name })}`}>{executionTexts.allOfTask}</Link>
        </Fact>
        {auditHref !== null && <Fact name={auditTexts.link}><Link href={auditHref}>{auditTexts.linkTo}</Link></Fact>}
      </dl>
    </Part>
  )
}

function Retries({ of, href }: { of: ExecutionDetail; href: Props['href'] }) {
  return of.retried_by.map(retry => (
    <div key={retry.execution_id}>
      <StatusMark mark={retry.status} word={statusWord(retry.status)} /> <Link
        href={href({ execution: retry.execution_id })} className="wrap"
      >
        {retry.execution_id}
      </Link>
    </div>
  ))
}

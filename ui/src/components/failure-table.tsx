import { Link } from 'wouter'
import type { Execution } from '../../../schemas/index.ts'
import { ErrorLine } from './execution-row.tsx'
import { Moment } from './moment.tsx'

interface Props {
  readonly executions: readonly Execution[]
  readonly href: (executionId: string) => string
}

export function FailureTable({ executions, href }: Props) {
  return (
    <div className="grid failures" role="table" aria-label="Recent failed executions">
      <div role="rowgroup" className="grid-head">
        <div role="row" className="grid-row">
          <span role="columnheader">Task</span>
          <span role="columnheader">Error</span>
          <span role="columnheader" className="num">Attempt</span>
          <span role="columnheader" className="num">Failed</span>
        </div>
      </div>
      <div role="rowgroup">
        {executions.map(execution => (
          <div role="row" key={execution.execution_id} className="grid-row">
            <span role="cell" className="cell-task">
              <Link href={href(execution.execution_id)} className="row-link" data-row-link><bdi>{execution.task_name}</bdi></Link>
            </span>
            <span role="cell" className="cell-error">
              {execution.error ? <ErrorLine error={execution.error} /> : <span className="muted">no error recorded</span>}
            </span>
            <span role="cell" className="num cell-attempt" title={`Attempt ${execution.attempt} of ${execution.max_attempts}`}>
              {execution.attempt}<span className="muted">/{execution.max_attempts}</span>
            </span>
            <span role="cell" className="num cell-when">
              {execution.finished_at && <Moment at={execution.finished_at} as="relative" />}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

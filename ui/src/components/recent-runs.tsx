import { Link } from 'wouter'
import type { Execution } from '../../../schemas/index.ts'
import { formatDuration } from '../format/duration.ts'
import { statusWord } from '../format/status.ts'
import { ErrorLine } from './execution-row.tsx'
import { Moment } from './moment.tsx'
import { StatusMark } from './status-mark.tsx'

interface Props {
  readonly executions: readonly Execution[]
  readonly href: (executionId: string) => string
}

/** The last runs of one schedule, a line each. */
export function RecentRuns({ executions, href }: Props) {
  return (
    <ol className="recent-runs">
      {executions.map((execution) => (
        <li key={execution.execution_id}>
          <Link href={href(execution.execution_id)} className="quiet-link"><StatusMark mark={execution.status} word={statusWord(execution.status)} /></Link>
          <span><Moment at={execution.finished_at ?? execution.started_at ?? execution.submitted_at} /></span>
          <span className="num">{execution.duration_ms !== null && formatDuration(execution.duration_ms)}</span>
          {execution.error && <ErrorLine error={execution.error} />}
        </li>
      ))}
    </ol>
  )
}

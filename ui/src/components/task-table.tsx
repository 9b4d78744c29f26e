import { Link } from 'wouter'
import type { Task } from '../../../schemas/index.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCompact, formatCount, formatRate } from '../format/number.ts'
import { backoffTitle, backoffWords, rateLimitTitle, rateLimitWords } from '../format/policy.ts'
import { statusWord } from '../format/status.ts'
import { Moment } from './moment.tsx'
import { StatusMark } from './status-mark.tsx'
import { Unknown } from './unknown.tsx'

const TYPES: Record<Task['type'], string> = {
  io: 'Runs on the event loop of its process',
  cpu: 'Runs in a process of its own',
  external: 'Seen on a queue whose workers do not belong to this queue app'
}

interface Props {
  readonly tasks: readonly Task[]
  readonly href: (task: Task) => string
  readonly executionHref: (executionId: string) => string
}

export function TaskTable({ tasks, href, executionHref }: Props) {
  return (
    <div className="grid tasks" role="table" aria-label="Tasks">
      <div role="rowgroup" className="grid-head">
        <div role="row" className="grid-row">
          <span role="columnheader">Task</span>
          <span role="columnheader">Type</span>
          <span role="columnheader" className="num">Retries</span>
          <span role="columnheader" className="num">Retry delay</span>
          <span role="columnheader" className="num">Workers</span>
          <span role="columnheader" className="num">Finished</span>
          <span role="columnheader" className="num">Success</span>
          <span role="columnheader" className="num" title="95 of 100 executions took at most this long, over the last 24 hours">p95</span>
          <span role="columnheader">Last run</span>
        </div>
      </div>
      <div role="rowgroup">
        {tasks.map(task =>
          <TaskRow key={task.name} task={task} href={href(task)} executionHref={executionHref} />)}
      </div>
    </div>
  )
}

interface RowProps {
  readonly task: Task
  readonly href: string
  readonly executionHref: Props['executionHref']
}

function TaskRow({ task, href, executionHref }: RowProps) {
  const finished = task.executions.success + task.executions.failed
  return (
    <div role="row" className="grid-row">
      <span role="cell" className="cell-task">
        {task.rate_limited_until !== null &&
          <span className="cell-limit tone-warn">limit reached until <Moment at={task.rate_limited_until} as="clock" /> · </span>}
        <Link href={href} className="row-link" data-row-link><bdi>{task.name}</bdi></Link>
        {task.rate_limit &&
          <span className="cell-limit muted" title={rateLimitTitle(task.rate_limit)}> {rateLimitWords(task.rate_limit)}</span>}
        {task.description && <span className="muted cell-note" title={task.description}> <bdi>{task.description}</bdi></span>}
      </span>
      <span role="cell" data-label="Type"><span className="tag" title={TYPES[task.type]}>{task.type}</span></span>
      <span role="cell" data-label="Retries" className="num">{formatCount(task.retries)}</span>
      <span role="cell" data-label="Retry delay" className="num">
        {task.retries === 0
          ? <span className="muted" title="It is not retried">none</span>
          : <span title={backoffTitle(task.backoff)}>{backoffWords(task.backoff)}</span>}
      </span>
      <span role="cell" data-label="Workers" className="num">
        {task.workers === 0 ? <span className="tone-warn" title="No process runs this task now">0</span> : formatCount(task.workers)}
      </span>
      <span
        role="cell" data-label="Finished" className="num"
        title={`${formatCount(task.executions.success)} succeeded, ${formatCount(task.executions.failed)} failed, ` +
          `${formatCount(task.executions.running)} running, ${formatCount(task.executions.pending)} pending`}
      >
        {formatCompact(finished)}
      </span>
      <span role="cell" data-label="Success" className="num">
        {finished === 0
          ? <Unknown reason="Nothing has finished yet" />
          : <span className={task.success_rate < 95 ? 'tone-bad' : undefined}>{formatRate(task.success_rate)}</span>}
      </span>
      <span role="cell" data-label="p95" className="num">
        {task.duration_ms ? formatDuration(task.duration_ms.p95) : <Unknown reason="Nothing finished in the last 24 hours" />}
      </span>
      <span role="cell" data-label="Last run">
        {task.last_execution
          ? <Link href={executionHref(task.last_execution.execution_id)} className="quiet-link above">
            <StatusMark
              mark={task.last_execution.status} word={statusWord(task.last_execution.status)} isQuiet
            /> <Moment at={task.last_execution.finished_at} as="relative" />
          </Link>
          : <span className="muted">never</span>}
      </span>
    </div>
  )
}

import type { TaskDetail } from '../../../../schemas/index.ts'
import { formatDuration, formatSpan } from '../../format/time/duration.ts'
import { formatCount, formatRate } from '../../format/stats/number.ts'
import { backoffTitle, backoffWords, rateLimitTitle, rateLimitWords } from '../../format/tasks/policy.ts'
import { queueTitle } from '../../format/executions/status.ts'
import { whyNotCounted } from '../../format/tasks/why-not-counted.ts'
import { Moment } from '../elements/moment.tsx'
import { Fact } from '../elements/part.tsx'
import { Unknown } from '../elements/unknown.tsx'
import { taskTexts } from '../../texts/tasks.ts'

/** The settings of a task, and how it is doing. */
export function TaskFacts({ task }: { task: TaskDetail }) {
  const { executions, success_rate: rate, duration_ms: took, wait_ms: waited, rate_limit: limit } = task
  const finished = executions.success + executions.failed
  const isExternal = task.type === 'external'
  return (
    <dl className="facts task-facts">
      <Fact name={taskTexts.columns.workers}>
        {task.workers === null
          ? <Unknown reason={taskTexts.workersOfOthers} />
          : <span className={task.workers === 0 ? 'tone-warn' : undefined}>{formatCount(task.workers)}</span>}
        {task.concurrency !== null && <span className="muted"> {taskTexts.atOnce(task.concurrency)}</span>}
      </Fact>
      <Fact name={taskTexts.columns.backlog}>
        {executions.pending === null ? <Unknown reason={whyNotCounted(task)} /> : formatCount(executions.pending)}
        {task.oldest_pending_ms !== null &&
          <span className="muted"> {taskTexts.oldestDueSince(formatSpan(task.oldest_pending_ms))}</span>}
      </Fact>
      <Fact name={taskTexts.facts.running}>
        {executions.running === null ? <Unknown reason={whyNotCounted(task)} /> : formatCount(executions.running)}
      </Fact>
      <Fact name={taskTexts.columns.success}>
        {finished === 0
          ? <Unknown reason={taskTexts.nothingFinishedYet} />
          : <><span className={rate < 95 ? 'tone-bad' : undefined}>{formatRate(rate)}</span> <span className="muted">
            {taskTexts.ofCount(finished)}
          </span></>}
      </Fact>
      <Fact name={taskTexts.facts.took}><Percentiles of={took} /></Fact>
      <Fact name={taskTexts.facts.waited}><Percentiles of={waited} /></Fact>
      <Fact name={taskTexts.facts.retries}>
        {task.retries === null ? <Unknown reason={taskTexts.settingsOfOthers} /> : formatCount(task.retries)}
        {task.retries !== null && task.retries > 0 && task.backoff !== null &&
          <span className="muted" title={backoffTitle(task.backoff)}> {taskTexts.afterDelay(backoffWords(task.backoff))}</span>}
      </Fact>
      <Fact name={taskTexts.facts.timeout}>{task.timeout_ms !== null
        ? formatDuration(task.timeout_ms)
        : isExternal ? <Unknown reason={taskTexts.settingsOfOthers} /> : taskTexts.none}</Fact>
      <Fact name={taskTexts.facts.rateLimit}>
        {limit
          ? <span title={rateLimitTitle(limit)}>{rateLimitWords(limit)}</span>
          : isExternal ? <Unknown reason={taskTexts.settingsOfOthers} /> : taskTexts.none}
        {task.rate_limited_until !== null &&
          <span className="tone-warn">{taskTexts.reachedUntil(<Moment at={task.rate_limited_until} as="clock" />)}</span>}
      </Fact>
      <Fact name={taskTexts.facts.runsIn}>
        {isExternal ? taskTexts.otherCode : task.type === 'cpu' ? taskTexts.ownProcess : taskTexts.workerProcess}
      </Fact>
      <Fact name={taskTexts.facts.queue}><bdi className="wrap">{queueTitle(task.queue)}</bdi></Fact>
      <Fact name={taskTexts.facts.firstSeen}><Moment at={task.first_seen_at} as="both" /></Fact>
    </dl>
  )
}

function Percentiles({ of }: { of: TaskDetail['duration_ms'] }) {
  if (of === null) return <Unknown reason={taskTexts.nothingInDay} />
  return <span title={taskTexts.percentilesTitle}>
    {formatDuration(of.p50)} <span className="muted">p95</span> {formatDuration(of.p95)} <span className="muted">
      p99
    </span> {formatDuration(of.p99)}
  </span>
}

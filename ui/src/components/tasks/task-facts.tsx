import type { ReactNode } from 'react'
import type { TaskDetail } from '../../../../schemas/index.ts'
import { formatDuration, formatSpan } from '../../format/time/duration.ts'
import { formatCount, formatRate } from '../../format/stats/number.ts'
import { backoffTitle, backoffWords, rateLimitTitle, rateLimitWords } from '../../format/places/policy.ts'
import { queueTitle } from '../../format/executions/status.ts'
import { Moment } from '../elements/moment.tsx'
import { Unknown } from '../elements/unknown.tsx'

/** What a task is set to, and how it is doing. */
export function TaskFacts({ task }: { task: TaskDetail }) {
  const { executions, success_rate: rate, duration_ms: took, wait_ms: waited, rate_limit: limit } = task
  const finished = executions.success + executions.failed
  return (
    <dl className="facts task-facts">
      <Fact name="Workers">
        <span className={task.workers === 0 ? 'tone-warn' : undefined}>{formatCount(task.workers)}</span>
        {task.concurrency !== null && <span className="muted"> {formatCount(task.concurrency)} at once in each</span>}
      </Fact>
      <Fact name="Backlog">
        {formatCount(executions.pending)}{task.oldest_pending_ms !== null &&
          <span className="muted"> the oldest is due since {formatSpan(task.oldest_pending_ms)}</span>}
      </Fact>
      <Fact name="Running">{formatCount(executions.running)}</Fact>
      <Fact name="Success">
        {finished === 0
          ? <Unknown reason="Nothing has finished yet" />
          : <><span className={rate < 95 ? 'tone-bad' : undefined}>{formatRate(rate)}</span> <span className="muted">
            of {formatCount(finished)}
          </span></>}
      </Fact>
      <Fact name="Took"><Percentiles of={took} /></Fact>
      <Fact name="Waited"><Percentiles of={waited} /></Fact>
      <Fact name="Retries">
        {formatCount(task.retries)}{task.retries > 0 &&
          <span className="muted" title={backoffTitle(task.backoff)}> after {backoffWords(task.backoff)}</span>}
      </Fact>
      <Fact name="Timeout">{task.timeout_ms === null ? 'none' : formatDuration(task.timeout_ms)}</Fact>
      <Fact name="Rate limit">
        {limit ? <span title={rateLimitTitle(limit)}>{rateLimitWords(limit)}</span> : 'none'}
        {task.rate_limited_until !== null &&
          <span className="tone-warn"> reached until <Moment at={task.rate_limited_until} as="clock" /></span>}
      </Fact>
      <Fact name="Runs in">{task.type === 'cpu' ? 'a process of its own' : 'the process of its worker'}</Fact>
      <Fact name="Queue"><bdi className="wrap">{queueTitle(task.queue)}</bdi></Fact>
      <Fact name="First seen"><Moment at={task.first_seen_at} as="both" /></Fact>
    </dl>
  )
}

function Percentiles({ of }: { of: TaskDetail['duration_ms'] }) {
  if (of === null) return <Unknown reason="Nothing finished in the last 24 hours" />
  return <span title="Percentiles of the last 24 hours">
    {formatDuration(of.p50)} <span className="muted">p95</span> {formatDuration(of.p95)} <span className="muted">
      p99
    </span> {formatDuration(of.p99)}
  </span>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}

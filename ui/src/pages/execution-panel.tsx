import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ExecutionDetail } from '../../../schemas/index.ts'
import { mountUrl } from '../api/mount-url.ts'
import { executionPath, executionQuery } from '../api/executions.ts'
import { statsQuery } from '../api/stats.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { Attempts, CUT, Payload, Stack } from '../components/execution-attempts.tsx'
import { JsonView } from '../components/json-view.tsx'
import { LongText } from '../components/long-text.tsx'
import { Countdown, Moment } from '../components/moment.tsx'
import { SidePanel } from '../components/side-panel.tsx'
import { Empty, Failed, SkeletonRows, Stale } from '../components/states.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { Timeline } from '../components/timeline.tsx'
import { Unknown } from '../components/unknown.tsx'
import { withParameters } from '../format/address.ts'
import { formatDuration } from '../format/duration.ts'
import { retentionWords } from '../format/history-kept.ts'
import { formatCount } from '../format/number.ts'
import { toCurl } from '../format/snippet.ts'
import { queueTitle, stateWord, statusWord } from '../format/status.ts'
import { useAddress } from '../hooks/use-address.ts'
import { usePolling } from '../hooks/use-pause.ts'
import { useSettled } from '../hooks/use-settled.ts'

interface Props {
  readonly executionId: string
  readonly onClose: () => void
}

export function ExecutionPanel({ executionId, onClose }: Props) {
  const polling = usePolling(2_000)
  const result = useQuery({
    ...executionQuery(executionId),
    // What has finished does not change any more.
    refetchInterval: query =>
      (query.state.data?.finished_at && query.state.status === 'success'
        ? false
        : polling.refetchInterval && polling.refetchInterval(query))
  })
  const { data, failure, updatedAt, retry } = useSettled(result)
  return (
    <SidePanel
      label="Execution" onClose={onClose}
      title={data ? <bdi>{data.task_name}</bdi> : 'Execution'}
      actions={data &&
        <CopyButton label="Copy as curl" text={toCurl(mountUrl.href, { method: 'GET', path: executionPath(executionId) })} />}
    >
      {data
        ? <Execution execution={data} stale={<Stale failure={failure} updatedAt={updatedAt} />} />
        : failure
          ? <>{failure.status === 410
            ? <Gone message={failure.message} />
            : <Failed what="This execution" failure={failure} onRetry={retry} />}<p className="muted wrap">{executionId}</p></>
          : <SkeletonRows count={8} label="Loading the execution" />}
    </SidePanel>
  )
}

/** It was there, and retention has removed it. */
function Gone({ message }: { message: string }) {
  const history = useQuery(statsQuery).data?.history
  return (
    <Empty title="This execution is no longer kept">
      <p>{message}.{history && <> {retentionWords(history)}</>}</p>
      <p>Counts, charts and failure groups still have it. <Link href="/executions">Executions that are kept</Link></p>
    </Empty>
  )
}

function Execution({ execution, stale }: { execution: ExecutionDetail; stale: ReactNode }) {
  const { href } = useAddress()
  const state = stateWord(execution.state)
  const isCut = (field: string): boolean => execution.truncated.includes(field)
  return (
    <>
      <p className="panel-lead">
        <StatusMark mark={execution.status} word={statusWord(execution.status)} />
        {state && <span>{state}</span>}
        <span>attempt {formatCount(execution.attempt)} of {formatCount(execution.max_attempts)}</span>
        {execution.next_attempt_at !== null && <span>next attempt <Countdown at={execution.next_attempt_at} /></span>}
        {execution.duration_ms !== null && <span>took {formatDuration(execution.duration_ms)}</span>}
        {execution.wait_ms !== null && <span>waited {formatDuration(execution.wait_ms)}</span>}
        {stale}
      </p>
      {execution.error && (
        <Part title="Error" note={isCut('/error/message') ? CUT : undefined}>
          <div className="error-box">
            <p className="wrap"><b><bdi>{execution.error.type}</bdi></b></p>
            <LongText text={execution.error.message} label="Error message" />
          </div>
          {execution.error.stack && <Stack text={execution.error.stack} label="Stack of the error" isCut={isCut('/error/stack')} />}
        </Part>
      )}
      <Part title="Timeline"><Timeline events={execution.timeline} /></Part>
      <Part title="Arguments" note={isCut('/args') ? CUT : undefined}>
        {execution.args === null ? <p className="muted">Not recorded.</p> : execution.args.length === 0
          ? <p className="muted">None.</p>
          : <Payload
            value={isCut('/args') && execution.args.length === 1 ? execution.args[0] : execution.args} isCut={isCut('/args')}
            label="Arguments"
          />}
      </Part>
      <Part title="Result" note={isCut('/result') && execution.result !== null ? CUT : undefined}>
        {execution.status === 'success'
          ? <Result execution={execution} isCut={isCut('/result')} />
          : <p className="muted">{execution.status === 'failed' ? 'None: it failed.' : 'None yet.'}</p>}
      </Part>
      {execution.attempts.length > 0 && (execution.attempts.length > 1 || execution.max_attempts > 1) && (
        <Part title="Attempts" note={isCut('/attempts') ? CUT : undefined}><Attempts execution={execution} isCut={isCut} /></Part>
      )}
      <Part title="Log" note={isCut('/logs') ? CUT : undefined}>
        {execution.logs.length === 0
          ? <p className="muted">The handler logged nothing.</p>
          : <LongText text={execution.logs.join('\n')} label="Log" />}
      </Part>
      {execution.progress !== null && <Part title="Progress"><JsonView value={execution.progress} label="Progress" /></Part>}
      <Part title="Details">
        <dl className="facts">
          <Fact name="Execution"><code className="wrap">{execution.execution_id}</code></Fact>
          <Fact name="Submitted"><Moment at={execution.submitted_at} as="exact" /></Fact>
          <Fact name="Queue"><bdi className="wrap" title={execution.queue}>{queueTitle(execution.queue)}</bdi></Fact>
          <Fact name="Priority">{execution.priority === 0 ? 'none' : formatCount(execution.priority)}</Fact>
          <Fact name="Worker">
            {execution.worker_id
              ? <Link
                href={`/executions${withParameters('', { worker: execution.worker_id })}`} className="wrap"
                title="Executions of this worker"
              >
                <bdi>{execution.worker_id}</bdi>
              </Link>
              : <Unknown reason="No worker has taken it, or it was not recorded" />}
          </Fact>
          <Fact name="Schedule">
            {execution.schedule_id
              ? <Link href={`/schedules${withParameters('', { schedule: execution.schedule_id })}`} className="wrap">
                {execution.schedule_id}
              </Link>
              : 'none'}
          </Fact>
          {execution.retry_of &&
            <Fact name="Retry of"><Link href={href({ execution: execution.retry_of })} className="wrap">{execution.retry_of}</Link></Fact>}
          {execution.retried_by.length > 0 && <Fact name="Retried by"><Retries of={execution} /></Fact>}
          {execution.error_group &&
            <Fact name="Same error">
              <Link href={`/failures${withParameters('', { group: execution.error_group })}`}>All failures of this group</Link>
            </Fact>}
          <Fact name="Same task">
            <Link href={`/executions${withParameters('', { task: execution.task_name })}`}>All executions of this task</Link>
          </Fact>
        </dl>
      </Part>
    </>
  )
}

function Result({ execution: { result, result_problem: problem }, isCut }: { execution: ExecutionDetail; isCut: boolean }) {
  if (result !== null && result !== undefined) return <Payload value={result} isCut={isCut} label="Result" />
  return problem === null
    ? <p className="muted">The handler returned nothing.</p>
    : <p className="wrap">It succeeded, but its return value could not be stored: <bdi>{problem}</bdi></p>
}

function Retries({ of }: { of: ExecutionDetail }) {
  const { href } = useAddress()
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

function Part({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return <section className="part"><h3>{title}{note && <span className="tone-warn"> {note}</span>}</h3>{children}</section>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { Attempts, Payload } from '../../components/executions/execution-attempts.tsx'
import { ExecutionError } from '../../components/executions/execution-error.tsx'
import { ExecutionFacts } from '../../components/executions/execution-facts.tsx'
import { ExecutionLog } from '../../components/executions/execution-log.tsx'
import { Part } from '../../components/elements/part.tsx'
import { ExecutionProgress } from '../../components/executions/execution-progress.tsx'
import { Countdown, Due, Moment } from '../../components/elements/moment.tsx'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { Waterfall } from '../../components/executions/waterfall.tsx'
import { formatDuration } from '../../format/time/duration.ts'
import { stateWord, statusWord } from '../../format/executions/status.ts'
import { auditHref } from '../../format/audit/audit-filter.ts'
import { useAddress } from '../../hooks/use-address.ts'
import { ExecutionAlike } from './execution-alike.tsx'
import { ExecutionCancel } from './execution-cancel.tsx'
import { ExecutionChange } from './execution-change.tsx'
import { ExecutionDelete } from './execution-delete.tsx'
import { ExecutionJob } from './execution-job.tsx'
import { ExecutionRetry } from './execution-retry.tsx'
import { ExecutionWhy } from './execution-why.tsx'
import { RetryDifferences } from './retry-differences.tsx'
import { useAllowed } from '../use-allowed.ts'
import { rowTexts } from '../../texts/execution-rows.ts'
import { executionTexts } from '../../texts/executions.ts'

/** One execution: the most relevant part for its status comes first, and empty parts are left out. */
export function ExecutionBody({ execution, stale }: { execution: ExecutionDetail; stale: ReactNode }) {
  const { href } = useAddress()
  const { may } = useAllowed()
  const isCut = (field: string): boolean => execution.truncated.includes(field)
  const log = execution.logs.length > 0 &&
    <Part title={executionTexts.log} note={isCut('/logs') ? executionTexts.cut : undefined}><ExecutionLog lines={execution.logs} /></Part>
  const isRunning = execution.status === 'running'
  return (
    <>
      <Lead execution={execution} stale={stale} />
      {(execution.status === 'pending' || isRunning) && <ExecutionWhy execution={execution} />}
      <div className="run-now-row">
        <ExecutionCancel execution={execution} />
        <ExecutionChange execution={execution} />
        <ExecutionRetry execution={execution} />
      </div>
      {execution.error &&
        <ExecutionError
          error={execution.error} isCut={isCut}
          alike={execution.error_group && <ExecutionAlike errorGroup={execution.error_group} />}
        />}
      <ExecutionProgress execution={execution} />
      {isRunning && log}
      <Part title={executionTexts.timeline}><Waterfall events={execution.timeline} /></Part>
      {(execution.args === null || execution.args.length > 0) && (
        <Part title={executionTexts.arguments} note={isCut('/args') ? executionTexts.cut : undefined}>
          {execution.args === null
            ? <p className="muted">{executionTexts.notRecorded}</p>
            : <Payload
              value={isCut('/args') && execution.args.length === 1 ? execution.args[0] : execution.args} isCut={isCut('/args')}
              label={executionTexts.arguments} startLabel={executionTexts.startOfArguments}
            />}
        </Part>
      )}
      {execution.retry_of !== null && <RetryDifferences execution={execution} originalId={execution.retry_of} />}
      {execution.status === 'success' && <Result execution={execution} isCut={isCut('/result')} />}
      {execution.attempts.length > 1 && (
        <Part title={executionTexts.attempts} note={isCut('/attempts') ? executionTexts.cut : undefined}>
          <Attempts execution={execution} isCut={isCut} />
        </Part>
      )}
      {!isRunning && log}
      {isOfOtherCode(execution) && <ExecutionJob execution={execution} />}
      <ExecutionFacts
        execution={execution} auditHref={may('audit:view') ? auditHref({ execution: execution.execution_id }) : null} href={href}
      />
      <ExecutionDelete execution={execution} />
    </>
  )
}

function isOfOtherCode({ job_name: jobName, missing }: ExecutionDetail): boolean {
  return jobName !== null || missing.includes('job_name')
}

function Lead({ execution, stale }: { execution: ExecutionDetail; stale: ReactNode }) {
  const { href } = useAddress()
  const state = stateWord(execution.state)
  const newestRetry = execution.retried_by[0]
  return (
    <p className="panel-lead">
      <StatusMark
        mark={execution.status} word={execution.cancelling_since === null ? statusWord(execution.status) : rowTexts.cancelling}
      />
      {state && <span>{state}</span>}
      {execution.attempt > 0 &&
        <span>
          {executionTexts.attemptCount(execution.attempt, execution.missing.includes('max_attempts') ? null : execution.max_attempts)}
        </span>}
      {execution.next_attempt_at !== null && (execution.state === 'delayed'
        ? <span><Due at={execution.next_attempt_at} /> (<Moment at={execution.next_attempt_at} as="clock" />)</span>
        : <span>{executionTexts.nextAttempt(<Countdown at={execution.next_attempt_at} />)}</span>)}
      {execution.cancelling_since !== null &&
        <span>{executionTexts.cancellingSince(<Moment at={execution.cancelling_since} as="both" />)}</span>}
      {execution.duration_ms !== null && <span>{executionTexts.tookLength(formatDuration(execution.duration_ms))}</span>}
      {execution.wait_ms !== null && <span>{executionTexts.waitedLength(formatDuration(execution.wait_ms))}</span>}
      {newestRetry && <Link href={href({ execution: newestRetry.execution_id })}>
        {rowTexts.retried(statusWord(newestRetry.status))}
      </Link>}
      {stale}
    </p>
  )
}

function Result({ execution: { result, result_problem: problem }, isCut }: { execution: ExecutionDetail; isCut: boolean }) {
  const isThere = result !== null && result !== undefined
  if (!isThere && problem === null) return null
  return (
    <Part title={executionTexts.result} note={isCut && isThere ? executionTexts.cut : undefined}>
      {isThere
        ? <Payload value={result} isCut={isCut} label={executionTexts.result} startLabel={executionTexts.startOfResult} />
        : <p className="wrap">{executionTexts.resultNotStored(<bdi>{problem}</bdi>)}</p>}
    </Part>
  )
}

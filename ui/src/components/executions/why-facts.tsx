import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { WhyFact } from '../../../../schemas/index.ts'
import { formatDuration } from '../../format/time/duration.ts'
import { formatPace } from '../../format/stats/number.ts'
import { withParameters } from '../../format/places/address.ts'
import { isTrouble } from '../../format/executions/why.ts'
import { Countdown, Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { QueuePause } from '../workers/queue-pause.tsx'
import { whyTexts } from '../../texts/why.ts'

interface Props {
  readonly facts: readonly WhyFact[]
  readonly execution: { readonly task_name: string; readonly priority: number }
  readonly may: (action: string) => boolean
}

/** Why an execution does not run, the most important reason first, with links to the causes. */
export function WhyFacts({ facts, execution, may }: Props) {
  return (
    <ul className="reasons">
      {facts.map(fact => (
        <li key={fact.kind} className="wrap">
          {isTrouble(fact) ? <StatusMark mark="warning" word="" /> : null}<Fact fact={fact} execution={execution} may={may} />
        </li>
      ))}
    </ul>
  )
}

function Fact({ fact, execution, may }: Omit<Props, 'facts'> & { fact: WhyFact }): ReactNode {
  const toWorkers = (find: string, word = whyTexts.workers): ReactNode =>
    may('workers:view') && <> <Link href={`/workers${withParameters('', { find })}`}>{word}</Link></>
  switch (fact.kind) {
    case 'delayed': return fact.schedule_id === null || !may('schedules:view')
      ? whyTexts.delayed(...until(fact.until))
      : whyTexts.planned(...until(fact.until),
        <Link href={`/schedules${withParameters('', { schedule: fact.schedule_id })}`}>{whyTexts.itsSchedule}</Link>)
    case 'retrying': return whyTexts.retrying(fact.attempt, fact.max_attempts, ...until(fact.until))
    case 'waiting_children': return whyTexts.waitingChildren(fact.children)
    case 'paused': return <>{whyTexts.itsQueue(<QueuePause pause={fact.pause} />)}{toWorkers(execution.task_name, whyTexts.queues)}</>
    case 'no_worker': return <>{whyTexts.noWorker}{toWorkers('')}</>
    case 'workers_unavailable': return <>{whyTexts.workersUnavailable(statesOf(fact))}{toWorkers(execution.task_name)}</>
    case 'concurrency_limit':
      return <>{whyTexts.concurrencyLimit(fact.running, fact.limit)}{toWorkers(execution.task_name, whyTexts.queues)}</>
    case 'rate_limited': {
      const length = fact.duration_ms === null ? null : formatDuration(fact.duration_ms)
      return <>
        {whyTexts.rateLimited(whyTexts.rate(fact.max, length), ...until(fact.until))}{toWorkers(execution.task_name, whyTexts.queues)}
      </>
    }
    case 'behind': return <Behind fact={fact} execution={execution} />
    case 'workers_busy': return <>{whyTexts.workersBusy(fact.workers, fact.concurrency)}{toWorkers(execution.task_name)}</>
    case 'worker_lost': return <>
      {whyTexts.workerLost(<bdi>{fact.worker_id}</bdi>, ...until(fact.locked_until))}
      {fact.last_seen_at !== null && whyTexts.lastSeen(<Moment at={fact.last_seen_at} as="both" />)}{toWorkers(fact.worker_id ?? '')}
    </>
    case 'stalled': return <>{whyTexts.stalled}{toWorkers(fact.worker_id ?? '')}</>
    case 'cancelling':
      return whyTexts.cancelling(fact.by !== null && whyTexts.by(<bdi>{fact.by}</bdi>), <Moment at={fact.since} as="both" />)
    case 'broker_unavailable': return <>{whyTexts.brokerAway[fact.reason]} <Link href="/">{whyTexts.health}</Link></>
    case 'backend_unavailable': return <>{whyTexts.backendAway[fact.reason]} <Link href="/">{whyTexts.health}</Link></>
    case 'unknown': return <>
      {whyTexts.unknown}{fact.workers !== null && fact.free !== null && whyTexts.free(fact.workers, fact.free)}
      {toWorkers(execution.task_name)}
    </>
    // The status of the execution already says these.
    case 'running': case 'finished': return null
    default: return fact satisfies never
  }
}

function Behind({ fact, execution }: { fact: Extract<WhyFact, { kind: 'behind' }>; execution: Props['execution'] }) {
  const { ahead, per_minute: rate, estimate_ms: estimate } = fact
  const isExact = ahead.relation === 'exact'
  const href = `/executions${withParameters('', { task: execution.task_name, status: 'pending', order: 'oldest' })}`
  return <>
    {whyTexts.behind(<Link href={href}>{whyTexts.ahead(ahead.value, isExact)}</Link>)}
    {rate !== null && estimate !== null && whyTexts.pace(formatPace(rate), formatDuration(estimate), isExact)}
    {execution.priority > 0 && whyTexts.priority(execution.priority)}
  </>
}

function until(at: string): [due: ReactNode, clock: ReactNode] {
  return [<Countdown at={at} />, <Moment at={at} as="clock" />]
}

function statesOf({ stopping, silent, refused }: Extract<WhyFact, { kind: 'workers_unavailable' }>): string {
  return [stopping > 0 && whyTexts.stopping(stopping), silent > 0 && whyTexts.silent(silent), refused > 0 && whyTexts.refused(refused)]
    .filter(Boolean).join(', ')
}

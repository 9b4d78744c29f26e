import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ExecutionJob, RelatedJob } from '../../../../schemas/index.ts'
import type { AddressChange } from '../../format/places/address.ts'
import { Fact } from '../elements/part.tsx'
import { Moment } from '../elements/moment.tsx'
import { StatusMark } from '../elements/status-mark.tsx'
import { jobTexts } from '../../texts/jobs.ts'

interface Props {
  readonly job: ExecutionJob
  readonly href: (change: AddressChange) => string
}

export function hasJobFacts({ parent, children, children_left: left, deduplication, trace }: ExecutionJob): boolean {
  return parent !== null || children === null || children.length > 0 || left !== 0 || deduplication !== null || trace !== null
}

/** What BullMQ stores about a job, with links to its parent, its children and its trace. Missing parts are left out. */
export function JobFacts({ job: { parent, children, children_left: left, deduplication, trace }, href }: Props) {
  return (
    <dl className="facts">
      {parent && <Fact name={jobTexts.parent}><Related job={parent} href={href} /></Fact>}
      {(children === null || children.length > 0 || left !== 0) &&
        <Fact name={jobTexts.children}>
          {children === null
            ? jobTexts.childrenUnknown
            : <>
              {children.map(child => <Related key={child.key} job={child} href={href} />)}
              {left !== 0 && <p className="muted">{left === null ? jobTexts.someNotListed : jobTexts.othersNotListed(left)}</p>}
            </>}
        </Fact>}
      {deduplication && <Fact name={jobTexts.deduplication}><span className="wrap">{deduplicationOf(deduplication)}</span></Fact>}
      {trace &&
        <Fact name={jobTexts.trace}>
          {trace.url === null
            ? <code className="wrap">{trace.trace_id}</code>
            : <a href={trace.url} className="wrap" target="_blank" rel="noreferrer"><code>{trace.trace_id}</code></a>}
        </Fact>}
    </dl>
  )
}

function deduplicationOf({ id, held, held_until: until }: NonNullable<ExecutionJob['deduplication']>): ReactNode {
  const key = <bdi key="id"><code>{id}</code></bdi>
  if (held === null) return jobTexts.heldUnknown(key)
  if (!held) return jobTexts.notHeld(key)
  return until === null ? jobTexts.held(key) : jobTexts.heldUntil(key, <Moment at={until} as="both" />)
}

function Related({ job, href }: { job: RelatedJob; href: Props['href'] }) {
  const { execution_id: executionId, job_name: jobName, task_name: taskName, status, removed, key } = job
  const remark = taskName === null ? jobTexts.notObserved : removed ? jobTexts.removed : null
  return (
    <div className="wrap">
      {status !== null &&
        <><StatusMark mark={status === 'unfinished' ? 'pending' : status} word={jobTexts.statuses[status]} />{' '}</>}
      {executionId === null
        ? <bdi>{key}</bdi>
        : <Link href={href({ execution: executionId })}><bdi>{executionId}</bdi></Link>}
      {jobName !== null && jobName !== '' && <>{' '}<bdi className="muted">{jobName}</bdi></>}
      {remark !== null && <span className="muted"> ({remark})</span>}
    </div>
  )
}

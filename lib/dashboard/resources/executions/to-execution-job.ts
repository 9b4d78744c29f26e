import type { ExecutionJob, RelatedJob as WireRelatedJob } from '../../../../schemas/execution-job.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { cut, toTimestampOrNull } from '../wire-values.ts'

type Found = NonNullable<Awaited<ReturnType<Monitoring['jobOf']>>>
type Facts = NonNullable<Found['facts']>

const MAX_ID_LENGTH = 300
const UNKNOWN = { parent: null, children: null, children_left: null, deduplication: null, trace: null }

/** @param traceUrl the address of a trace, with `{trace_id}` in place of its id; null for none */
export function toExecutionJob(executionId: string, { taskName, facts }: Found, traceUrl: string | null): ExecutionJob {
  const place = { execution_id: executionId, task_name: taskName }
  if (facts === null) return { ...place, known: false, ...UNKNOWN }
  const { parent, children, childrenLeft, deduplication, trace } = facts
  return {
    ...place,
    known: true,
    parent: parent && toRelatedJob(parent),
    children: children && children.map(toRelatedJob),
    children_left: childrenLeft,
    deduplication: deduplication && {
      id: cut(deduplication.id, MAX_ID_LENGTH), held: deduplication.isHeld, held_until: toTimestampOrNull(deduplication.heldUntil)
    },
    trace: trace && { trace_id: trace.traceId, span_id: trace.spanId, url: traceUrl && urlOf(traceUrl, trace) }
  }
}

function toRelatedJob({ key, taskName, executionId, jobName, status, isRemoved }: NonNullable<Facts['parent']>): WireRelatedJob {
  return { key, task_name: taskName, execution_id: executionId, job_name: jobName, status, removed: isRemoved }
}

/** Both ids are hexadecimal, so they need no encoding. */
function urlOf(template: string, { traceId, spanId }: NonNullable<Facts['trace']>): string {
  return template.replaceAll('{trace_id}', traceId).replaceAll('{span_id}', spanId)
}

import { MAX_CHILDREN_LISTED } from '../../../../schemas/limits.ts'
import { groupBy } from '../../../collections/group-by.ts'
import { MAX_CLOCKS_DIFFER_MS } from '../../../time/clocks-differ.ts'
import type { FoundObserved } from '../find-observed.ts'
import { finishedIdOf, liveIdOf } from '../observed-id.ts'
import type { ObservedQueue } from '../observed-queue.ts'
import type { ChildLink, JobBrief, ObservedServer } from '../observed-server.ts'
import {
  MAX_SHOWN_KEY_LENGTH, MAX_KEY_READ, placesIn, traceFrom, type JobFacts, type RelatedJob, type RelatedStatus
} from './job-facts.ts'

/** A job that ended and is gone, as this process recorded it from its events. */
export interface RecordedFinish { readonly executionId: string; readonly jobName: string | null }

export interface JobFactsDependencies {
  /** The observed queue with this prefix and name on a server. */
  placed(server: ObservedServer, prefix: string, name: string): ObservedQueue | undefined
  /** How a job ended that no longer exists. Its end must be between two times by the server's clock. Null if it is not known. */
  recordedFinish(taskName: string, jobId: string, fromMs: number, toMs: number): RecordedFinish | null
}

interface Placed { readonly queue: ObservedQueue; readonly jobId: string }

/**
 * What BullMQ keeps about a job besides its execution: its place in a flow, its deduplication key and its trace. At most about 250 commands
 * for a job with many children, and about 40 for one without; on PostgreSQL a few statements.
 */
export async function readJobFacts({ queue, job }: FoundObserved, dependencies: JobFactsDependencies): Promise<JobFacts> {
  const { placed, recordedFinish } = dependencies
  const { parentKey, children, deduplication } = await queue.server.jobs.links(queue, job)
  const listed = children?.listed.slice(0, MAX_CHILDREN_LISTED) ?? null
  const [parent, related] = await Promise.all([parentKey === null ? null : readParent(parentKey), listed && readChildren(listed)])
  return {
    taskName: job.taskName, jobName: job.name, parent, children: related,
    childrenLeft: children && Math.max(children.total - listed!.length, 0),
    deduplication, trace: traceFrom(job.opts)
  }

  async function readParent(key: string): Promise<RelatedJob> {
    const place = placeOf(key)
    if (place === null) return unobserved(key, null)
    const found = await place.queue.server.jobs.find(place.queue, place.jobId)
    // A parent starts after its children have finished, and ends after that.
    return found === null
      ? removed(key, place, null, job.finishedOn ?? job.timestamp, Infinity)
      : standing(key, place, { name: found.job.name, finishedOn: found.job.finishedOn }, STATUS_OF[found.state] ?? 'unfinished')
  }

  async function readChildren(links: readonly ChildLink[]): Promise<RelatedJob[]> {
    const places = links.map(({ key }) => placeOf(key))
    const briefs = await briefsOf(places.filter(place => place !== null))
    return links.map(({ key, status }, index): RelatedJob => {
      const place = places[index]!
      if (place === null) return unobserved(key, status)
      const brief = briefs.get(place)
      // If the child succeeded but this job has not finished, it is another job with the same id.
      if (brief === undefined || status === 'success' && brief.finishedOn === null)
        return removed(key, place, status === 'unfinished' ? null : status, job.timestamp, job.processedOn ?? Infinity)
      // A failed child may have been retried. A child whose failure its parent ignores stays among the unfinished ones.
      return standing(key, place, brief, status === 'success' ? status : brief.finishedOn === null ? 'unfinished' : 'failed')
    })
  }

  function placeOf(key: string): Placed | null {
    if (key.length > MAX_KEY_READ) return null
    const places = placesIn(key)
    // Most flows stay under one prefix, which shows how to split a key whose id has colons.
    const own = places.filter(({ prefix }) => prefix === queue.prefix)
    for (const { prefix, name, jobId } of [...own, ...places]) {
      const found = placed(queue.server, prefix, name)
      if (found !== undefined) return { queue: found, jobId }
    }
    return null
  }

  /** Only for jobs that still exist. */
  async function briefsOf(places: readonly Placed[]): Promise<ReadonlyMap<Placed, JobBrief>> {
    const found = new Map<Placed, JobBrief>()
    await Promise.all([...groupBy(places, each => each.queue)].map(async ([ofQueue, each]) => {
      const briefs = await ofQueue.server.jobs.briefs(ofQueue, each.map(({ jobId }) => jobId))
      for (const [index, brief] of briefs.entries()) if (brief !== null) found.set(each[index]!, brief)
    }))
    return found
  }

  function standing(key: string, { queue: { taskName }, jobId }: Placed, brief: JobBrief, status: RelatedStatus): RelatedJob {
    const { name: jobName, finishedOn } = brief
    const executionId = finishedOn === null ? liveIdOf(taskName, jobId) : finishedIdOf(taskName, jobId, finishedOn)
    return { key: cut(key), taskName, executionId, jobName, status, isRemoved: false }
  }

  /** An owner may reuse the id of a job, so a recorded end only belongs to this job if its time fits the flow. */
  function removed(
    key: string, { queue: { taskName }, jobId }: Placed, status: RelatedStatus, fromMs: number, toMs: number
  ): RelatedJob {
    const finish = recordedFinish(taskName, jobId, fromMs - MAX_CLOCKS_DIFFER_MS, toMs + MAX_CLOCKS_DIFFER_MS)
    return {
      key: cut(key), taskName, executionId: finish?.executionId ?? null, jobName: finish?.jobName ?? null, status, isRemoved: true
    }
  }
}

const STATUS_OF: Readonly<Record<string, RelatedStatus>> = { completed: 'success', failed: 'failed' }

function unobserved(key: string, status: RelatedStatus): RelatedJob {
  return { key: cut(key), taskName: null, executionId: null, jobName: null, status, isRemoved: false }
}

function cut(text: string): string {
  return text.length <= MAX_SHOWN_KEY_LENGTH ? text : `${text.slice(0, MAX_SHOWN_KEY_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
}

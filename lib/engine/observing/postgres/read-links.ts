import { MAX_CHILDREN_LISTED } from '../../../../schemas/limits.ts'
import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import type { ObservedJob } from '../observed-job.ts'
import type { ChildLink, JobBrief, JobLinks } from '../observed-server.ts'
import type { QueuePlace } from '../queue-place.ts'
import { deduplicationIdIn, MAX_KEY_READ, type JobDeduplication } from '../relations/job-facts.ts'
import { numberFrom } from './job-row.ts'
import { schemaOf } from './postgres-queue.ts'

type Read = ReadDatabase['read']

const MAX_NAME_LENGTH = 1_024
const STATUS_OF: Readonly<Record<string, ChildLink['status']>> = {
  pending: 'unfinished', processed: 'success', ignored: 'failed', failed: 'failed'
}

interface LinkRow {
  readonly parent_queue: string | null
  readonly parent_id: string | null
  readonly dedup_id: string | null
  readonly is_holder: boolean | null
  readonly expire_at_ms: string | null
}

interface ChildRow { readonly child_queue: string; readonly child_id: string; readonly status: string; readonly total: string }

/** All jobs of a flow are in one schema. The results of children are not read. */
export async function readLinks(read: Read, queue: QueuePlace, job: ObservedJob): Promise<JobLinks> {
  const schema = schemaOf(queue)
  const keyOf = (name: string, id: string): string => `${queue.prefix}:${name}:${id}`
  const [[row], children] = await Promise.all([
    read<LinkRow>(`
      SELECT ${short('job.parent_queue')} AS parent_queue, ${short('job.parent_id')} AS parent_id, ${short('job.dedup_id')} AS dedup_id,
        dedup.job_id = job.id AS is_holder, dedup.expire_at_ms
      FROM ${schema}.job LEFT JOIN ${schema}.dedup ON dedup.queue = job.queue AND dedup.dedup_id = job.dedup_id
      WHERE job.queue = $1 AND job.id = $2`, [queue.name, job.id]),
    read<ChildRow>(`
      SELECT left(child_queue, ${MAX_KEY_READ}) AS child_queue, left(child_id, ${MAX_KEY_READ}) AS child_id, status::text AS status,
        count(*) OVER () AS total
      FROM ${schema}.job_dependency WHERE parent_queue = $1 AND parent_id = $2
      ORDER BY array_position(ARRAY['failed', 'ignored', 'pending', 'processed'], status::text), child_key LIMIT ${MAX_CHILDREN_LISTED}`,
    [queue.name, job.id]).catch((error: unknown) => {
      if (isForbidden(error)) return null
      throw error
    })
  ])
  const { parent_queue: parentQueue = null, parent_id: parentId = null } = row ?? {}
  return {
    parentKey: parentQueue === null || parentId === null ? null : keyOf(parentQueue, parentId),
    children: children && {
      listed: children.map(each => ({ key: keyOf(each.child_queue, each.child_id), status: STATUS_OF[each.status] ?? 'unfinished' })),
      total: Number(children[0]?.total ?? 0)
    },
    deduplication: row === undefined ? null : deduplicationOf(row, job)
  }
}

/** Without payloads; null for those that are gone. */
export async function readBriefs(read: Read, queue: QueuePlace, jobIds: readonly string[]): Promise<Array<JobBrief | null>> {
  const rows = await read<{ id: string; name: string | null; finished_at_ms: string | null }>(`
    SELECT id, CASE WHEN octet_length(name) <= ${MAX_NAME_LENGTH} THEN name END AS name, finished_at_ms
    FROM ${schemaOf(queue)}.job WHERE queue = $1 AND id = ANY($2)`, [queue.name, jobIds])
  const found = new Map(rows.map(({ id, name, finished_at_ms: at }) => [id, { name: name ?? '', finishedOn: numberFrom(at) }]))
  return jobIds.map(id => found.get(id) ?? null)
}

/** The row of a deduplication key stays for a while after the key has expired. */
function deduplicationOf(
  { dedup_id: dedupId, is_holder: isHolder, expire_at_ms: expireAt }: LinkRow, job: ObservedJob
): JobDeduplication | null {
  const id = dedupId ?? deduplicationIdIn(job.opts)
  if (id === null) return null
  const until = numberFrom(expireAt)
  const isHeld = isHolder === true && (until === null || until > Date.now())
  return { id, isHeld, heldUntil: isHeld ? until : null }
}

function short(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${MAX_KEY_READ} THEN ${column} END`
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '42P01')
}

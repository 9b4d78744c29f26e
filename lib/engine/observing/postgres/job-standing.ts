import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { MAX_COUNTED_AHEAD, type Standing } from '../../standing/standing.ts'
import type { FoundInQueue } from '../observed-server.ts'
import { standingFrom } from '../observed-standing.ts'
import type { QueuePlace } from '../queue-place.ts'
import { numberFrom } from './job-row.ts'
import { schemaOf } from './postgres-queue.ts'
import { readSettings } from './read-queues.ts'

interface StandingRow {
  readonly at: string
  readonly active: string
  readonly ahead: string
  readonly locked_until_ms: string | null
  readonly pending_deps: number
  readonly points: string | null
  readonly expire_at_ms: string | null
}

/** BullMQ takes waiting jobs by priority, then by their number. */
export async function standingOf(read: ReadDatabase['read'], queue: QueuePlace, found: FoundInQueue): Promise<Standing> {
  const schema = schemaOf(queue)
  const [[row], [settings]] = await Promise.all([
    read<StandingRow>(`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at,
        (SELECT count(*) FROM ${schema}.job WHERE queue = $1 AND state = 'active') AS active,
        (SELECT count(*) FROM (SELECT FROM ${schema}.job AS other WHERE other.queue = $1 AND other.state = 'waiting'
          AND (other.priority, other.seq) < (job.priority, job.seq) LIMIT ${MAX_COUNTED_AHEAD + 1}) AS before) AS ahead,
        job.locked_until_ms, job.pending_deps, rate_limit.points, rate_limit.expire_at_ms
      FROM (VALUES (1)) AS always
      LEFT JOIN ${schema}.job ON job.queue = $1 AND job.id = $2
      LEFT JOIN ${schema}.rate_limit ON rate_limit.queue = $1`, [queue.name, found.job.id]),
    readSettings(read, [queue])
  ])
  const at = Number(row!.at)
  const spanEndsAt = numberFrom(row!.expire_at_ms)
  return standingFrom(found, at, {
    settings: settings!,
    running: Number(row!.active),
    ahead: { count: Number(row!.ahead), isCut: false },
    rateSpan: spanEndsAt !== null && spanEndsAt > at ? { started: Number(row!.points), endsAt: spanEndsAt } : null,
    lockedUntil: numberFrom(row!.locked_until_ms),
    children: row!.pending_deps
  })
}

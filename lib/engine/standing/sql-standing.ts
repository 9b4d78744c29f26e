import type { SqlStore } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { jobFromSql, SQL_JOB_FIELDS, type SqlJobRow } from '../jobs/sql-job.ts'
import { pauseFromJson } from '../pausing/queue-pause.ts'
import { belongTogether } from '../pausing/sql-pause.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { WITH_HELD_QUEUES } from '../queues/sql-held-queues.ts'
import { MAX_ACTIVE_LOOKED_AT, MAX_COUNTED_AHEAD, MAX_DUE_LOOKED_AT, type StandingJob } from './standing.ts'
import { storedNumber } from '../../json/stored-number.ts'

type Num = string | number

interface StandingRow extends SqlJobRow {
  readonly queue: string
  readonly now_ms: Num
  readonly due_ms: Num | null
  readonly could_start: boolean
  readonly ahead: Num
  readonly due_ahead: Num
  readonly due_looked_at: Num
  readonly meta: Readonly<Record<string, string | null>> | null
  readonly pause: string | null
  readonly started: Num | null
  readonly span_ends_ms: Num | null
  readonly locked_until_ms: Num | null
  readonly pending_deps: number
  readonly active: ReadonlyArray<{ readonly worker: string | null; readonly locked: boolean | null; readonly count: number }> | null
}

/** One statement, so that everything comes from one snapshot. */
export async function readStandingInSql(
  store: SqlStore, { names, isFew, has }: QueueSelection, id: string
): Promise<StandingJob | null> {
  const [text, others] = isFew ? [IN_FEW, [names]] : [IN_ALL, []]
  const { rows } = await store.requestPool.query<StandingRow>(inQueueSchema(store, text), [id, ...others])
  const row = rows.find(({ queue }) => has(queue))
  return row === undefined ? null : toStandingJob(row)
}

function toStandingJob(row: StandingRow): StandingJob {
  const { meta } = row
  const at = Number(row.now_ms)
  const [waiting, due, dueLookedAt] = [Number(row.ahead), Number(row.due_ahead), Number(row.due_looked_at)]
  const isExact = waiting <= MAX_COUNTED_AHEAD && dueLookedAt <= MAX_DUE_LOOKED_AT
  const max = storedNumber(meta?.['max'])
  const endsAt = storedNumber(row.span_ends_ms)
  const lockedUntil = storedNumber(row.locked_until_ms)
  const active = row.active ?? []
  const total = active.reduce((sum, { count }) => sum + count, 0)
  return {
    job: jobFromSql(row.queue, row),
    at,
    state: row.job_state,
    dueAt: row.job_state === 'delayed' ? storedNumber(row.due_ms) : null,
    ahead: row.could_start
      ? { value: Math.min(waiting, MAX_COUNTED_AHEAD) + due, relation: isExact ? 'exact' : 'at_least' }
      : null,
    pause: meta?.['paused'] === '1' ? pauseFromJson(row.pause) : null,
    concurrencyLimit: storedNumber(meta?.['concurrency']),
    rateLimit: max === null ? null : { max, durationMs: storedNumber(meta?.['duration']) },
    rateSpan: endsAt === null || endsAt <= at ? null : { started: Number(row.started), endsAt },
    active: {
      total,
      isAll: total <= MAX_ACTIVE_LOOKED_AT,
      byWorker: new Map(active.flatMap(({ worker, locked, count }) => worker === null || locked !== true ? [] : [[worker, count]]))
    },
    lockedUntil: row.job_state === 'active' && lockedUntil !== null && lockedUntil > at ? lockedUntil : null,
    children: row.job_state === 'waiting-children' ? row.pending_deps : null
  }
}

const CLOCK = '(SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms)'

// Workers take the waiting job with the lowest priority number, then the lowest seq. Before that, they turn due delayed jobs into waiting
// ones, which keep their seq.
const standingIn = (source: string): string => `
SELECT job.queue, ${SQL_JOB_FIELDS}, NULL AS failed_reason, NULL AS stacktrace, NULL AS progress, clock.now_ms,
  job.process_at_ms AS due_ms, place.could_start, job.locked_until_ms, job.pending_deps,
  CASE WHEN place.could_start THEN (
    SELECT count(*) FROM (SELECT 1 FROM {queue}.job AS other WHERE other.queue = job.queue AND other.state = 'waiting'
      AND (other.priority, other.seq) < (job.priority, job.seq) LIMIT ${MAX_COUNTED_AHEAD + 1}) AS others
  ) ELSE 0 END AS ahead,
  due.ahead AS due_ahead, due.looked_at AS due_looked_at,
  (SELECT json_object_agg(field, value) FROM {queue}.meta
    WHERE meta.queue = job.queue AND field IN ('paused', 'concurrency', 'max', 'duration')) AS meta,
  (SELECT known.value FROM {queue}.meta AS flag JOIN {queue}.meta AS known ON ${belongTogether('known', 'flag')}
    WHERE flag.queue = job.queue AND flag.field = 'paused') AS pause,
  span.points AS started, span.expire_at_ms AS span_ends_ms,
  (SELECT json_agg(json_build_object('worker', processed_by, 'locked', locked, 'count', count)) FROM (
    SELECT processed_by, locked_until_ms > clock.now_ms AS locked, count(*) AS count FROM (
      SELECT other.processed_by, other.locked_until_ms FROM {queue}.job AS other
      WHERE other.queue = job.queue AND other.state = 'active' LIMIT ${MAX_ACTIVE_LOOKED_AT + 1}) AS looked_at
    GROUP BY 1, 2) AS counted) AS active
FROM ${source}
CROSS JOIN ${CLOCK} AS clock
CROSS JOIN LATERAL (
  SELECT job.state = 'waiting' OR (job.state = 'delayed' AND job.process_at_ms <= clock.now_ms) AS could_start
) AS place
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE (priority, seq) < (job.priority, job.seq)) AS ahead, count(*) AS looked_at FROM (
    SELECT other.priority, other.seq FROM {queue}.job AS other
    WHERE place.could_start AND other.queue = job.queue AND other.state = 'delayed' AND other.process_at_ms <= clock.now_ms
    ORDER BY other.process_at_ms LIMIT ${MAX_DUE_LOOKED_AT + 1}) AS due_ones
) AS due
LEFT JOIN {queue}.rate_limit AS span ON span.queue = job.queue`

const IN_FEW = `${standingIn('{queue}.job')}
WHERE job.queue = ANY($2::text[]) AND job.id = $1`

const IN_ALL = `${WITH_HELD_QUEUES}
${standingIn('held CROSS JOIN LATERAL (SELECT * FROM {queue}.job WHERE job.queue = held.queue AND job.id = $1 LIMIT 1) AS job')}`

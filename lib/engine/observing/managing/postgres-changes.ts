import type { ChangeStatement } from '../../../stores/postgres/observing/change-database.ts'
import { MANAGED_MAJORS, VERSION_PREFIX } from './managed-versions.ts'

/*
 * Changes to the tables of BullMQ 6, made by its own functions, in one statement each. A statement first locks and checks the row that it
 * changes, so that no worker takes it in between.
 */

/** Locks the row of a job and reads its state. $1: queue, $2: id. */
const found = (schema: string, lock = 'FOR UPDATE'): string => `found AS MATERIALIZED (
  SELECT state, priority, finished_at_ms, scheduler_id, parent_id, opts -> 'lifo' = 'true'::jsonb AS is_last,
    lock_token IS NOT NULL AND locked_until_ms > (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS is_locked
  FROM ${schema}.job WHERE queue = $1 AND id = $2 ${lock})`

/**
 * The same for a removal, with the deduplication key that the job holds. BullMQ locks a key before the job that it replaces, but a job that
 * ends before its key. Waiting for one of the two locks while holding the other could end calls of the owner in a deadlock. So this waits
 * for neither: it fails with LOCKED.
 */
const foundWithKey = (schema: string): string => `key AS MATERIALIZED (
  SELECT 1 FROM ${schema}.dedup WHERE queue = $1 AND job_id = $2
    AND dedup_id = (SELECT dedup_id FROM ${schema}.job WHERE queue = $1 AND id = $2) FOR UPDATE NOWAIT),
${found(schema, 'AND (SELECT count(*) FROM key) >= 0 FOR UPDATE NOWAIT')}`

/** SQLSTATE lock_not_available. Nothing was changed. */
export const LOCKED = '55P03'

export const isOwnersVersion = (schema: string, queue = '$1'): string =>
  `EXISTS (SELECT FROM ${schema}.meta WHERE queue = ${queue} AND field = 'version'
    AND value LIKE ANY('{${MANAGED_MAJORS.postgres.map(major => `${VERSION_PREFIX}${major}.%`).join()}}'))`

/** Whether a job has children with one of these statuses. */
const hasChildren = (schema: string, statuses: string): string => `EXISTS (
  SELECT FROM ${schema}.job_dependency WHERE parent_queue = $1 AND parent_id = $2 AND status IN (${statuses}))`

/** Evaluates `change` only if `refusal` is null, because CASE evaluates in order. */
const unless = (refusal: string, change: string): string => `
  SELECT CASE WHEN refusal IS NOT NULL THEN refusal ELSE ${change} END AS outcome
  FROM (SELECT ${refusal} AS refusal, found.* FROM (VALUES (1)) AS always LEFT JOIN found ON true OFFSET 0) AS judged`

/** As `job.retry()`. $3: when it failed. */
export const RETRY_ROW: ChangeStatement = schema => `WITH ${found(schema)} ${unless(`CASE
    WHEN NOT ${isOwnersVersion(schema)} THEN 'other_version'
    WHEN state IS NULL THEN 'gone'
    WHEN state <> 'failed' OR finished_at_ms IS DISTINCT FROM $3::bigint THEN 'moved'
    WHEN parent_id IS NOT NULL OR ${hasChildren(schema, `'pending', 'failed'`)} THEN 'in_flow'
  END`, `
    CASE ${schema}.reprocess_job($1, $2, 'failed', coalesce(is_last, false), false, false) WHEN 1 THEN 'retried' ELSE 'moved' END`)}`

const NOT_STARTED = (schema: string): string => `
    WHEN NOT ${isOwnersVersion(schema)} THEN 'other_version'
    WHEN state IS NULL OR state IN ('completed', 'failed') THEN 'over'
    WHEN state = 'active' OR is_locked THEN 'running'`

const IN_FLOW = (schema: string): string => `
    WHEN parent_id IS NOT NULL OR state = 'waiting-children' OR
      ${hasChildren(schema, `'pending', 'processed', 'ignored', 'failed'`)} THEN 'in_flow'`

/** As `job.remove()`, which refuses a job that a job scheduler added, even if it has run and was retried. */
export const REMOVE_ROW: ChangeStatement = schema => `WITH ${foundWithKey(schema)} ${unless(`CASE ${NOT_STARTED(schema)}
    WHEN scheduler_id IS NOT NULL THEN 'planned' ${IN_FLOW(schema)}
  END`, `CASE ${schema}.remove($1, $2, false) WHEN 1 THEN 'removed' ELSE 'over' END`)}`

/** As `job.changePriority()`. $3: the priority. */
export const CHANGE_PRIORITY_OF_ROW: ChangeStatement = schema => `WITH ${found(schema)} ${unless(`CASE ${NOT_STARTED(schema)}
    WHEN EXISTS (SELECT FROM ${schema}.scheduler WHERE queue = $1 AND scheduler.scheduler_id = found.scheduler_id
      AND $2 = 'repeat:' || scheduler.scheduler_id || ':' || next_run_ms) THEN 'planned' ${IN_FLOW(schema)}
    WHEN priority = $3::int THEN 'changed'
  END`, `CASE ${schema}.change_priority($1, $2, $3::int, false) WHEN 0 THEN 'changed' ELSE 'over' END`)}`

/**
 * As `queue.add()`. If a job with this id exists, the same request has added it before. $2: id, $3: name, $4 and $5: data and options as
 * JSON, $6: priority, $7: delay in milliseconds, $8: now.
 */
export const ADD_ROW: ChangeStatement = schema => `
  SELECT CASE
    WHEN NOT ${isOwnersVersion(schema)} THEN 'other_version'
    WHEN EXISTS (SELECT FROM ${schema}.job WHERE queue = $1 AND id = $2) THEN 'added'
    WHEN ${schema}.add_job($1, $2, $3, $4::jsonb, $5::jsonb, $6::int, $7::bigint, $8::bigint, 0, NULL, NULL, NULL, NULL, NULL, false)
      IS NOT NULL THEN 'added'
  END AS outcome`

/** As `queue.pause()` and `queue.resume()`. $2: whether to pause. */
export const PAUSE_ROWS: ChangeStatement = schema => `
  SELECT CASE
    WHEN NOT ${isOwnersVersion(schema)} THEN 'other_version'
    WHEN EXISTS (SELECT FROM ${schema}.meta WHERE queue = $1 AND field = 'paused' AND value = '1') = $2::boolean THEN 'done'
    ELSE coalesce(nullif(${schema}.pause($1, $2::boolean)::text, ''), 'done')
  END AS outcome`

import { GIVEN, toCaller, type ChangeStatement } from '../../../stores/postgres/observing/change-database.ts'
import { PLANNED_ID_PREFIX } from '../../schedulers/planned-job-id.ts'
import { MANAGED_MAJORS } from './managed-versions.ts'
import { isOwnersVersion } from './postgres-changes.ts'

/** Starts `producer_id` of a scheduler that this package has edited. BullMQ empties it when the owner's code writes the scheduler. */
export const EDITED_PREFIX = 'task-dashboard:'

/** SQL: how the id of a planned job starts, as `plannedJobId` writes it. */
const RUN_START = `'${PLANNED_ID_PREFIX}' || (it ->> 'id') || ':'`

/** The table that PLAN_ROW needs for itself. */
export const PLANNED_TABLE = 'scheduler'

/**
 * Moves the next run of a job scheduler, as PLAN_SCHEDULER does on Redis: its job stays, and gets the id that BullMQ would give it. The
 * function `add_job_scheduler` first reads when the next run is planned, without a lock, and later removes the job that has this time in
 * its id. If the job were moved in between, the owner would add a second one, and the moved one would run as well. So nobody else may even
 * read schedulers meanwhile: whoever has read one holds a lock on the table until it has changed the job. Waiting for the lock of the job
 * could end a call of the owner in a deadlock, so this does not wait.
 *
 * For `runAlone` on PLANNED_TABLE. Given: `queue`, `id`, `planned`, `to`, `now`; `knownOpts`, `opts` and `data` of the job as JSON or null;
 * `fields` of the scheduler with their new values, or null.
 */
export const PLAN_ROW: ChangeStatement = schema => `WITH given AS MATERIALIZED (
  SELECT it ->> 'queue' AS queue, it ->> 'id' AS id, (it ->> 'planned')::bigint AS planned, (it ->> 'to')::bigint AS due,
    (it ->> 'now')::bigint AS now, greatest((it ->> 'to')::bigint - (it ->> 'now')::bigint, 0) AS delay,
    (it ->> 'knownOpts')::jsonb AS known_opts, (it ->> 'opts')::jsonb AS opts, (it ->> 'data')::jsonb AS data,
    nullif(it -> 'fields', 'null'::jsonb) AS fields, ${RUN_START} || (it ->> 'planned') AS job_id,
    ${RUN_START} || (it ->> 'to') AS next_id
  FROM (SELECT ${GIVEN} AS it) AS all_given),
found AS MATERIALIZED (
  SELECT job.* FROM ${schema}.job JOIN given ON job.queue = given.queue AND job.id = given.job_id FOR UPDATE OF job NOWAIT),
judged AS MATERIALIZED (
  SELECT given.*, CASE
    WHEN NOT ${isOwnersVersion(schema, 'given.queue')} OR EXISTS (
      SELECT FROM ${schema}.migration WHERE min_client_version > ${Math.max(...MANAGED_MAJORS.postgres)}) THEN 'other_version'
    WHEN scheduler.queue IS NULL THEN 'gone'
    WHEN scheduler.next_run_ms IS DISTINCT FROM given.planned THEN 'changed'
    WHEN found.state IS NULL OR found.state NOT IN ('delayed', 'waiting') THEN 'between'
    WHEN found.parent_id IS NOT NULL OR EXISTS (
      SELECT FROM ${schema}.job_dependency WHERE parent_queue = given.queue AND job_dependency.parent_id = given.job_id) THEN 'in_flow'
    WHEN found.dedup_id IS NOT NULL OR found.opts ?| '{de,deduplication}' THEN 'deduplicated'
    WHEN found.opts <> given.known_opts THEN 'changed'
    WHEN given.due <> given.planned
      AND EXISTS (SELECT FROM ${schema}.job WHERE job.queue = given.queue AND job.id = given.next_id) THEN 'taken'
    ELSE 'planned'
  END AS outcome
  FROM given LEFT JOIN found ON true
    LEFT JOIN ${schema}.scheduler ON scheduler.queue = given.queue AND scheduler.scheduler_id = given.id),
planned AS MATERIALIZED (SELECT * FROM judged WHERE outcome = 'planned'),
of_scheduler AS (
  UPDATE ${schema}.scheduler SET next_run_ms = due,
    pattern = CASE WHEN fields IS NULL THEN pattern ELSE fields ->> 'pattern' END,
    every_ms = CASE WHEN fields IS NULL THEN every_ms ELSE (fields ->> 'every')::bigint END,
    tz = CASE WHEN fields IS NULL THEN tz ELSE fields ->> 'tz' END,
    offset_ms = CASE WHEN fields IS NULL THEN offset_ms ELSE coalesce((fields ->> 'offset')::bigint, 0) END,
    template_data = CASE WHEN fields IS NULL THEN template_data ELSE coalesce((fields ->> 'data')::jsonb, '{}') END,
    producer_id = CASE WHEN fields IS NULL THEN producer_id ELSE '${EDITED_PREFIX}' || (fields ->> 'taskDashboard') END
  FROM planned WHERE scheduler.queue = planned.queue AND scheduler.scheduler_id = planned.id),
of_logs AS (
  UPDATE ${schema}.job_log SET job_id = next_id
  FROM planned WHERE due <> planned AND job_log.queue = planned.queue AND job_log.job_id = planned.job_id),
of_job AS (
  UPDATE ${schema}.job SET opts = coalesce(planned.opts, job.opts), data = coalesce(planned.data, job.data)
  FROM planned WHERE due = planned AND job.queue = planned.queue AND job.id = planned.job_id),
moved AS (
  UPDATE ${schema}.job SET id = next_id, seq = nextval('${schema.replaceAll("'", "''")}.job_seq'), state = 'delayed',
    process_at_ms = due, delay_ms = delay, added_at_ms = now, data = coalesce(planned.data, job.data),
    opts = coalesce(planned.opts, job.opts) || jsonb_build_object('delay', delay, 'jobId', next_id)
  FROM planned WHERE due <> planned AND job.queue = planned.queue AND job.id = planned.job_id)
SELECT ${toCaller('outcome')}, CASE WHEN outcome = 'planned' THEN pg_notify('bullmq_jobs', queue) END FROM judged`

/**
 * Adds a job from a scheduler's template, as `queue.add()` with an id. The scheduler and its next run stay as they are. $1: queue, $2: id
 * of the scheduler, $3: id of the job, $4: now, $5: options of the template as they were read or '', $6: options of the job, $7: priority.
 */
export const RUN_ROW: ChangeStatement = schema => `WITH template AS MATERIALIZED (
  SELECT coalesce(name, scheduler_id) AS name, coalesce(template_data, '{}') AS data, template_opts AS opts
  FROM ${schema}.scheduler WHERE queue = $1 AND scheduler_id = $2)
SELECT CASE
    WHEN NOT ${isOwnersVersion(schema)} THEN 'other_version'
    WHEN name IS NULL THEN 'gone'
    WHEN opts IS DISTINCT FROM nullif($5::text, '')::jsonb THEN 'changed'
    WHEN EXISTS (SELECT FROM ${schema}.job WHERE queue = $1 AND id = $3) THEN 'added'
    WHEN ${schema}.add_job($1, $3, name, data, $6::jsonb, $7::int, 0, $4::bigint, coalesce(($6::jsonb ->> 'attempts')::int, 1),
      NULL, NULL, NULL, NULL, NULL, coalesce(($6::jsonb ->> 'lifo')::boolean, false)) IS NOT NULL THEN 'added'
  END AS outcome
FROM (VALUES (1)) AS always LEFT JOIN template ON true`

import type { Component } from '../../stores/postgres/migrate.ts'
import type { SqlStore } from '../../stores/store.ts'
import { FAILED_ALONE, TASK_BY_DURATION, TOOK_CLASS, TOOK_LONG } from './index-columns.ts'

/**
 * The tables of the history, as migration steps. Never edit a released step. `COLLATE "C"` sorts by bytes, whatever the database's locale.
 * A list of all statuses merges two index scans, so each filter needs one index.
 */
export const LEDGER: Component = {
  name: 'result-backend',
  steps: [`
CREATE TABLE executions (
  execution_id text COLLATE "C" PRIMARY KEY,
  finished_at bigint NOT NULL,
  failed boolean NOT NULL,
  task_name text COLLATE "C" NOT NULL,
  queue text NOT NULL,
  state text NOT NULL,
  attempt integer NOT NULL,
  max_attempts integer NOT NULL,
  priority integer NOT NULL,
  submitted_at bigint NOT NULL,
  started_at bigint,
  wait_ms double precision,
  duration_ms double precision,
  schedule_id text COLLATE "C",
  retry_of text,
  worker_id text,
  progress text,
  error_type text,
  error_message text,
  error_group text
);
CREATE INDEX executions_by_finish ON executions (failed, finished_at, execution_id);
CREATE INDEX executions_by_task ON executions (task_name, failed, finished_at, execution_id);
CREATE INDEX executions_by_schedule ON executions (schedule_id, task_name, failed, finished_at, execution_id) WHERE schedule_id IS NOT NULL;

-- Payloads, which lists never read. Only for executions that have one.
CREATE TABLE execution_payloads (execution_id text COLLATE "C" PRIMARY KEY, payload text NOT NULL);

CREATE TABLE execution_attempts (
  execution_id text COLLATE "C",
  attempt integer,
  -- Null once the execution is recorded: its attempts then stay with it.
  expires_at bigint,
  payload text NOT NULL,
  PRIMARY KEY (execution_id, attempt)
);
CREATE INDEX execution_attempts_by_expiry ON execution_attempts (expires_at) WHERE expires_at IS NOT NULL;

-- All-time counters: scope overall (name ''), task or schedule.
CREATE TABLE execution_totals (
  scope text,
  name text COLLATE "C",
  success bigint NOT NULL,
  failed bigint NOT NULL,
  duration_ms double precision NOT NULL,
  last_finished_at bigint NOT NULL,
  last_execution_id text COLLATE "C" NOT NULL,
  last_failed boolean NOT NULL,
  last_duration_ms double precision NOT NULL,
  PRIMARY KEY (scope, name)
) WITH (fillfactor = 50);

-- Span: minute (overall only) or hour (a row per task, and one overall). Histograms as bin:count,bin:count.
CREATE TABLE execution_rollups (
  span text,
  start bigint,
  task_name text COLLATE "C",
  success bigint NOT NULL,
  failed bigint NOT NULL,
  duration text NOT NULL,
  wait text NOT NULL,
  PRIMARY KEY (span, start, task_name)
) WITH (fillfactor = 50);

CREATE TABLE execution_watermarks (task_name text COLLATE "C" PRIMARY KEY, finished_before bigint NOT NULL);

CREATE TABLE execution_ledger (since bigint NOT NULL);
INSERT INTO execution_ledger (since) VALUES (floor(extract(epoch FROM now()) * 1000));
`, `
-- The searchable text of an execution; see search-text.ts.
ALTER TABLE executions ADD COLUMN search tsvector;
-- Every search reads the list of pending entries: short enough to stay fast, long enough for efficient merging.
CREATE INDEX executions_by_text ON executions USING gin (search) WITH (gin_pending_list_limit = 1024);

-- Uses an expression that no other filter contains. So lists of a task, a worker or a group can only use their own index, whatever the
-- planner assumes about their frequency.
DROP INDEX executions_by_finish;
CREATE INDEX executions_by_finish ON executions (${FAILED_ALONE}, finished_at, execution_id) INCLUDE (failed);
ALTER TABLE executions ALTER COLUMN worker_id TYPE text COLLATE "C", ALTER COLUMN error_group TYPE text COLLATE "C";
CREATE INDEX executions_by_worker ON executions (worker_id, failed, finished_at, execution_id) WHERE worker_id IS NOT NULL;
CREATE INDEX executions_by_group ON executions (error_group, failed, finished_at, execution_id) WHERE error_group IS NOT NULL;
CREATE INDEX executions_by_duration ON executions (${TOOK_CLASS}, finished_at, execution_id) INCLUDE (duration_ms) WHERE ${TOOK_LONG};

-- Number of rows in executions: retention lowers it; it stays when the counters of a schedule are deleted.
ALTER TABLE execution_totals ADD COLUMN kept_success bigint NOT NULL DEFAULT 0, ADD COLUMN kept_failed bigint NOT NULL DEFAULT 0;
UPDATE execution_totals SET kept_success = success, kept_failed = failed WHERE scope <> 'schedule';
INSERT INTO execution_totals (scope, name, success, failed, duration_ms, last_finished_at, last_execution_id, last_failed, last_duration_ms,
  kept_success, kept_failed)
  SELECT 'schedule', schedule_id, 0, 0, 0, 0, '', false, 0, count(*) FILTER (WHERE NOT failed), count(*) FILTER (WHERE failed)
  FROM executions WHERE schedule_id IS NOT NULL GROUP BY schedule_id
  ON CONFLICT (scope, name) DO UPDATE SET kept_success = excluded.kept_success, kept_failed = excluded.kept_failed;
-- The latest finish time of any execution that retention removed.
ALTER TABLE execution_ledger ADD COLUMN pruned_before bigint;

-- Failures that differ only in ids, numbers and paths. Type, message and frame are those of the last one.
CREATE TABLE failure_groups (
  error_group text COLLATE "C" PRIMARY KEY,
  type text NOT NULL,
  message text NOT NULL,
  frame text,
  count bigint NOT NULL,
  first_seen_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  last_execution_id text COLLATE "C" NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX failure_groups_by_last_seen ON failure_groups (last_seen_at, error_group);
CREATE TABLE failure_group_tasks (
  error_group text COLLATE "C",
  task_name text COLLATE "C",
  count bigint NOT NULL,
  PRIMARY KEY (error_group, task_name)
) WITH (fillfactor = 50);
-- Hour: hours since the epoch.
CREATE TABLE failure_group_hours (
  error_group text COLLATE "C",
  hour bigint,
  task_name text COLLATE "C",
  count bigint NOT NULL,
  PRIMARY KEY (error_group, hour, task_name)
) WITH (fillfactor = 50);
CREATE INDEX failure_group_hours_by_hour ON failure_group_hours (hour);
INSERT INTO failure_groups
  SELECT DISTINCT ON (error_group) error_group, coalesce(error_type, 'Error'), coalesce(error_message, ''), NULL,
    count(*) OVER same, min(finished_at) OVER same, finished_at, execution_id
  FROM executions WHERE failed AND error_group IS NOT NULL
  WINDOW same AS (PARTITION BY error_group)
  ORDER BY error_group, finished_at DESC, execution_id DESC;
INSERT INTO failure_group_tasks SELECT error_group, task_name, count(*) FROM executions WHERE failed AND error_group IS NOT NULL
  GROUP BY 1, 2;
INSERT INTO failure_group_hours
  SELECT error_group, floor(finished_at / 3600000.0), task_name, count(*) FROM executions WHERE failed AND error_group IS NOT NULL
    GROUP BY 1, 2, 3;
`, `
-- The retries of an execution, which are few.
CREATE INDEX executions_by_origin ON executions (retry_of, finished_at, execution_id) WHERE retry_of IS NOT NULL;
`, `
CREATE INDEX executions_by_task_duration ON executions (${TASK_BY_DURATION}, duration_ms) WHERE ${TOOK_LONG};
`, `
-- Executions that retention removed and the broker may still have, so that they are not recorded again.
CREATE TABLE execution_pruned (execution_id text COLLATE "C" PRIMARY KEY, finished_at bigint NOT NULL);
CREATE INDEX execution_pruned_by_finish ON execution_pruned (finished_at);
`, `
-- Number of executions with a duration. The last one's may be unknown; it began when it started, or else when it was submitted.
ALTER TABLE execution_totals ADD COLUMN timed bigint NOT NULL DEFAULT 0, ADD COLUMN last_began_at bigint NOT NULL DEFAULT 0,
  ALTER COLUMN last_duration_ms DROP NOT NULL;
UPDATE execution_totals SET timed = success + failed, last_began_at = last_finished_at - round(last_duration_ms);
`, `
-- Null: cancelled, which is neither. There are few, and IS NULL gives no order, so they have indexes of their own.
ALTER TABLE executions ALTER COLUMN failed DROP NOT NULL;
CREATE INDEX executions_cancelled_by_finish ON executions (finished_at, execution_id) WHERE failed IS NULL;
CREATE INDEX executions_cancelled_by_task ON executions (task_name, finished_at, execution_id) WHERE failed IS NULL;
CREATE INDEX executions_cancelled_by_schedule ON executions (schedule_id, task_name, finished_at, execution_id)
  WHERE failed IS NULL AND schedule_id IS NOT NULL;
CREATE INDEX executions_cancelled_by_worker ON executions (worker_id, finished_at, execution_id)
  WHERE failed IS NULL AND worker_id IS NOT NULL;
CREATE INDEX executions_cancelled_by_group ON executions (error_group, finished_at, execution_id)
  WHERE failed IS NULL AND error_group IS NOT NULL;
`, `
-- What a person decided about a group. Failures that finished up to resolved_through are resolved; null while the group is open.
ALTER TABLE failure_groups ADD COLUMN resolved_through bigint, ADD COLUMN decided_at bigint, ADD COLUMN decided_by text,
  ADD COLUMN note text;
`, `
-- Set if the group was resolved by itself: so many failures are resolved, and any other makes it regress.
ALTER TABLE failure_groups ADD COLUMN resolved_count bigint;
`, `
-- When the decision that resolved_count belongs to was made: versions that do not know that column leave it beside their own decision.
ALTER TABLE failure_groups ADD COLUMN counted_at bigint;
`, `
-- The bulk operation that decided, null if none did, and when: older versions leave these columns as they are beside their own decision.
ALTER TABLE failure_groups ADD COLUMN operation_id text, ADD COLUMN operation_at bigint;
`]
}

/** Table names with their schema. */
export function ledgerTables(store: SqlStore) {
  const table = (name: string): string => `"${store.schema}".${name}`
  return {
    executions: table('executions'),
    payloads: table('execution_payloads'),
    attempts: table('execution_attempts'),
    totals: table('execution_totals'),
    rollups: table('execution_rollups'),
    pruned: table('execution_pruned'),
    watermarks: table('execution_watermarks'),
    ledger: table('execution_ledger'),
    failureGroups: table('failure_groups'),
    failureGroupTasks: table('failure_group_tasks'),
    failureGroupHours: table('failure_group_hours')
  } as const
}

export type LedgerTables = ReturnType<typeof ledgerTables>

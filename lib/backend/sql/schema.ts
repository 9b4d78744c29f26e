import type { SqlStore } from '../../stores/store.ts'

/**
 * The tables of the ledger, step by step; steps that were released are never edited. `COLLATE "C"`: by bytes, whatever the
 * locale of the database. A list of all statuses merges two index scans, so each filter needs one index.
 */
export const LEDGER_MIGRATIONS: readonly string[] = [`
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

-- What lists never read. Only of executions that have any of it.
CREATE TABLE execution_payloads (execution_id text COLLATE "C" PRIMARY KEY, payload text NOT NULL);

CREATE TABLE execution_attempts (
  execution_id text COLLATE "C",
  attempt integer,
  -- Null once the execution is recorded: from then on they stay with it.
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

-- Span: minute (overall only) or hour (a row a task, and one overall). Histograms as bin:count,bin:count.
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
`]

/** Names of the tables, with their schema. */
export function ledgerTables(store: SqlStore) {
  const table = (name: string): string => `"${store.schema}".${name}`
  return {
    executions: table('executions'),
    payloads: table('execution_payloads'),
    attempts: table('execution_attempts'),
    totals: table('execution_totals'),
    rollups: table('execution_rollups'),
    watermarks: table('execution_watermarks'),
    ledger: table('execution_ledger')
  } as const
}

export type LedgerTables = ReturnType<typeof ledgerTables>

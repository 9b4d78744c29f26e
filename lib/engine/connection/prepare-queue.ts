import { BULLMQ_MAJOR_VERSION, LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq'
import { createTaskDashboardError } from '../../errors.ts'
import { changeTables } from '../../stores/postgres/migrate.ts'
import type { SqlStore } from '../../stores/store.ts'

/** Creates or migrates BullMQ's tables and functions. If they are current it only reads, so that rights on the rows are enough. */
export async function prepareQueue(store: SqlStore, schema: string): Promise<void> {
  if (await isPrepared(store.query, schema)) return
  await changeTables(store, schema, async query => {
    if (await isPrepared(query, schema)) return
    await runMigrations(withinTransaction(query) as never, schema, { skipVersionCheck: true }).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'SchemaVersionMismatchError') throw error
      throw createTaskDashboardError(
        'STORE_UNSUITABLE',
        ['broker', store.label, `the tables in the schema ${schema} were made by a newer version of BullMQ: update this package`]
      )
    })
    for (const statement of ownStatements(schema)) await query(statement)
  })
}

/** Idempotent statements for what we change in BullMQ's schema. */
export function ownStatements(schema: string): readonly string[] {
  return [
    `DROP TRIGGER IF EXISTS drop_event ON "${schema}".event`,
    `CREATE OR REPLACE FUNCTION "${schema}".publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint LANGUAGE sql AS ` +
      `'${OWN_FUNCTIONS.publish_event}'`,
    // Some functions insert events without `publish_event`.
    `CREATE OR REPLACE FUNCTION "${schema}".drop_event() RETURNS trigger LANGUAGE plpgsql AS '${OWN_FUNCTIONS.drop_event}'`,
    `CREATE TRIGGER drop_event BEFORE INSERT ON "${schema}".event FOR EACH ROW EXECUTE FUNCTION "${schema}".drop_event()`,
    `TRUNCATE "${schema}".event`,
    // Well above anything the queues' own sequences handed out before.
    `CREATE SEQUENCE IF NOT EXISTS "${schema}".shared_job_ids START WITH 1000000000000`,
    `CREATE OR REPLACE FUNCTION "${schema}".job_id_seq_name(p_queue text) RETURNS text LANGUAGE sql IMMUTABLE AS ` +
      `'${OWN_FUNCTIONS.job_id_seq_name}'`
  ]
}

/**
 * No one reads the event table. BullMQ writes results, failures and progress to it, which would outlive retention and redaction. Dropping
 * events also saves writes per execution. BullMQ would create a sequence per queue on first use, for ids that we supply ourselves. One
 * shared sequence, created beforehand, means that our role needs no CREATE right.
 */
const OWN_FUNCTIONS = {
  publish_event: 'SELECT 0::bigint',
  drop_event: 'BEGIN RETURN NULL; END',
  job_id_seq_name: 'SELECT $$shared_job_ids$$'
} as const

async function isPrepared(query: SqlStore['query'], schema: string): Promise<boolean> {
  const { rows } = await query<{ name: string; source: string | null }>(
    `SELECT c.relname AS name, NULL AS source FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1
      AND c.relname = 'migration'
     UNION ALL SELECT p.proname, p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1
       AND p.proname = ANY($2)`,
    [schema, Object.keys(OWN_FUNCTIONS)])
  if (!rows.some(({ name }) => name === 'migration')) return false
  if (Object.entries(OWN_FUNCTIONS).some(([name, source]) => !rows.some(row => row.name === name && row.source === source))) return false
  const { rows: [found] } = await query<{ version: number; client: number }>(
    `SELECT coalesce(max(version), 0)::int AS version, coalesce(max(min_client_version), 0)::int AS client FROM "${schema}".migration`)
  return found!.version >= LATEST_SCHEMA_VERSION && found!.client <= BULLMQ_MAJOR_VERSION
}

/**
 * Ignores BullMQ's own BEGIN, COMMIT and ROLLBACK, because the caller has a transaction. Also ignores CREATE SCHEMA, which needs the right
 * to create schemas even if the schema exists already.
 */
function withinTransaction(query: SqlStore['query']): { query: SqlStore['query'] } {
  return {
    query: (text, parameters) =>
      /^(?:BEGIN|COMMIT|ROLLBACK|CREATE SCHEMA .*)$/.test(text) ? Promise.resolve({ rows: [], rowCount: 0 }) : query(text, parameters)
  }
}

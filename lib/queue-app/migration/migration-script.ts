import { LEDGER } from '../../backend/postgres/schema.ts'
import { queueScript } from '../../engine/connection/queue-script.ts'
import { ANSWERS } from '../../stores/answers/sql-answers.ts'
import { AUDIT } from '../../stores/audit/sql-audit.ts'
import { DOCUMENTS } from '../../stores/documents/sql-documents.ts'
import { lockOf, MIGRATIONS_TABLE, type Component } from '../../stores/postgres/migrate.ts'

/**
 * Everything a queue app needs in a PostgreSQL database, as SQL for the database owner: schemas, tables, functions, the migration records
 * and a role's rights. Idempotent, even on a schema from an older version.
 * @param role gets exactly the rights that a queue app needs; null for none
 */
export async function migrationScript(namespace: string, role: string | null): Promise<string> {
  const queue = `${namespace}_queue`
  return [
    '-- Tables of fastify-task-dashboard. It may be run again.',
    'BEGIN ISOLATION LEVEL READ COMMITTED;',
    `SELECT pg_advisory_xact_lock(hashtext('${lockOf(namespace)}'));`,
    ...[namespace, queue].map(createSchema),
    `SET LOCAL search_path TO "${namespace}";`,
    MIGRATIONS_TABLE.replace('CREATE TABLE ', 'CREATE TABLE IF NOT EXISTS ') + ';',
    ...[DOCUMENTS, ANSWERS, AUDIT, LEDGER].flatMap(stepsOf),
    `SET LOCAL search_path TO "${queue}";`,
    await queueScript(queue),
    ...role === null ? [] : grants(namespace, role).map(grant => `${grant};`),
    'COMMIT;',
    ''
  ].join('\n')
}

/** The rights for a queue app's role when someone else owns the tables. */
export function grants(namespace: string, role: string): readonly string[] {
  const queue = `${namespace}_queue`
  const to = `TO "${role.replaceAll('"', '""')}"`
  return [
    `GRANT USAGE ON SCHEMA "${namespace}", "${queue}" ${to}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${namespace}", "${queue}" ${to}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${queue}" ${to}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "${queue}" ${to}`,
    // BullMQ adds many jobs at once through a temporary table.
    `DO $grant$BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I ${to.replaceAll('\'', '\'\'').replaceAll('%', '%%')}', ` +
      'current_database()); END$grant$'
  ]
}

/** `IF NOT EXISTS` requires the right to create a schema even if it exists. */
function createSchema(schema: string): string {
  return `DO $schema$BEGIN IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${schema}') THEN CREATE SCHEMA ` +
    `"${schema}"; END IF; END$schema$;`
}

function stepsOf({ name, steps }: Component): string[] {
  return steps.map((sql, index) => `DO $migration$BEGIN
IF NOT EXISTS (SELECT FROM migrations WHERE component = '${name}' AND step = ${index + 1}) THEN
EXECUTE $step$${sql}$step$;
INSERT INTO migrations (component, step) VALUES ('${name}', ${index + 1});
END IF;
END$migration$;`)
}

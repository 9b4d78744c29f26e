import { firstOf } from '../../../collections/first-of.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { SqlStore, StoreOptions } from '../../store.ts'
import { migrateCommand } from '../migrate.ts'

interface Facts {
  readonly user: string
  readonly database: string
  readonly encoding: string
  readonly is_standby: boolean
  readonly is_read_only: boolean
  readonly isolation: string
  readonly may_create_schemas: boolean
  readonly may_create_temporary: boolean
  readonly schemas: readonly SchemaRights[]
  readonly lacking: readonly LackingRight[]
}

interface Server {
  readonly label: string
  /** Session settings would be lost, or would come from another application. */
  readonly isPooled: boolean
  readonly timeoutMs: number
}

interface SchemaRights {
  readonly name: string
  readonly tables: number
  readonly usage: boolean
  readonly create: boolean
}

interface LackingRight {
  readonly kind: 'TABLE' | 'SEQUENCE' | 'FUNCTION'
  readonly schema: string
  /** As written in a GRANT, without the schema. */
  readonly name: string
  readonly rights: readonly string[]
}

/**
 * Checks in one round trip everything that would otherwise fail later: whether the server accepts writes, its encoding, and every right of
 * our role on the existing tables. Rejects with STORE_UNSUITABLE, which says what to run.
 * @returns the default isolation level
 */
export async function checkRights(
  query: SqlStore['query'], { namespace, role }: StoreOptions, { label, isPooled, timeoutMs }: Server
): Promise<string> {
  const schemas = schemasOf(namespace, role)
  const facts = await readFacts(query, schemas, timeoutMs)
  const problem = problemOfServer(facts) ?? (isPooled ? problemBehindPooler(facts) : null) ?? problemOfRights(facts, schemas, namespace)
  if (problem !== null) throw createTaskDashboardError('STORE_UNSUITABLE', [role, label, problem])
  return facts.isolation
}

/**
 * The rights that the role lacks on existing schemas and tables, as part of a sentence; null if none. Rejects if the server does not answer
 * within `timeoutMs`.
 */
export async function findMissingRights(
  query: SqlStore['query'], { namespace, role }: Pick<StoreOptions, 'namespace' | 'role'>, timeoutMs: number
): Promise<string | null> {
  const { schemas, lacking } = await readFacts(query, schemasOf(namespace, role), timeoutMs)
  const closed = schemas.filter(({ usage }) => !usage).map(({ name }) => `USAGE on schema ${quoted(name)}`)
  const objects = lacking.map(({ kind, schema, name, rights }) => `${rights.join(', ')} on ${kind.toLowerCase()} ${quoted(schema)}.${name}`)
  const all = [...closed, ...objects]
  if (all.length === 0) return null
  return `its user lacks ${firstOf(all, MAX_NAMED)}`
}

async function readFacts(query: SqlStore['query'], schemas: readonly string[], timeoutMs: number): Promise<Facts> {
  const { rows } = await query<Facts>(FACTS, [schemas], { timeoutMs })
  return rows[0]!
}

function schemasOf(namespace: string, role: StoreOptions['role']): string[] {
  return role === 'broker' ? [namespace, `${namespace}_queue`] : [namespace]
}

function problemOfServer({ is_standby, is_read_only, encoding, user, database }: Facts): string | null {
  if (is_standby) return 'it is a standby, which accepts no writes: use the address of the primary'
  if (is_read_only) {
    const statement = `ALTER ROLE ${quoted(user)} IN DATABASE ${quoted(database)} SET default_transaction_read_only = off`
    return `its transactions are read-only: use the address of the primary, or run ${statement}`
  }
  if (encoding !== 'UTF8') {
    return `the encoding of the database ${quoted(database)} is ${encoding}, which cannot hold every text. ` +
      'Use another one: CREATE DATABASE tasks ENCODING \'UTF8\' LC_COLLATE \'C\' LC_CTYPE \'C\' TEMPLATE template0'
  }
  return null
}

function problemBehindPooler({ isolation, user, database }: Facts): string | null {
  if (isolation === 'read committed') return null
  return `its default_transaction_isolation is ${isolation}, under which workers that run at the same time fail, and behind a pooler it ` +
    'cannot be changed from here. Run ' +
    `ALTER ROLE ${quoted(user)} IN DATABASE ${quoted(database)} SET default_transaction_isolation = 'read committed'`
}

function problemOfRights(facts: Facts, wanted: readonly string[], namespace: string): string | null {
  const { user, database, may_create_schemas: mayCreate, may_create_temporary: mayCreateTemporary, schemas, lacking } = facts
  const statements: string[] = []
  let isIncomplete = false
  for (const name of wanted) {
    const found = schemas.find(schema => schema.name === name)
    if (found === undefined) {
      isIncomplete ||= !mayCreate
      continue
    }
    if (!found.usage) statements.push(`GRANT USAGE ON SCHEMA ${quoted(name)} TO ${quoted(user)}`)
    if (found.tables === 0 && !found.create) isIncomplete = true
  }
  if (isIncomplete) {
    return `the role ${quoted(user)} may not create the missing schemas and tables. Create them with ` +
      `${migrateCommand(namespace, user)}, ` +
      `or run GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(user)}`
  }
  if (wanted.length > 1 && !mayCreateTemporary) statements.push(`GRANT TEMPORARY ON DATABASE ${quoted(database)} TO ${quoted(user)}`)
  statements.push(...grantsOf(lacking, user))
  return statements.length === 0 ? null : `the role ${quoted(user)} lacks rights. Run, as their owner: ${statements.join('; ')}`
}

/** One GRANT per set of rights; for many tables, one on all tables of the schema. */
function grantsOf(lacking: readonly LackingRight[], user: string): string[] {
  const sets = new Map<string, LackingRight[]>()
  for (const each of lacking) {
    const key = `${each.kind} ${each.schema} ${each.rights.join()}`
    sets.set(key, [...sets.get(key) ?? [], each])
  }
  return [...sets.values()].map(set => {
    const { kind, schema, rights } = set[0]!
    const objects = set.length > MAX_NAMED
      ? `ALL ${kind}S IN SCHEMA ${quoted(schema)}`
      : `${kind} ${set.map(({ name }) => `${quoted(schema)}.${name}`).join(', ')}`
    return `GRANT ${rights.join(', ')} ON ${objects} TO ${quoted(user)}`
  })
}

const MAX_NAMED = 3

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Migration records only need to be readable. Nothing here uses BullMQ's relay. */
const FACTS = `
WITH wanted AS (SELECT oid, nspname FROM pg_namespace WHERE nspname = ANY($1)),
rights AS (
  SELECT 'TABLE' AS kind, nspname AS schema, quote_ident(relname) AS name, array_remove(ARRAY[
    CASE WHEN NOT has_table_privilege(c.oid, 'SELECT') THEN 'SELECT' END,
    CASE WHEN relname NOT IN ('migration', 'migrations') AND NOT has_table_privilege(c.oid, 'INSERT') THEN 'INSERT' END,
    CASE WHEN relname NOT IN ('migration', 'migrations') AND NOT has_table_privilege(c.oid, 'UPDATE') THEN 'UPDATE' END,
    CASE WHEN relname NOT IN ('migration', 'migrations') AND NOT has_table_privilege(c.oid, 'DELETE') THEN 'DELETE' END
  ], NULL) AS missing
  FROM pg_class c JOIN wanted n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND relname NOT LIKE 'relay\\_%'
  UNION ALL
  SELECT 'SEQUENCE', nspname, quote_ident(relname), CASE WHEN has_sequence_privilege(c.oid,
    'USAGE') THEN ARRAY[]::text[] ELSE ARRAY['USAGE'] END
  FROM pg_class c JOIN wanted n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND relname NOT LIKE 'relay\\_%'
  UNION ALL
  SELECT 'FUNCTION', nspname, quote_ident(proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')', ARRAY['EXECUTE']
  FROM pg_proc p JOIN wanted n ON n.oid = p.pronamespace WHERE NOT has_function_privilege(p.oid, 'EXECUTE') AND proname NOT LIKE 'relay\\_%'
)
SELECT current_user::text AS "user", current_database()::text AS database,
  (SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database())::text AS encoding,
  pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only')::boolean AS is_read_only,
  current_setting('default_transaction_isolation') AS isolation,
  has_database_privilege(current_database(), 'CREATE') AS may_create_schemas, has_database_privilege(current_database(),
    'TEMPORARY') AS may_create_temporary,
  (SELECT coalesce(json_agg(json_build_object(
    'name', nspname, 'usage', has_schema_privilege(oid, 'USAGE'), 'create', has_schema_privilege(oid, 'CREATE'),
    'tables', (SELECT count(*) FROM pg_class WHERE relnamespace = wanted.oid AND relkind IN ('r', 'p')))), '[]') FROM wanted) AS schemas,
  (SELECT coalesce(json_agg(json_build_object('kind', kind, 'schema', schema, 'name', name, 'rights', missing)
    ORDER BY kind, schema, name), '[]')
   FROM rights WHERE cardinality(missing) > 0) AS lacking`

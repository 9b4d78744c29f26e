import { createTaskDashboardError } from '../../../errors.ts'
import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import type { FoundQueues, ScanOptions } from '../observed-server.ts'
import { schemaOf } from './postgres-queue.ts'

/** How many other schemas of the database are searched, and how many queues of one schema are found. */
const MAX_OTHERS = 100
const MAX_QUEUES = 20_000

interface SchemaRow { readonly schema: string; readonly may: boolean; readonly is_wanted: boolean }

/**
 * Searches the wanted schemas for queues. A schema that cannot be read does not keep the others from being shown. Other schemas are only
 * searched if a wanted one has no queues, so that they can be suggested.
 * @param readOf reads one schema
 * @param known the queues of each schema as they were last read; this keeps it up to date
 */
export async function scanQueues(
  { read, readOf, label }: Pick<ReadDatabase, 'read' | 'label'> & { readonly readOf: (schema: string) => ReadDatabase['read'] },
  { prefixes }: Pick<ScanOptions, 'prefixes'>, known: Map<string, ReadonlySet<string>>
): Promise<FoundQueues> {
  const schemas = await read<SchemaRow>(`
    SELECT namespace.nspname AS schema, namespace.nspname = ANY($1::text[]) AS is_wanted,
      bool_and(has_schema_privilege(namespace.oid, 'USAGE') AND has_table_privilege(tables.oid, 'SELECT')) AS may
    FROM pg_class AS tables JOIN pg_namespace AS namespace ON namespace.oid = tables.relnamespace
    WHERE tables.relkind IN ('r', 'p') AND tables.relname IN ('job', 'meta', 'event', 'scheduler', 'job_log', 'rate_limit', 'dedup')
    GROUP BY namespace.nspname HAVING count(*) = 7 ORDER BY is_wanted DESC, namespace.nspname LIMIT $2`,
  [prefixes, prefixes.length + MAX_OTHERS])
  const wanted = schemas.filter(({ is_wanted: isWanted }) => isWanted)
  const open = wanted.filter(({ may }) => may).map(({ schema }) => schema)
  const closed = wanted.filter(({ may }) => !may).map(({ schema }) => schema)
  const refused = closed[0] ?? (schemas.some(({ may }) => may) ? undefined : schemas[0]?.schema)
  if (open.length === 0 && refused !== undefined)
    throw createTaskDashboardError('STORE_UNSUITABLE', ['broker', label, `its user may not read the tables of BullMQ. ${grantOf(refused)}`])
  for (const schema of known.keys()) if (!open.includes(schema)) known.delete(schema)
  const byPrefix = new Map<string, ReadonlySet<string>>()
  const unread = new Map(closed.map(schema =>
    [schema, `The user at ${label} may not read the tables of BullMQ under the prefix ${JSON.stringify(schema)}. ${grantOf(schema)}`]))
  const full = new Set<string>()
  const failures: unknown[] = []
  await Promise.all(open.map(async schema => {
    try {
      known.set(schema, await queuesIn(schema))
    } catch (error) {
      failures.push(error)
      const reason = error instanceof Error ? error.message : 'unknown error'
      unread.set(schema, `Queues at ${label} under the prefix ${JSON.stringify(schema)} cannot be looked for (${reason})`)
    }
    byPrefix.set(schema, known.get(schema) ?? new Set())
  }))
  if (failures.length > 0 && failures.length === open.length) throw failures[0] as Error
  if (prefixes.some(prefix => !unread.has(prefix) && (byPrefix.get(prefix)?.size ?? 0) === 0)) {
    await Promise.all(schemas.filter(({ may, is_wanted: isWanted }) => may && !isWanted).map(async ({ schema }) => {
      const queues = await queuesIn(schema).catch(() => new Set<string>())
      if (queues.size > 0) byPrefix.set(schema, queues)
    }))
  }
  const isFull = prefixes.some(prefix => full.has(prefix))
  return { byPrefix, unread, isAll: unread.size === 0 && !isFull, ...isFull && { isFull } }

  async function queuesIn(schema: string): Promise<ReadonlySet<string>> {
    const rows = await readOf(schema)<{ queue: string }>(
      `SELECT DISTINCT queue FROM ${schemaOf({ prefix: schema })}.meta ORDER BY queue LIMIT ${MAX_QUEUES + 1}`
    )
    if (rows.length > MAX_QUEUES) full.add(schema)
    return new Set(rows.slice(0, MAX_QUEUES).map(({ queue }) => queue))
  }
}

function grantOf(schema: string): string {
  const name = schemaOf({ prefix: schema })
  return `Run GRANT USAGE ON SCHEMA ${name} TO <its user>; GRANT SELECT ON ALL TABLES IN SCHEMA ${name} TO <its user>`
}

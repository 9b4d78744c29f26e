import type { SqlStore } from '../../stores/store.ts'

/** Names of the objects in a schema. */
export interface SchemaNames {
  /** Tables and set-returning functions. */
  readonly relations: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
  readonly types: ReadonlySet<string>
}

export async function readSchemaNames(query: SqlStore['query'], schema: string): Promise<SchemaNames> {
  const { rows } = await query<{ kind: 'relation' | 'function' | 'type'; name: string }>(
    `SELECT 'relation' AS kind, relname AS name FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace($1)
      AND relkind IN ('r', 'p', 'v', 'm', 'S')
     UNION ALL SELECT 'function', proname FROM pg_catalog.pg_proc WHERE pronamespace = to_regnamespace($1)
     UNION ALL SELECT 'type', typname FROM pg_catalog.pg_type WHERE typnamespace = to_regnamespace($1)
       AND typtype IN ('e', 'd')`, [`"${schema}"`])
  const ofKind = (wanted: string): Set<string> => new Set(rows.filter(({ kind }) => kind === wanted).map(({ name }) => name))
  return { relations: ofKind('relation'), functions: ofKind('function'), types: ofKind('type') }
}

/**
 * Adds the schema to the unqualified names in BullMQ's statements. BullMQ relies on the session's search path, which a pooler refuses or
 * shares with other clients. Its functions set their own path, so only the statement needs this. Each text is parsed once; there are about
 * a hundred.
 */
export function qualifyNames(schema: string, { relations, functions, types }: SchemaNames): (text: string) => string {
  const known = new Map<string, string>()
  const quoted = `"${schema}".`

  function qualify(text: string): string {
    return text
      .replace(/--[^\n]*/g, '')
      .replace(/\b(FROM|JOIN|INTO|UPDATE)(\s+)([a-z_][a-z0-9_]*)\b(?!\s*\.)/gi, (found, word: string, space: string, name: string) =>
        relations.has(name) ? `${word}${space}${quoted}${name}` : found)
      .replace(/(?<![."\w])([a-z_][a-z0-9_]*)(?=\s*\()/gi, (name: string) => functions.has(name) ? quoted + name : name)
      .replace(/::(\s*)([a-z_][a-z0-9_]*)/gi, (found, space: string, name: string) =>
        types.has(name) ? `::${space}${quoted}${name}` : found)
  }

  return text => {
    const standing = known.get(text)
    if (standing !== undefined) return standing
    const qualified = qualify(text)
    if (known.size < MAX_KNOWN) known.set(text, qualified)
    return qualified
  }
}

/** More statements than BullMQ has. */
const MAX_KNOWN = 500

/** Our own statements refer to BullMQ's tables as `{queue}.job`. */
export function inQueueSchema({ schema }: Pick<SqlStore, 'schema'>, text: string): string {
  return text.replaceAll('{queue}.', `"${schema}_queue".`)
}

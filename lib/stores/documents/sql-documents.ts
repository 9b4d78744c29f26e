import type { DocumentStore, Increment, StoredDocument } from './documents.ts'
import { migrate, type Component } from '../postgres/migrate.ts'
import type { SqlStore } from '../store.ts'
import { SupersededError, type Fence } from './fence.ts'
import { askInChunks, inChunksAtOnce } from './ask-in-chunks.ts'
import { idFromStored, toStoredId } from './stored-id.ts'

/** Documents, counters and leases in tables of the store's schema. Values are JSON stored as text, which preserves them byte for byte. */
export function createSqlDocuments(store: () => SqlStore): DocumentStore {
  const table = (name: string): string => `"${store().schema}".${name}`
  const query: SqlStore['query'] = (text, parameters) => store().query(text, parameters)

  function getMany<T>(collection: string, ids: readonly string[]): Promise<Array<StoredDocument<T> | null>> {
    return askInChunks(ids, async chunk => {
      const { rows } = await query<DocumentRow>(
        `SELECT id, version, value FROM ${table('documents')} WHERE collection = $1 AND id = ANY($2::text[]) AND ${IS_LIVE}`,
        [toStoredId(collection), chunk.map(toStoredId)])
      const found = new Map(rows.map(row => [row.id, documentFromRow<T>(row)]))
      return chunk.map(id => found.get(toStoredId(id)) ?? null)
    })
  }

  return {
    getMany,
    async get<T>(collection: string, id: string) {
      const [document] = await getMany<T>(collection, [id])
      return document ?? null
    },
    async list<T>(collection: string) {
      const documents: Array<StoredDocument<T>> = []
      for (let after: string | null = null; ;) {
        const { rows }: { rows: DocumentRow[] } = await query<DocumentRow>(
          `SELECT id, version, value FROM ${table('documents')} WHERE collection = $1 AND ($2::text IS NULL OR id > $2) AND ${IS_LIVE} ` +
            `ORDER BY id LIMIT ${LIST_BATCH}`,
          [toStoredId(collection), after])
        documents.push(...rows.map(row => documentFromRow<T>(row)))
        if (rows.length < LIST_BATCH) return documents.sort((one, other) => one.id < other.id ? -1 : 1)
        after = rows.at(-1)!.id
      }
    },
    async put(collection, id, value, { ifVersion, ttlMs, ifFewerThan, increments = [] } = {}) {
      const exists = `EXISTS (SELECT FROM ${table('documents')} WHERE collection = $1 AND id = $2)`
      const { rows } = await query<{ version: number }>(
        `WITH written AS (
           INSERT INTO ${table('documents')} AS old (collection, id, version, value, expires_at)
           SELECT $1, $2, 1, $3, clock_timestamp() + $5::float8 * interval '1 millisecond'
           WHERE ($4::int <= 0 OR ${exists}) AND ($6::int IS NULL OR ${exists} OR (SELECT count(*) FROM ${table('documents')}
             WHERE collection = $1 AND ${IS_LIVE}) < $6::int)
           ON CONFLICT (collection, id) DO UPDATE SET version = ${CURRENT_VERSION} + 1, value = excluded.value,
             expires_at = excluded.expires_at
           WHERE $4::int < 0 OR ${CURRENT_VERSION} = $4::int
           RETURNING version)${counted('written', 7)}
         SELECT version FROM written`,
        [
          toStoredId(collection), toStoredId(id), JSON.stringify(value), ifVersion ?? -1, ttlMs ?? null, ifFewerThan ?? null,
          ...toColumns(increments)
        ])
      if (ttlMs !== undefined && rows.length > 0) await sweep(collection)
      return rows[0]?.version ?? null
    },
    async putMany(collection, documents, { ttlMs, onlyWhile } = {}) {
      // A fixed order, so that two processes writing the same documents cannot deadlock.
      const inOrder = documents.map(({ id, value }) => ({ id: toStoredId(id), value: JSON.stringify(value) })).sort(
        (one, other) => one.id < other.id ? -1 : 1
      )
      const held = onlyWhile && heldFence(store().schema, 5)
      await inChunksAtOnce(inOrder, async chunk => {
        const { rowCount } = await query(
          `${held ? `WITH held AS MATERIALIZED (${held}) ` : ''}
           INSERT INTO ${table('documents')} AS old (collection, id, version, value, expires_at)
           SELECT $1, id, 1, value, clock_timestamp() + $4::float8 * interval '1 millisecond'
             FROM unnest($2::text[], $3::text[]) AS new (id, value)${held ? ', held' : ''}
           ON CONFLICT (collection, id) DO UPDATE SET version = ${CURRENT_VERSION} + 1, value = excluded.value,
             expires_at = excluded.expires_at`,
          [
            toStoredId(collection), chunk.map(({ id }) => id), chunk.map(({ value }) => value), ttlMs ?? null,
            ...onlyWhile ? toFenceParameters(onlyWhile) : []
          ])
        if (onlyWhile && rowCount === 0) throw new SupersededError()
      })
      if (ttlMs !== undefined && documents.length > 0) await sweep(collection)
    },
    async replaceMany(collection, documents, { counters }) {
      const replaced = new Set<string>()
      // A fixed order, as above.
      const inOrder = documents.map(each => ({ ...each, id: toStoredId(each.id) })).sort((one, other) => one.id < other.id ? -1 : 1)
      await inChunksAtOnce(inOrder, async chunk => {
        const { rows } = await query<{ id: string }>(
          `WITH new AS MATERIALIZED (SELECT * FROM unnest($2::text[], $3::text[], $4::int[], $5::float8[]) AS new (id, value, wanted,
            adds)),
           written AS (
             INSERT INTO ${table('documents')} AS old (collection, id, version, value)
             SELECT $1, id, wanted + 1, value FROM new
             WHERE wanted = 0 OR EXISTS (SELECT FROM ${table('documents')} AS standing WHERE standing.collection = $1
               AND standing.id = new.id) ORDER BY id
             ON CONFLICT (collection, id) DO UPDATE SET version = excluded.version, value = excluded.value, expires_at = NULL
             WHERE ${CURRENT_VERSION} = excluded.version - 1
             RETURNING id),
           counted AS (
             INSERT INTO ${table('counters')} AS old (collection, id, value) SELECT $6, id, adds FROM new JOIN written USING (id)
               WHERE adds <> 0 ORDER BY id
             ON CONFLICT (collection, id) DO UPDATE SET value = old.value + excluded.value)
           SELECT id FROM written`,
          [
            toStoredId(collection), chunk.map(each => each.id), chunk.map(each => JSON.stringify(each.value)),
            chunk.map(each => each.ifVersion),
            chunk.map(each => each.adds), toStoredId(counters)
          ])
        for (const { id } of rows) replaced.add(id)
      })
      return documents.map(({ id }) => replaced.has(toStoredId(id)))
    },
    async delete(collection, id, { increments = [] } = {}) {
      const { rows } = await query<{ live: boolean }>(
        `WITH gone AS (DELETE FROM ${table('documents')} WHERE collection = $1
          AND id = $2 RETURNING ${IS_LIVE} AS live)${counted('gone', 3)}
         SELECT live FROM gone`, [toStoredId(collection), toStoredId(id), ...toColumns(increments)])
      return rows[0]?.live ?? false
    },
    async increment(collection, id, by) {
      const { rows } = await query<{ value: number }>(
        `INSERT INTO ${table('counters')} AS old (collection, id, value) VALUES ($1, $2, $3)
         ON CONFLICT (collection, id) DO UPDATE SET value = old.value + excluded.value RETURNING value`,
        [toStoredId(collection), toStoredId(id), by])
      return rows[0]!.value
    },
    counters: (collection, ids) => askInChunks(ids, async chunk => {
      const { rows } = await query<{ id: string; value: number }>(
        `SELECT id, value FROM ${table('counters')} WHERE collection = $1 AND id = ANY($2::text[])`,
        [toStoredId(collection), chunk.map(toStoredId)])
      const found = new Map(rows.map(row => [row.id, row.value]))
      return chunk.map(id => found.get(toStoredId(id)) ?? 0)
    }),
    async deleteCounter(collection, id) {
      await query(`DELETE FROM ${table('counters')} WHERE collection = $1 AND id = $2`, [toStoredId(collection), toStoredId(id)])
    },
    async acquireLease(name, holder, ttlMs) {
      const { rows } = await query(
        `INSERT INTO ${table('leases')} AS old (name, holder, expires_at)
         VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond')
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE old.holder = excluded.holder OR old.expires_at <= clock_timestamp()
         RETURNING name`,
        [toStoredId(name), toStoredId(holder), ttlMs])
      return rows.length > 0
    },
    async releaseLease(name, holder) {
      await query(`DELETE FROM ${table('leases')} WHERE name = $1 AND holder = $2`, [toStoredId(name), toStoredId(holder)])
    }
  }

  /** Adds to counters if `source` has a row. Collections, ids and addends are the parameters `from`, `from + 1` and `from + 2`. */
  function counted(source: string, from: number): string {
    return `, counted AS (
           INSERT INTO ${table('counters')} AS old (collection, id, value)
           SELECT added.* FROM ${source}, unnest($${from}::text[], $${from + 1}::text[], $${from + 2}::float8[])
             AS added (collection, id, value) ORDER BY 1, 2
           ON CONFLICT (collection, id) DO UPDATE SET value = old.value + excluded.value)`
  }

  /** Removes a few expired rows with every expiring write. */
  async function sweep(collection: string): Promise<void> {
    const documents = table('documents')
    await query(
      `DELETE FROM ${documents} WHERE (collection, id) IN (
         SELECT collection, id FROM ${documents} WHERE collection = $1
           AND expires_at <= clock_timestamp() LIMIT 10 FOR UPDATE SKIP LOCKED)`,
      [toStoredId(collection)])
  }
}

/** Creates the tables; safe when several processes start at once. */
export function migrateDocuments(store: SqlStore): Promise<void> {
  return migrate(store, DOCUMENTS)
}

export const DOCUMENTS: Component = {
  name: 'documents',
  steps: [`
    CREATE TABLE documents (
      collection text NOT NULL, id text NOT NULL, version integer NOT NULL, value text NOT NULL, expires_at timestamptz,
      PRIMARY KEY (collection, id));
    CREATE TABLE counters (collection text NOT NULL, id text NOT NULL, value float8 NOT NULL, PRIMARY KEY (collection, id));
    CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, expires_at timestamptz NOT NULL);
  `]
}

/**
 * A statement that returns a row while the fence holds. The fence is given by parameter `from` and the next three. A process that takes
 * over waits until the transaction with this statement has ended, and then sees what it wrote.
 */
export function heldFence(schema: string, from: number): string {
  return `SELECT 1 FROM "${schema}".documents WHERE collection = $${from} AND id = $${from + 1} AND version = $${from + 2}::int
    AND value = $${from + 3} FOR SHARE`
}

export function toFenceParameters(
  { collection, id, version, value }: Fence
): [collection: string, id: string, version: number, value: string] {
  return [toStoredId(collection), toStoredId(id), version, JSON.stringify(value)]
}

/** Documents read per call. */
const LIST_BATCH = 500

function toColumns(increments: readonly Increment[]): [collections: string[], ids: string[], addends: number[]] {
  return [
    increments.map(({ collection }) => toStoredId(collection)),
    increments.map(({ id }) => toStoredId(id)),
    increments.map(({ by }) => by)
  ]
}

interface DocumentRow { id: string; version: number; value: string }

/** The row of an expired document is reused as if there were none. */
const CURRENT_VERSION = 'CASE WHEN old.expires_at IS NULL OR old.expires_at > clock_timestamp() THEN old.version ELSE 0 END'

const IS_LIVE = '(expires_at IS NULL OR expires_at > clock_timestamp())'

function documentFromRow<T>(row: DocumentRow): StoredDocument<T> {
  return { id: idFromStored(row.id), version: row.version, value: JSON.parse(row.value) as T }
}

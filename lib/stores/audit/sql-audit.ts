import { migrate, type Component } from '../postgres/migrate.ts'
import type { SqlStore } from '../store.ts'
import { AUDIT_KINDS, PRUNED_PER_CALL, type AuditRecord, type AuditStore } from './audit.ts'

/** One row per entry. */
export function createSqlAudit(store: () => SqlStore): AuditStore {
  const table = (): string => `"${store().schema}".audit`
  const query: SqlStore['query'] = (text, parameters) => store().query(text, parameters)

  return {
    async append({ id, kind, entry, outcome }) {
      await query(
        `INSERT INTO ${table()} (id, kind, at_ms, entry, outcome) VALUES ($1, $2, ${NOW_MS}, $3, $4) ON CONFLICT (id) DO NOTHING`,
        [id, kind, entry, outcome ?? null]
      )
    },
    async settle(id, outcome) {
      await query(`UPDATE ${table()} SET outcome = $2 WHERE id = $1 AND outcome IS NULL`, [id, outcome])
    },
    async list({ from, to, after, limit }) {
      const { rows } = await query<AuditRecord>(
        `SELECT id, at_ms AS at, entry, outcome FROM ${table()}
         WHERE ($1::float8 IS NULL OR at_ms >= $1) AND ($2::float8 IS NULL OR at_ms < $2)
           AND ($3::float8 IS NULL OR (at_ms, id) < ($3, $4::text))
         ORDER BY at_ms DESC, id DESC LIMIT $5`, [from ?? null, to ?? null, after?.at ?? null, after?.id ?? null, limit])
      return rows
    },
    async prune({ maxAgeMs, maxCount }) {
      let removed = 0
      for (const kind of AUDIT_KINDS) {
        const { rowCount } = await query(
          `WITH excess AS (SELECT greatest(count(*) - $3::int8, 0) AS count FROM ${table()} WHERE kind = $1),
           old AS (SELECT count(*) AS count FROM ${table()} WHERE kind = $1 AND at_ms <= ${NOW_MS} - $2::float8)
           DELETE FROM ${table()} WHERE id IN (
             SELECT id FROM ${table()} WHERE kind = $1 ORDER BY at_ms, id
             LIMIT least($4::int8, greatest((SELECT count FROM excess), (SELECT count FROM old))))`,
          [kind, maxAgeMs, maxCount[kind], PRUNED_PER_CALL])
        removed += rowCount ?? 0
      }
      return removed
    }
  }
}

/** Creates the table; safe when several processes start at once. */
export function migrateAudit(store: SqlStore): Promise<void> {
  return migrate(store, AUDIT)
}

export const AUDIT: Component = {
  name: 'audit',
  // Ids are compared as bytes, as Redis does.
  steps: [`
    CREATE TABLE audit (
      id text COLLATE "C" PRIMARY KEY, kind text NOT NULL, at_ms float8 NOT NULL, entry text NOT NULL, outcome text);
    CREATE INDEX audit_times ON audit (at_ms, id);
    CREATE INDEX audit_kinds ON audit (kind, at_ms, id);
  `]
}

const NOW_MS = 'floor(extract(epoch FROM clock_timestamp())::float8 * 1000)'

import type { AnswerStore } from './answers.ts'
import { migrate, type Component } from '../postgres/migrate.ts'
import type { SqlStore } from '../store.ts'

/** One row per key. */
export function createSqlAnswers(store: () => SqlStore): AnswerStore {
  const table = (): string => `"${store().schema}".answers`
  const query: SqlStore['query'] = (text, parameters) => store().query(text, parameters)

  return {
    async claim(id, { fingerprint, holder, operationId }, { leaseMs, ttlMs, maxKeys, maxBytes }) {
      const parameters = [id, fingerprint, holder, operationId, leaseMs, ttlMs, maxKeys, maxBytes]
      for (let attempt = 1; ; attempt++) {
        const [row] = (await query<ClaimRow>(claimIn(table()), parameters)).rows
        if (row?.claimed) return { state: 'claimed', operationId: row.operation }
        // The statement waits for a concurrent claim but does not see its row.
        if (row === undefined && attempt < MAX_CLAIM_ATTEMPTS) continue
        if (row === undefined) return { state: 'full' }
        if (row.fingerprint !== fingerprint) return { state: 'other' }
        return row.answer === null ? { state: 'busy' } : { state: 'answered', answer: row.answer }
      }
    },
    async save(id, holder, answer) {
      await query(
        `UPDATE ${table()} SET answer = $3, bytes = octet_length($3) WHERE id = $1 AND holder = $2 AND answer IS NULL`, [id, holder, answer]
      )
    },
    async abandon(id, holder) {
      await query(`UPDATE ${table()} SET held_until = clock_timestamp() WHERE id = $1 AND holder = $2`, [id, holder])
    },
    async sweep() {
      const { rowCount } = await query(`DELETE FROM ${table()} WHERE id IN (${expiredIn(table())})`)
      return rowCount ?? 0
    }
  }
}

/** Creates the table; safe when several processes start at once. */
export function migrateAnswers(store: SqlStore): Promise<void> {
  return migrate(store, ANSWERS)
}

export const ANSWERS: Component = {
  name: 'answers',
  steps: [`
    CREATE TABLE answers (
      id text PRIMARY KEY, fingerprint text NOT NULL, holder text NOT NULL, operation text NOT NULL, held_until timestamptz NOT NULL,
      answer text, bytes integer NOT NULL DEFAULT 0, expires_at timestamptz NOT NULL);
    CREATE INDEX answers_expiry ON answers (expires_at) INCLUDE (bytes);
  `]
}

const MAX_CLAIM_ATTEMPTS = 2

interface ClaimRow { claimed: boolean; fingerprint: string; operation: string; answer: string | null }

const expiredIn = (table: string): string =>
  `SELECT id FROM ${table} WHERE expires_at <= clock_timestamp() LIMIT 100 FOR UPDATE SKIP LOCKED`

const claimIn = (table: string): string => `
  WITH swept AS (DELETE FROM ${table} WHERE id IN (${expiredIn(table)}) AND id <> $1),
  claimed AS (
    INSERT INTO ${table} AS old (id, fingerprint, holder, operation, held_until, expires_at)
    SELECT $1, $2, $3, $4, clock_timestamp() + $5::float8 * interval '1 millisecond',
      clock_timestamp() + $6::float8 * interval '1 millisecond'
    WHERE EXISTS (SELECT FROM ${table} WHERE id = $1)
      OR (SELECT count(*) < $7::int AND coalesce(sum(bytes), 0) < $8::int8 FROM ${table} WHERE expires_at > clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET
      fingerprint = excluded.fingerprint, holder = excluded.holder, held_until = excluded.held_until, answer = NULL, bytes = 0,
      operation = CASE WHEN old.expires_at <= clock_timestamp() THEN excluded.operation ELSE old.operation END,
      expires_at = CASE WHEN old.expires_at <= clock_timestamp() THEN excluded.expires_at ELSE old.expires_at END
    WHERE old.expires_at <= clock_timestamp()
      OR (old.answer IS NULL AND old.fingerprint = excluded.fingerprint AND (old.held_until <= clock_timestamp()
        OR old.holder = excluded.holder))
    RETURNING fingerprint, operation)
  SELECT true AS claimed, fingerprint, operation, NULL AS answer FROM claimed
  UNION ALL SELECT false, fingerprint, operation, answer FROM ${table} WHERE id = $1 AND NOT EXISTS (SELECT FROM claimed)`

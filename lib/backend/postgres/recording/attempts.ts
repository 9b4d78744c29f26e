import type { ExecutionAttempt } from '../../../execution.ts'
import { ATTEMPTS_STATEMENT_MS } from '../../../time/budgets.ts'
import type { SqlStore } from '../../../stores/store.ts'
import { isKey } from '../../entry/ledger-entry.ts'
import { cutAttempt } from '../../entry/limits.ts'
import type { AttemptToRecord } from '../../result-backend.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { ATTEMPTS_KEPT_MS } from '../../counting/tally.ts'
import type { LedgerTables } from '../schema.ts'

const ATTEMPTS_PER_STATEMENT = 500

export async function recordAttempts(store: SqlStore, tables: LedgerTables, attempts: readonly AttemptToRecord[]): Promise<void> {
  // All writers use the same order, so they cannot deadlock.
  const recordable = attempts.filter(each => isKey(each.executionId))
    .sort((a, b) => a.executionId === b.executionId ? a.attempt.attempt - b.attempt.attempt : a.executionId < b.executionId ? -1 : 1)
  const expiresAt = Date.now() + ATTEMPTS_KEPT_MS
  for (let first = 0; first < recordable.length; first += ATTEMPTS_PER_STATEMENT) {
    const batch = recordable.slice(first, first + ATTEMPTS_PER_STATEMENT)
    await store.query(
      `INSERT INTO ${tables.attempts} (execution_id, attempt, payload, expires_at)
       SELECT given.*, CASE WHEN EXISTS (
         SELECT 1 FROM ${tables.executions} AS recorded WHERE recorded.execution_id = given.execution_id
       ) THEN NULL ELSE $4::bigint END
       FROM unnest($1::text[], $2::integer[], $3::text[]) AS given (execution_id, attempt, payload)
       ON CONFLICT DO NOTHING`,
      [
        batch.map(each => toStorable(each.executionId)), batch.map(each => each.attempt.attempt),
        batch.map(each => JSON.stringify(cutAttempt(each.attempt))), expiresAt
      ],
      { timeoutMs: ATTEMPTS_STATEMENT_MS }
    )
  }
}

export async function readAttempts(store: SqlStore, tables: LedgerTables, executionId: string): Promise<ExecutionAttempt[]> {
  const { rows } = await store.query<{ payload: string }>(
    `SELECT payload FROM ${tables.attempts} WHERE execution_id = $1 ORDER BY attempt`, [toStorable(executionId)]
  )
  return rows.map(row => JSON.parse(row.payload) as ExecutionAttempt)
}

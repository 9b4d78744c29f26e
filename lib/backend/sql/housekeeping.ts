import type { SqlStore } from '../../stores/store.ts'
import { HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS } from '../tally.ts'
import type { LedgerTables } from './schema.ts'

const EVERY_MS = 10 * MINUTE_MS
const ROWS_A_STEP = 2_000

/**
 * Takes away what nobody reads any more: roll-ups past their time, attempts of executions that never finished. A bounded
 * step, after a write, every ten minutes; what it leaves is for the next one. Never fails a write.
 */
export function createHousekeeping(store: SqlStore, tables: LedgerTables): () => Promise<void> {
  let nextAt = 0
  return async () => {
    const now = Date.now()
    if (now < nextAt) return
    nextAt = now + EVERY_MS
    try {
      await dropRollups('minute', (now - MINUTES_KEPT_MS) / MINUTE_MS)
      await dropRollups('hour', (now - HOURS_KEPT_MS) / HOUR_MS)
      await dropAttempts(now)
    } catch {
      // The datastore went away after the write: the next step does it.
    }
  }

  async function dropRollups(span: 'minute' | 'hour', before: number): Promise<void> {
    await store.query(
      `DELETE FROM ${tables.rollups} WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM ${tables.rollups} WHERE span = $1 AND start < $2 ORDER BY start LIMIT ${ROWS_A_STEP}))`,
      [span, Math.floor(before)]
    )
  }

  async function dropAttempts(before: number): Promise<void> {
    await store.query(
      `DELETE FROM ${tables.attempts} WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM ${tables.attempts} WHERE expires_at < $1 ORDER BY expires_at LIMIT ${ROWS_A_STEP}))`,
      [before]
    )
  }
}

import { createTaskDashboardError } from '../../errors.ts'
import type { SqlStore } from '../store.ts'

/**
 * Brings the tables of one component up to date, once, however many processes start at the same moment. All of it is one
 * transaction under an advisory lock, with the store's schema as `search_path`: a step may hold several statements and
 * names its tables without schema. Steps that were released are never edited; new ones are appended. Rejects with
 * STORE_UNSUITABLE when a newer version was there.
 * @param component names the ledger entry, for example `documents`
 * @param steps SQL, oldest first
 */
export async function migrate(store: SqlStore, component: string, steps: readonly string[]): Promise<void> {
  await store.transaction(async query => {
    const quickly: typeof query = (text, parameters) => query(text, parameters, { timeoutMs: QUICK_TIMEOUT_MS })
    await query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${store.schema}:migrations`])
    await quickly(`CREATE SCHEMA IF NOT EXISTS "${store.schema}"`)
    await quickly(`SET LOCAL search_path TO "${store.schema}"`)
    await quickly('CREATE TABLE IF NOT EXISTS migrations (component text, step integer, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (component, step))')
    const { rows } = await quickly<{ done: number }>('SELECT coalesce(max(step), 0)::int AS done FROM migrations WHERE component = $1', [component])

    const { done } = rows[0]!
    if (done > steps.length) {
      throw createTaskDashboardError('STORE_UNSUITABLE', [
        'store', store.label, `its tables for ${component} are at step ${done}, made by a newer version of this package; this one knows steps up to ${steps.length}`
      ])
    }
    for (const [index, sql] of steps.entries()) {
      if (index < done) continue
      await query(sql)
      await quickly('INSERT INTO migrations (component, step) VALUES ($1, $2)', [component, index + 1])
    }
  }, { timeoutMs: MIGRATION_TIMEOUT_MS })
}

/** A step may build indexes: about five seconds a million executions. Others wait for the process that does. */
const MIGRATION_TIMEOUT_MS = 15 * 60_000
/** For what takes no time, so that a server that fell silent is noticed. */
const QUICK_TIMEOUT_MS = 30_000

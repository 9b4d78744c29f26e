import { createTaskDashboardError } from '../../errors.ts'
import { MIGRATION_MS } from '../../time/budgets.ts'
import { errorCodeOf } from '../failures/error-code.ts'
import type { SqlStore } from '../store.ts'

/** The tables of one part of this package. */
export interface Component {
  /** In the migrations table, for example `documents`. */
  readonly name: string
  /**
   * SQL, oldest first. A step may hold several statements and uses unqualified table names. Never edit a released step; append new ones.
   */
  readonly steps: readonly string[]
}

/**
 * Migrates one component's tables exactly once, however many processes start at the same time. If they are current, it only reads. Rejects
 * with STORE_UNSUITABLE if a newer version created them or the role may not change them.
 */
export async function migrate(store: SqlStore, { name, steps }: Component): Promise<void> {
  if (await stepsDone(store, store.query, name) === steps.length) return
  await changeTables(store, store.schema, async query => {
    const quickly: typeof query = (text, parameters) => query(text, parameters, { timeoutMs: QUICK_TIMEOUT_MS })
    const done = await stepsDone(store, quickly, name)
    if (done === null) await quickly(MIGRATIONS_TABLE)
    if (done !== null && done > steps.length) {
      throw createTaskDashboardError('STORE_UNSUITABLE', [
        'store', store.label,
        `its tables for ${name} are at step ${done}, made by a newer version of this package; this one knows steps up to ${steps.length}`
      ])
    }
    for (const [index, sql] of steps.entries()) {
      if (index < (done ?? 0)) continue
      await query(sql)
      await quickly('INSERT INTO migrations (component, step) VALUES ($1, $2)', [name, index + 1])
    }
  })
}

/** The migration records. `CREATE TABLE IF NOT EXISTS` needs the right to create a table even if it exists. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE migrations (component text, step integer, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (component, step))'

/**
 * Runs one transaction under the namespace's lock, with the schema as `search_path`. Creates the schema if it is missing. READ COMMITTED
 * regardless of the database's default, because it must see what the previous process did. Rejects with STORE_UNSUITABLE if the role lacks
 * the right.
 */
export async function changeTables(store: SqlStore, schema: string, work: (query: SqlStore['query']) => Promise<void>): Promise<void> {
  try {
    await store.transaction(async query => {
      const quickly: typeof query = (text, parameters) => query(text, parameters, { timeoutMs: QUICK_TIMEOUT_MS })
      await query('SELECT pg_advisory_xact_lock(hashtext($1))', [lockOf(store.schema)])
      const { rows } = await quickly('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
      if (rows.length === 0) await quickly(`CREATE SCHEMA "${schema}"`)
      await quickly(`SET LOCAL search_path TO "${schema}"`)
      await work(query)
    }, { timeoutMs: MIGRATION_MS })
  } catch (error) {
    if (errorCodeOf(error) !== '42501') throw error
    throw createTaskDashboardError('STORE_UNSUITABLE', [
      'store', store.label,
      `its role may not create or change the tables in the schema ${schema}. Run, as a role that may: ${migrateCommand(store.schema)}`
    ], { cause: error })
  }
}

/** The lock that serializes migrations of a namespace. */
export function lockOf(namespace: string): string {
  return `${namespace}:migrations`
}

/** The command for a database administrator. */
export function migrateCommand(namespace: string, role?: string): string {
  return 'npx fastify-task-dashboard migrate ' +
    `--print${namespace === 'tasks' ? '' : ` --namespace ${namespace}`}${role === undefined ? '' : ` --role ${role}`} | psql <url>`
}

/** Null if there are no records yet. */
async function stepsDone(store: SqlStore, query: SqlStore['query'], component: string): Promise<number | null> {
  const table = `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'migrations'`
  if ((await query(table, [store.schema])).rows.length === 0) return null
  const { rows } = await query<{ done: number }>(
    `SELECT coalesce(max(step), 0)::int AS done FROM "${store.schema}".migrations WHERE component = $1`, [component]
  )
  return rows[0]!.done
}

/** For statements that take no time, so that a silent server is noticed. */
const QUICK_TIMEOUT_MS = 30_000

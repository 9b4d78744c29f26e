import { createTaskDashboardError } from '../../errors.ts'
import { MIGRATION_MS } from '../../time/budgets.ts'
import { errorCodeOf } from '../failures/error-code.ts'
import type { SqlStore } from '../store.ts'

/** The tables of one part of this package. */
export interface Component {
  /** In the table of migrations, for example `documents`. */
  readonly name: string
  /**
   * SQL, oldest first. A step may hold several statements and names its tables without schema. Steps that were released are never edited;
   * new ones are appended.
   */
  readonly steps: readonly string[]
}

/**
 * Brings the tables of one component up to date, once, however many processes start at the same moment. Where they are, it only reads.
 * Rejects with STORE_UNSUITABLE when a newer version was there, or the role may not change them.
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

/** The record of what was done. `CREATE TABLE IF NOT EXISTS` takes the right to create one even where it exists. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE migrations (component text, step integer, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (component, step))'

/**
 * One transaction under the lock of the namespace, with the schema as `search_path`; the schema is created where it is not there. READ
 * COMMITTED whatever the database's default is: it must see what the process before it did. Rejects with STORE_UNSUITABLE when the role has
 * no right to it.
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

/** What takes the lock of a namespace. */
export function lockOf(namespace: string): string {
  return `${namespace}:migrations`
}

/** What a DBA runs, or has run. */
export function migrateCommand(namespace: string, role?: string): string {
  return 'npx fastify-task-dashboard migrate ' +
    `--print${namespace === 'tasks' ? '' : ` --namespace ${namespace}`}${role === undefined ? '' : ` --role ${role}`} | psql <url>`
}

/** Null where there is no record yet. */
async function stepsDone(store: SqlStore, query: SqlStore['query'], component: string): Promise<number | null> {
  const table = `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'migrations'`
  if ((await query(table, [store.schema])).rows.length === 0) return null
  const { rows } = await query<{ done: number }>(
    `SELECT coalesce(max(step), 0)::int AS done FROM "${store.schema}".migrations WHERE component = $1`, [component]
  )
  return rows[0]!.done
}

/** For what takes no time, so that a server that fell silent is noticed. */
const QUICK_TIMEOUT_MS = 30_000

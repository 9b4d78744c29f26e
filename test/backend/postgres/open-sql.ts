import type { Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { postgresUrl, testNamespace } from '../../support/servers/stores.ts'

export interface OpenSql {
  readonly store: SqlStore
  readonly backend: ResultBackend
  /** The statements since the last call, with their parameters. */
  statements(): Statement[]
  /** The plan of a statement as text; `ANALYZE` adds the rows it read. */
  explain(statement: Statement, how?: 'ANALYZE'): Promise<string>
}

interface Statement { readonly text: string; readonly parameters: readonly unknown[] }

/** A started ledger in its own PostgreSQL database. `delayMs` delays the answer to each statement. */
export async function openSql(t: Test, { delayMs = 0 } = {}): Promise<OpenSql> {
  const store = createStore(await postgresUrl(t), { namespace: testNamespace(), role: 'result backend', onError() {} }) as SqlStore
  t.teardown(() => store.stop())
  await store.start()
  const seen: Statement[] = []
  const watched = (query: SqlStore['query']): SqlStore['query'] => async (text, parameters = [], options) => {
    seen.push({ text, parameters })
    const result = await query(text, parameters, options)
    if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
    return result as never
  }
  const transaction: SqlStore['transaction'] = (work, options) => store.transaction(query => work(watched(query)), options)
  const backend = createResultBackend(
    Object.create(store, { query: { value: watched(store.query) }, transaction: { value: transaction } }) as SqlStore
  )
  await backend.start()
  return {
    store,
    backend,
    statements: () => seen.splice(0),
    async explain({ text, parameters }, how) {
      const { rows } = await store.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${how ?? ''} ${text}`, parameters)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    }
  }
}

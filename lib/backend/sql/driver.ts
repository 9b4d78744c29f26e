import { migrate } from '../../stores/migrate.ts'
import type { SqlStore } from '../../stores/store.ts'
import { toLedgerEntries } from '../ledger-entry.ts'
import type { ResultBackend } from '../result-backend.ts'
import { createRollupCaches } from '../rollup-cache.ts'
import { toStorable } from '../storable-text.ts'
import { readAttempts, recordAttempts } from './attempts.ts'
import { findExecution, missingOf } from './find.ts'
import { readFailureGroups } from './failure-groups.ts'
import { readKept } from './kept.ts'
import { listFinished, listRetries } from './list.ts'
import { prune } from './prune.ts'
import { recordEntries } from './record.ts'
import { readRollups } from './rollups.ts'
import { LEDGER_MIGRATIONS, ledgerTables } from './schema.ts'
import { forgetSchedule, readScheduleTotals, readTaskTotals, readTotals } from './totals.ts'
import { readWindowByTask } from './windows.ts'

/** The ledger in PostgreSQL, or in the embedded store, which is one; its tables are described in `schema.ts`. */
export function createSqlDriver(store: SqlStore): ResultBackend {
  const tables = ledgerTables(store)
  const caches = createRollupCaches()
  return {
    supports: { search: 'indexed' },
    start: () => migrate(store, 'result-backend', LEDGER_MIGRATIONS),
    async stop() { caches.clear() },
    record: executions => recordEntries(store, tables, toLedgerEntries(executions)),
    recordAttempts: attempts => recordAttempts(store, tables, attempts),
    missing: executionIds => missingOf(store, tables, executionIds),
    find: executionId => findExecution(store, tables, executionId),
    attemptsOf: executionId => readAttempts(store, tables, executionId),
    retriesOf: executionId => listRetries(store, tables, executionId),
    list: query => listFinished(store, tables, query),
    totals: () => readTotals(store, tables),
    taskTotals: () => readTaskTotals(store, tables),
    scheduleTotals: scheduleIds => readScheduleTotals(store, tables, scheduleIds),
    forgetSchedule: scheduleId => forgetSchedule(store, tables, scheduleId),
    windowByTask: (fromMs, toMs) => readWindowByTask(store, tables, caches, fromMs, toMs),
    rollups: query => readRollups(store, tables, caches, query),
    failureGroups: query => readFailureGroups(store, tables, query),
    prune: (policy, bounds) => prune(store, tables, policy, bounds),
    kept: () => readKept(store, tables),
    async watermark(taskName) {
      const { rows } = await store.query<{ finished_before: string | number }>(
        `SELECT finished_before FROM ${tables.watermarks} WHERE task_name = $1`, [toStorable(taskName)]
      )
      return rows[0] === undefined ? null : Number(rows[0].finished_before)
    },
    async saveWatermark(taskName, finishedBeforeMs) {
      await store.query(
        `INSERT INTO ${tables.watermarks} (task_name, finished_before) VALUES ($1, $2)
         ON CONFLICT (task_name) DO UPDATE SET finished_before = excluded.finished_before`, [toStorable(taskName), Math.trunc(finishedBeforeMs)]
      )
    }
  }
}

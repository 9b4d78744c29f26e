import { migrate } from '../../stores/postgres/migrate.ts'
import type { SqlStore } from '../../stores/store.ts'
import { toLedgerEntries } from '../entry/ledger-entry.ts'
import type { RecordingSettings, ResultBackend } from '../result-backend.ts'
import { byTaskFrom } from '../counting/by-task.ts'
import { createRollupCaches } from '../counting/rollup-cache.ts'
import { readAttempts, recordAttempts } from './recording/attempts.ts'
import { findExecution, findExecutions, missingOf } from './listing/find.ts'
import { decideFailureGroup } from './failure-groups/decide-group.ts'
import { readFailureGroups } from './failure-groups/failure-groups.ts'
import { deleteExecutions } from './pruning/delete-executions.ts'
import { readKept, readKeptOf } from './pruning/kept.ts'
import { listFinished, listRetries } from './listing/list.ts'
import { prune } from './pruning/prune.ts'
import { recordEntries } from './recording/record.ts'
import { readRollups, readRollupsOf } from './counting/rollups.ts'
import { LEDGER, ledgerTables } from './schema.ts'
import { forgetSchedule, moveSchedule, readCountedSchedules, readScheduleTotals, readTaskTotals, readTotals } from './counting/totals.ts'
import { readWatermarks, saveWatermarks } from './watermarks.ts'
import { readHours } from './counting/windows.ts'

/** The history in PostgreSQL or in the embedded store, which is also PostgreSQL. `schema.ts` describes the tables. */
export function createSqlDriver(store: SqlStore, { failedArgsBytes }: RecordingSettings = {}): ResultBackend {
  const tables = ledgerTables(store)
  const caches = createRollupCaches()
  return {
    supports: { search: 'indexed' },
    start: () => migrate(store, LEDGER),
    async stop() { caches.clear() },
    record: (executions, { onlyWhile } = {}) => recordEntries(store, tables, toLedgerEntries(executions, failedArgsBytes), onlyWhile),
    recordAttempts: attempts => recordAttempts(store, tables, attempts),
    missing: executionIds => missingOf(store, tables, executionIds),
    find: executionId => findExecution(store, tables, executionId),
    findMany: (executionIds, options) => findExecutions(store, tables, executionIds, options),
    attemptsOf: executionId => readAttempts(store, tables, executionId),
    retriesOf: executionId => listRetries(store, tables, executionId),
    list: query => listFinished(store, tables, query),
    totals: () => readTotals(store, tables),
    taskTotals: () => readTaskTotals(store, tables),
    scheduleTotals: scheduleIds => readScheduleTotals(store, tables, scheduleIds),
    forgetSchedule: scheduleId => forgetSchedule(store, tables, scheduleId),
    moveSchedule: (from, to) => moveSchedule(store, tables, from, to),
    countedSchedules: (cursor, limit) => readCountedSchedules(store, tables, cursor, limit),
    ...byTaskFrom((first, end) => readHours(store, tables, caches, first, end)),
    rollups: query => query.taskNames === undefined
      ? readRollups(store, tables, caches, query)
      : readRollupsOf(store, tables, query.taskNames, query),
    failureGroups: query => readFailureGroups(store, tables, query),
    decideFailureGroup: (errorGroup, decision) => decideFailureGroup(store, tables, errorGroup, decision),
    prune: (policy, bounds) => prune(store, tables, policy, bounds),
    deleteExecutions: executionIds => deleteExecutions(store, tables, executionIds),
    kept: taskNames => taskNames === undefined ? readKept(store, tables) : readKeptOf(store, tables, taskNames),
    watermarks: () => readWatermarks(store, tables),
    saveWatermarks: changed => saveWatermarks(store, tables, changed)
  }
}

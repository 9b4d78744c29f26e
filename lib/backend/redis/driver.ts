import type { RedisStore } from '../../stores/store.ts'
import { toLedgerEntries } from '../entry/ledger-entry.ts'
import type { RecordingSettings, ResultBackend } from '../result-backend.ts'
import { byTaskFrom } from '../counting/by-task.ts'
import { createRollupCaches } from '../counting/rollup-cache.ts'
import { toStorable } from '../entry/storable-text.ts'
import { readAttempts, recordAttempts } from './recording/attempts.ts'
import { findExecution, findExecutions, missingOf } from './listing/find.ts'
import { decideFailureGroup } from './failure-groups/decide-group.ts'
import { readFailureGroups } from './failure-groups/failure-groups.ts'
import { prepareLedger } from './prepare-ledger.ts'
import { readKept, readKeptOf } from './pruning/kept.ts'
import { listFinished, listRetries } from './listing/list.ts'
import { packId } from './packed-id.ts'
import { deleteExecutions } from './pruning/delete-executions.ts'
import { prune } from './pruning/prune.ts'
import { recordEntries } from './recording/record.ts'
import { ledgerKeys } from './schema.ts'
import { moveSchedule, readCountedSchedules, readScheduleTotals, readTaskTotals, readTotals } from './counting/totals.ts'
import { readWatermarks, saveWatermarks } from './watermarks.ts'
import { readRollups, readRollupsOf } from './counting/rollups.ts'
import { readHours } from './counting/windows.ts'

/** The history in Redis; `schema.ts` describes its keys. */
export function createRedisDriver(store: RedisStore, { failedArgsBytes }: RecordingSettings = {}): ResultBackend {
  const keys = ledgerKeys(store)
  const caches = createRollupCaches()
  return {
    supports: { search: 'scanned' },
    start: () => prepareLedger(store, keys),
    async stop() { caches.clear() },
    record: (executions, { onlyWhile } = {}) => recordEntries(store, keys, toLedgerEntries(executions, failedArgsBytes), onlyWhile),
    recordAttempts: attempts => recordAttempts(store, keys, attempts),
    missing: executionIds => missingOf(store, keys, executionIds),
    find: executionId => findExecution(store, keys, executionId),
    findMany: (executionIds, options) => findExecutions(store, keys, executionIds, options),
    attemptsOf: executionId => readAttempts(store, keys, packId(executionId)),
    retriesOf: executionId => listRetries(store, keys, executionId),
    list: query => listFinished(store, keys, query),
    totals: () => readTotals(store, keys),
    taskTotals: () => readTaskTotals(store, keys),
    scheduleTotals: scheduleIds => readScheduleTotals(store, keys, scheduleIds),
    async forgetSchedule(scheduleId) { await store.client.hdel(keys.scheduleTotals, toStorable(scheduleId)) },
    moveSchedule: (from, to) => moveSchedule(store, keys, from, to),
    countedSchedules: (cursor, limit) => readCountedSchedules(store, keys, cursor, limit),
    ...byTaskFrom((first, end) => readHours(store, keys, caches, first, end)),
    rollups: query => query.taskNames === undefined
      ? readRollups(store, keys, caches, query)
      : readRollupsOf(store, keys, query.taskNames, query),
    failureGroups: query => readFailureGroups(store, keys, query),
    decideFailureGroup: (errorGroup, decision) => decideFailureGroup(store, keys, errorGroup, decision),
    prune: (policy, bounds) => prune(store, keys, policy, bounds),
    deleteExecutions: executionIds => deleteExecutions(store, keys, executionIds),
    kept: taskNames => taskNames === undefined ? readKept(store, keys) : readKeptOf(store, keys, taskNames),
    watermarks: () => readWatermarks(store, keys),
    saveWatermarks: changed => saveWatermarks(store, keys, changed)
  }
}

import type { Test } from 'tap'
import { countingContract } from './result-backend/counting.ts'
import { deletingContract } from './result-backend/deleting.ts'
import { decisionConditionsContract } from './result-backend/decision-conditions.ts'
import { failureDecisionsContract } from './result-backend/failure-decisions.ts'
import { failureGroupsContract } from './result-backend/failure-groups.ts'
import { namespacedStore, type OpenStore } from './result-backend/fresh-backend.ts'
import { listingContract } from './result-backend/listing.ts'
import { pruningContract } from './result-backend/pruning.ts'
import { recordingContract, testFence, testStopped } from './result-backend/recording.ts'
import { summaryContract } from './result-backend/summary.ts'

export { outageContract } from './result-backend/outage.ts'
export { until } from './result-backend/until.ts'

/** The contract of every driver. */
export function resultBackendContract(t: Test, openStore: OpenStore): void {
  writesContract(t, openStore)
  readsContract(t, openStore)
}

/** Recording, counting and removing. */
export function writesContract(t: Test, openStore: OpenStore): void {
  const openShared = sharing(t, openStore)
  recordingContract(t, openShared)
  countingContract(t, openShared)
  summaryContract(t, openShared)
  pruningContract(t, openShared)
  deletingContract(t, openShared)
  testStopped(t, openStore)
  testFence(t, openStore)
}

/** Listing, grouping, and people's decisions about groups. */
export function readsContract(t: Test, openStore: OpenStore): void {
  const openShared = sharing(t, openStore)
  listingContract(t, openShared)
  failureGroupsContract(t, openShared)
  failureDecisionsContract(t, openShared)
  decisionConditionsContract(t, openShared)
}

/** One store for all tests, each in a namespace of its own: opening an embedded store takes a second of processor time. */
function sharing(t: Test, openStore: OpenStore): OpenStore {
  let opened: ReturnType<OpenStore> | undefined
  return async () => namespacedStore(await (opened ??= openStore(t)))
}

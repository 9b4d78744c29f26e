import type { Test } from 'tap'
import { countingContract } from './result-backend/counting.ts'
import { failureGroupsContract } from './result-backend/failure-groups.ts'
import type { OpenStore } from './result-backend/fresh-backend.ts'
import { listingContract } from './result-backend/listing.ts'
import { pruningContract } from './result-backend/pruning.ts'
import { recordingContract } from './result-backend/recording.ts'
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
  recordingContract(t, openStore)
  countingContract(t, openStore)
  summaryContract(t, openStore)
  pruningContract(t, openStore)
}

/** Listing and grouping. */
export function readsContract(t: Test, openStore: OpenStore): void {
  listingContract(t, openStore)
  failureGroupsContract(t, openStore)
}

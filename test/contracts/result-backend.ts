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

/** Every driver keeps these promises. */
export function resultBackendContract(t: Test, openStore: OpenStore): void {
  writesContract(t, openStore)
  readsContract(t, openStore)
}

/** What is recorded, counted and removed. */
export function writesContract(t: Test, openStore: OpenStore): void {
  recordingContract(t, openStore)
  countingContract(t, openStore)
  summaryContract(t, openStore)
  pruningContract(t, openStore)
}

/** What is listed and grouped. */
export function readsContract(t: Test, openStore: OpenStore): void {
  listingContract(t, openStore)
  failureGroupsContract(t, openStore)
}

import { reportedJson } from '../../json/exact-json.ts'
import { toStorableText, valueFromJson } from './storable.ts'

/**
 * What is stored of a handler's return value: its JSON, or why there is none. The execution succeeded either way and must not run again.
 */
export type StoredResult = string | { readonly problem: string }

/** The same limit as for arguments: anything larger would block the datastore for everyone. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024
const MAX_PROBLEM_LENGTH = 1_000

/** Never throws. */
export function toStoredResult(value: unknown): StoredResult {
  try {
    const json = reportedJson('result', value)
    if (json.length <= MAX_RESULT_BYTES / 3 || Buffer.byteLength(json) <= MAX_RESULT_BYTES) return json
    return { problem: `result is larger than ${MAX_RESULT_BYTES} bytes as JSON` }
  } catch (error) {
    return { problem: toStorableText(error instanceof Error ? error.message : 'result cannot be written as JSON', MAX_PROBLEM_LENGTH) }
  }
}

/** Reads a job's stored return value; null if it is not ours. `problem`: why there is no result. */
export function resultFromStored(stored: unknown): { readonly result: unknown; readonly problem: string | null } {
  if (typeof stored === 'object' && stored !== null && 'problem' in stored && typeof stored.problem === 'string') {
    return { result: null, problem: stored.problem.slice(0, MAX_PROBLEM_LENGTH) }
  }
  return { result: valueFromJson(stored), problem: null }
}

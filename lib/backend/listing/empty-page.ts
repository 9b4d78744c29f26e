import type { FinishedPage } from '../result-backend.ts'

/** For queries that cannot match anything, according to the indexes. */
export function emptyPage(): FinishedPage {
  return { executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }
}

import type { FinishedPage } from '../result-backend.ts'

/** For queries that the indexes show to match nothing. */
export function emptyPage(): FinishedPage {
  return { executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }
}

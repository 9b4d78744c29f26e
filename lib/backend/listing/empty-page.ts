import type { FinishedPage } from '../result-backend.ts'

/** Where nothing can match, which indexes tell. */
export function emptyPage(): FinishedPage {
  return { executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }
}

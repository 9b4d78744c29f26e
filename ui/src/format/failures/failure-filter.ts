import type { TimeRange } from '../time/time-range.ts'

/** The groups that failed in a range, of one task or of all; `range` null is all that is known. */
export interface FailureFilter {
  readonly range: TimeRange | null
  readonly taskName: string | null
  readonly view: FailureView
}

/** Which failure groups are listed, by the API's names. `open` includes groups that failed again after they were resolved. */
export const FAILURE_VIEWS = ['open', 'regressed', 'resolved', 'all'] as const
export type FailureView = (typeof FAILURE_VIEWS)[number]

/** The view from the address. An unknown one counts as the default. */
export function failureViewFrom(text: string | null): FailureView {
  return FAILURE_VIEWS.find(view => view === text) ?? 'open'
}

/** The parameter for the address, which does not name the default. */
export function failureViewParameter(view: FailureView): string | null {
  return view === 'open' ? null : view
}

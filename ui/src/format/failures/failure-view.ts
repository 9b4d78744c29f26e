/** Which failure groups are listed, as the API calls it. `open` includes those that failed again after they were resolved. */
export const FAILURE_VIEWS = ['open', 'regressed', 'resolved', 'all'] as const
export type FailureView = (typeof FAILURE_VIEWS)[number]

/** From the address; what is not known there is the default. */
export function failureViewFrom(text: string | null): FailureView {
  return FAILURE_VIEWS.find(view => view === text) ?? 'open'
}

/** For the address, which does not name the default. */
export function failureViewParameter(view: FailureView): string | null {
  return view === 'open' ? null : view
}

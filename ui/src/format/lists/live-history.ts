import { MINUTE_MS } from '../time/units.ts'

/** A page of the history, as far as the state of the list depends on it. */
interface Page {
  /** How many executions were scanned for it; null if indexes were enough. */
  readonly scanned: number | null
  /** False: the scan stopped at its limit before the page was full. */
  readonly complete: boolean
}

/** The state of the requests and of the reader at one moment. */
export interface Observed {
  /** As far as the reader has scrolled; undefined before the first response. */
  readonly pages: readonly Page[] | undefined
  /** The first page could not be loaded. */
  readonly hasFailed: boolean
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  readonly hasMoreFailed: boolean
  /** How many executions are in the list. */
  readonly found: number
  /** The pointer or the focus is in the list. */
  readonly isPointedAt: boolean
  /** The top of the list is above the screen. */
  readonly isTopOutOfSight: boolean
  /** New executions come at the end of the list, not at its top. */
  readonly isOldestFirst: boolean
}

/** The memory of one list. */
export interface Memory {
  /** A search continues until it has found this many. */
  readonly wanted: number
  /** The reader stopped the search. */
  readonly isStopped: boolean
  /** How many times in a row loading more has failed. */
  readonly failures: number
}

export type Step =
  | { readonly type: 'stopped' }
  /** The reader has pressed the button for more results of a search. */
  | { readonly type: 'resumed'; readonly found: number }
  /** The reader has scrolled to the end. */
  | { readonly type: 'ended'; readonly found: number }
  | { readonly type: 'more-failed' }
  | { readonly type: 'more-loaded' }

/**
 * - `loading`: there is no response yet. `failed`: the first page could not be loaded, and is requested again.
 * - `following`: the list shows what the server has now. `held`: rows change in place, and new rows wait for a click.
 * - `still`: the list does not follow new rows, because searching everything again would cost too much, or because they come at its end.
 * - `extending`: the next page is being loaded. `retrying`: it could not be loaded, and is requested again after a wait.
 * - `searching`: the search continues by itself. `stopped`: it has found as many as requested, or the reader stopped it.
 */
export type Phase = 'loading' | 'failed' | 'following' | 'held' | 'still' | 'extending' | 'retrying' | 'searching' | 'stopped'

const FOUND_AT_FIRST = 100
const RETRIED_AFTER_MS = 5_000
const MAX_RETRIED_AFTER_MS = MINUTE_MS

export const BEGINNING: Memory = { wanted: FOUND_AT_FIRST, isStopped: false, failures: 0 }

export function toPhase(seen: Observed, { wanted, isStopped }: Memory): Phase {
  if (seen.pages === undefined) return seen.hasFailed ? 'failed' : 'loading'
  if (seen.hasMoreFailed && !seen.isLoadingMore) return 'retrying'
  if (isPartial(seen)) return !isStopped && seen.found < wanted ? 'searching' : 'stopped'
  if (seen.isLoadingMore) return 'extending'
  if (seen.isOldestFirst || isScanned(seen)) return 'still'
  return seen.isPointedAt || seen.isTopOutOfSight || seen.pages.length > 1 ? 'held' : 'following'
}

export function nextMemory(memory: Memory, step: Step): Memory {
  switch (step.type) {
    case 'stopped': return { ...memory, isStopped: true }
    case 'resumed': return { ...memory, isStopped: false, wanted: step.found + FOUND_AT_FIRST }
    // Scrolling does not undo what the reader has stopped.
    case 'ended': return memory.isStopped ? memory : { ...memory, wanted: step.found + FOUND_AT_FIRST }
    case 'more-failed': return { ...memory, failures: memory.failures + 1 }
    case 'more-loaded': return memory.failures === 0 ? memory : { ...memory, failures: 0 }
  }
}

/** Whether the scan stopped at its limit, so that there may be more. */
export function isPartial({ pages, hasMore }: Pick<Observed, 'pages' | 'hasMore'>): boolean {
  return hasMore && pages?.at(-1)?.complete === false
}

/** Whether the search has no index, so that every page costs a scan. */
export function isScanned({ pages }: Pick<Observed, 'pages'>): boolean {
  return pages?.some(page => page.scanned !== null) ?? false
}

/** How long to wait before requesting more again: twice as long after each consecutive failure. */
export function retryWaitMs({ failures }: Memory): number {
  return Math.min(RETRIED_AFTER_MS * 2 ** Math.max(0, failures - 1), MAX_RETRIED_AFTER_MS)
}

/** Whether the head of the list is polled every few seconds. That is cheap only if the list has an index. */
export function isHeadAsked(seen: Pick<Observed, 'pages' | 'isOldestFirst'>): boolean {
  return seen.pages !== undefined && !seen.isOldestFirst && !isScanned(seen)
}

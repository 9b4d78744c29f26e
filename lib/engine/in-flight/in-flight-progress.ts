import type { InFlightQuery } from './in-flight-query.ts'
import { anchorOf, encodeCursor, sourceKey, type InFlightPosition, type Reached } from './in-flight-cursor.ts'
import { comparePlaces } from './in-flight-order.ts'
import type { Clocks, Source } from './in-flight-sources.ts'

export const START: InFlightPosition = { offsets: new Map(), anchors: new Map(), reached: null, isCut: false, lost: new Set(), differMs: 0 }

/** Tracks what a page uses up of its sources, so that the next page can start after any of its executions. */
export function createProgress(before: InFlightPosition, query: Pick<InFlightQuery, 'order'>, clocks: Clocks): Progress {
  const steps: Step[] = []
  const places = new Map<string, number | null>()

  return {
    use({ queueName, state, isByPosition }, { jobId, offset }, place, taken) {
      steps.push({ key: isByPosition ? null : sourceKey(queueName, state), jobId, offset, place, taken })
    },
    placed({ queueName, state }, offset) {
      const key = sourceKey(queueName, state)
      if (before.anchors.has(key) && !places.has(key)) places.set(key, offset)
    },
    hasMoved: () => steps.some(({ place }) => place !== null),
    cursorAfter(count) {
      const offsets = new Map(before.offsets)
      for (const [key, offset] of places) if (offset !== null) offsets.set(key, offset)
      const anchors = new Map(before.anchors)
      const last = new Map<string, string>()
      let { reached } = before
      for (const { key, jobId, offset, place, taken } of steps) {
        if (taken >= count) break
        if (key !== null) {
          offsets.set(key, offset)
          last.set(key, jobId)
        }
        if (place !== null && (reached === null || comparePlaces(place, reached, query) > 0)) reached = place
      }
      for (const [key, jobId] of last) anchors.set(key, anchorOf(jobId))
      return encodeCursor({ ...before, offsets, anchors, reached, differMs: clocks.differMs })
    }
  }
}

export interface Progress {
  /**
   * Uses up the next execution of a source.
   * @param used its job, and the offset after it
   * @param place null if an earlier page showed it
   * @param taken number of executions on the page before it
   */
  use(
    source: Pick<Source, 'queueName' | 'state' | 'isByPosition'>, used: { readonly jobId: string; readonly offset: number },
    place: Reached | null, taken: number
  ): void
  /**
   * Reports where a source begins, because that may have moved; null if it is not known. Only the first call for a source counts. If the
   * page uses nothing of the source, the next page starts from there.
   */
  placed(source: Pick<Source, 'queueName' | 'state'>, offset: number | null): void
  /** Whether this page used up anything that no earlier page has. */
  hasMoved(): boolean
  /**
   * The cursor after the first `count` executions of the page. If `count` is larger than their number, the cursor is after everything used
   * up.
   */
  cursorAfter(count: number): string
}

interface Step {
  readonly key: string | null
  readonly jobId: string
  readonly offset: number
  readonly place: Reached | null
  readonly taken: number
}

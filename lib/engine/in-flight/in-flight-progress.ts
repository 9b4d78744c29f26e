import type { InFlightQuery } from '../engine.ts'
import { CURSOR_SOURCES, encodeCursor, type InFlightPosition, type Reached } from './in-flight-cursor.ts'
import { comparePlaces } from './in-flight-order.ts'
import type { Source } from './in-flight-sources.ts'

export const START: InFlightPosition = { offsets: new Map(), reached: null, isCut: false }

/** Follows what a page uses up of its sources, so that another page can go on behind any execution of it. */
export function createProgress(before: InFlightPosition, query: Pick<InFlightQuery, 'order'>): Progress {
  const steps: Step[] = []

  return {
    use({ key, isByPosition }, offset, place, taken) {
      steps.push({ key: isByPosition ? null : key, offset, place, taken })
    },
    cursorAfter(count) {
      const offsets = new Map(before.offsets)
      let { reached } = before
      for (const { key, offset, place, taken } of steps) {
        if (taken >= count) break
        if (key !== null) offsets.set(key, offset)
        if (place !== null && (reached === null || comparePlaces(place, reached, query) > 0)) reached = place
      }
      return encodeCursor(toPosition(offsets, reached, before.isCut))
    }
  }
}

export interface Progress {
  /**
   * The next of a source is used up.
   * @param offset behind it
   * @param place null when a page before showed it
   * @param taken executions that were on the page before
   */
  use(source: Pick<Source, 'key' | 'isByPosition'>, offset: number, place: Reached | null, taken: number): void
  /** Behind the first `count` executions of the page; with more than there are, behind all that was used up. */
  cursorAfter(count: number): string
}

interface Step { readonly key: string | null; readonly offset: number; readonly place: Reached | null; readonly taken: number }

/** Offsets of what was used up; where there are too many sources, of those that were used up the furthest. */
function toPosition(offsets: ReadonlyMap<string, number>, reached: Reached | null, isCut: boolean): InFlightPosition {
  if (offsets.size <= CURSOR_SOURCES) return { offsets, reached, isCut }
  const furthest = [...offsets].sort(([, one], [, other]) => other - one).slice(0, CURSOR_SOURCES)
  return { offsets: new Map(furthest), reached, isCut: true }
}

import { MINUTE_MS } from '../time/units.ts'

/** A response older than this does not prove that the problem began after it, because there may have been no requests in between. */
const ASKED_WITHIN_MS = MINUTE_MS

export interface Beginnings {
  /**
   * When the current problem began, milliseconds since the epoch; null if it may have begun before the page checked.
   * @param wellAt when the problem was last known to be absent; null if never
   */
  since(trouble: string, now: number, wellAt: number | null): number | null
  end(trouble: string): void
}

/** Remembers problems for all views of the page, so that they agree. */
export function createBeginnings(): Beginnings {
  const known = new Map<string, { readonly since: number | null; seenAt: number }>()
  return {
    since(trouble, now, wellAt) {
      const before = known.get(trouble)
      if (before && now - before.seenAt <= ASKED_WITHIN_MS) {
        before.seenAt = now
        return before.since
      }
      const since = wellAt !== null && now - wellAt <= ASKED_WITHIN_MS ? now : null
      known.set(trouble, { since, seenAt: now })
      return since
    },
    end(trouble) { known.delete(trouble) }
  }
}

/** Problems of a single view. The store refuses one command; other views need other commands, so their responses say nothing about it. */
const OF_ONE_VIEW = new Set(['STORE_REFUSED'])

/** The beginnings for one view of the page. Problems of all views are shared between them; those of a single view are its own. */
export function beginningsOfView(shared: Beginnings): Beginnings {
  const own = createBeginnings()
  const of = (trouble: string): Beginnings => (OF_ONE_VIEW.has(trouble) ? own : shared)
  return {
    since: (trouble, now, wellAt) => of(trouble).since(trouble, now, wellAt),
    end(trouble) { of(trouble).end(trouble) }
  }
}

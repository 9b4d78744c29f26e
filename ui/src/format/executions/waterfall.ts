import type { ExecutionDetail } from '../../../../schemas/index.ts'

/** A stretch of an execution's lifetime. */
export interface Stretch {
  /** `delay`: not due yet. `waiting`: due, and no worker has taken it. `back_off`: between two attempts. */
  readonly kind: 'delay' | 'waiting' | 'attempt' | 'back_off'
  /** The number of the attempt; null if the stretch is not an attempt. */
  readonly attempt: number | null
  /** How the attempt ended; null if the stretch is not an attempt, and while it lasts. */
  readonly outcome: 'succeeded' | 'failed' | 'cancelled' | 'lost' | 'handed_back' | null
  /** Milliseconds since the epoch. */
  readonly from: number
  /** Null while the stretch lasts. */
  readonly to: number | null
  /** Percent of the whole, for the drawing. */
  readonly left: number
  readonly width: number
}

type Event = ExecutionDetail['timeline'][number]

const ENDS: Partial<Record<Event['event'], Stretch['outcome']>> = {
  succeeded: 'succeeded', failed: 'failed', cancelled: 'cancelled', attempt_failed: 'failed', lost: 'lost', handed_back: 'handed_back'
}
/** Percent; so that even the shortest stretch is visible. */
const LEAST_WIDTH = 0.8

/**
 * The stretches between the events of an execution. An event that is dated before the previous event counts as simultaneous with it,
 * because clocks differ.
 * @param now the end of a stretch that still lasts
 */
export function toWaterfall(events: readonly Event[], now: number): Stretch[] {
  const stretches: Array<Omit<Stretch, 'left' | 'width'>> = []
  let at = -Infinity
  const changes = events.filter(({ event }) => event !== 'cancel_requested')
  changes.forEach((event, index) => {
    const from = Math.max(at, Date.parse(event.at))
    at = from
    const next = changes[index + 1]
    const to = next ? Math.max(from, Date.parse(next.at)) : null
    const kind = kindOf(event, next)
    if (kind === null) return
    const isAttempt = kind === 'attempt'
    stretches.push({
      kind, attempt: isAttempt ? event.attempt : null, outcome: isAttempt && next ? ENDS[next.event] ?? null : null, from, to
    })
  })
  const begin = stretches[0]?.from ?? 0
  const end = stretches.reduce((latest, { from, to }) => Math.max(latest, to ?? Math.max(now, from)), begin)
  const whole = Math.max(1, end - begin)
  return stretches.filter(({ kind, from, to }) => kind === 'attempt' || to === null || to > from).map(stretch => {
    const width = Math.max(LEAST_WIDTH, (((stretch.to ?? Math.max(now, stretch.from)) - stretch.from) / whole) * 100)
    return { ...stretch, width, left: Math.min(((stretch.from - begin) / whole) * 100, 100 - width) }
  })
}

/** The kind of stretch that begins with an event; null after the last event. */
function kindOf({ event }: Event, next: Event | undefined): Stretch['kind'] | null {
  switch (event) {
    case 'submitted': return next?.event === 'due' ? 'delay' : 'waiting'
    case 'due': return 'waiting'
    case 'started': return 'attempt'
    case 'succeeded': case 'failed': case 'cancelled': case 'cancel_requested': return null
    // The execution waits for its next attempt: first for the back-off to end, then for a worker.
    case 'attempt_failed': return 'back_off'
    case 'lost': case 'handed_back': return 'waiting'
  }
}

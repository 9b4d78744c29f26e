import type { ExecutionDetail } from '../../../../schemas/index.ts'

/** A stretch of an execution's life. */
export interface Stretch {
  /** `delay`: not due yet. `waiting`: due, and no worker has taken it. `back_off`: between two attempts. */
  readonly kind: 'delay' | 'waiting' | 'attempt' | 'back_off'
  /** Of an attempt. */
  readonly attempt: number | null
  /** How it ended; null for what is no attempt, and while it goes on. */
  readonly outcome: 'succeeded' | 'failed' | 'cancelled' | 'lost' | 'handed_back' | null
  /** Milliseconds since the epoch. */
  readonly from: number
  /** null while it goes on. */
  readonly to: number | null
  /** Percent of the whole, for the drawing. */
  readonly left: number
  readonly width: number
}

type Event = ExecutionDetail['timeline'][number]

const ENDS: Partial<Record<Event['event'], Stretch['outcome']>> = {
  succeeded: 'succeeded', failed: 'failed', cancelled: 'cancelled', attempt_failed: 'failed', lost: 'lost', handed_back: 'handed_back'
}
/** So that even the shortest is visible. */
const LEAST_WIDTH = 0.8

/**
 * What passed between the events of an execution. An event whose time is before that of the one in front of it counts as one at the same
 * time: clocks differ.
 * @param now for what goes on
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

/** What begins with an event; null after the last one. */
function kindOf({ event }: Event, next: Event | undefined): Stretch['kind'] | null {
  switch (event) {
    case 'submitted': return next?.event === 'due' ? 'delay' : 'waiting'
    case 'due': return 'waiting'
    case 'started': return 'attempt'
    case 'succeeded': case 'failed': case 'cancelled': case 'cancel_requested': return null
    // It waits for its next attempt: the back-off first, and then a worker.
    case 'attempt_failed': return 'back_off'
    case 'lost': case 'handed_back': return 'waiting'
  }
}

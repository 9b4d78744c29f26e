import { formatRelative } from '../../format/time/duration.ts'
import { formatClock, formatExact, formatMoment, formatUtc } from '../../format/time/time.ts'
import { useTick } from '../../hooks/use-now.ts'
import { timeTexts } from '../../texts/time.ts'

interface Props {
  /** RFC 3339. */
  readonly at: string
  readonly as?: 'moment' | 'relative' | 'clock' | 'exact' | 'both'
}

/** A time in the reader's zone, with UTC on hover. */
export function Moment({ at, as = 'moment' }: Props) {
  const instant = Date.parse(at)
  // An invalid time is shown unchanged.
  const text = useTick(now => (Number.isNaN(instant) ? at : toText(as, instant, now)))
  if (Number.isNaN(instant)) return <bdi>{text}</bdi>
  const title = as === 'relative' ? `${formatExact(instant)} · ${formatUtc(instant)}` : formatUtc(instant)
  return <time dateTime={at} title={title}>{text}</time>
}

function toText(as: Props['as'], at: number, now: number): string {
  switch (as) {
    case 'relative': return formatRelative(at, now)
    case 'clock': return formatClock(at, now)
    case 'exact': return formatExact(at)
    case 'both': return `${formatMoment(at, now)} · ${formatRelative(at, now)}`
    default: return formatMoment(at, now)
  }
}

/** A time that is due, on its own: `due in 12 m`. */
export function Due({ at }: { at: string }) {
  const instant = Date.parse(at)
  const text = useTick(now => (instant <= now ? timeTexts.dueNow : timeTexts.due(formatRelative(instant, now))))
  return <time dateTime={at} title={`${formatExact(instant)} · ${formatUtc(instant)}`}>{text}</time>
}

/** Counts down to a planned run. After that time, it says that the run is due instead of counting below zero. */
export function Countdown({ at }: { at: string }) {
  const instant = Date.parse(at)
  const text = useTick(now => (instant <= now ? timeTexts.dueNow : formatRelative(instant, now)))
  return <time dateTime={at} title={`${formatExact(instant)} · ${formatUtc(instant)}`}>{text}</time>
}

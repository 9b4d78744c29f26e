import { currentTime } from '../../format/time/clock.ts'
import { hoursCountedWords } from '../../format/failures/hours-counted.ts'
import type { TimeRange } from '../../format/time/time-range.ts'
import { failureTexts } from '../../texts/failures.ts'

/** What the counts of groups cover, if that is more than the range: next to the figures of the range they would be misleading. */
export function HoursNote({ range }: { range: TimeRange | null }) {
  const words = hoursCountedWords(range, currentTime())
  return words === null ? null : <span className="hours-note muted" title={failureTexts.countedTitle}>{failureTexts.counted(words)}</span>
}

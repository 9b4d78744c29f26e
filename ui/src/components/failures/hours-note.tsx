import { currentTime } from '../../format/time/clock.ts'
import { hoursCountedWords } from '../../format/failures/hours-counted.ts'
import type { TimeRange } from '../../format/time/time-range.ts'
import { failureTexts } from '../../texts/failures.ts'

/** What the counts of groups cover, where that is more than the range: beside the figures of the range they would be false. */
export function HoursNote({ range }: { range: TimeRange | null }) {
  const words = hoursCountedWords(range, currentTime())
  return words === null ? null : <span className="hours-note muted" title={failureTexts.countedTitle}>{failureTexts.counted(words)}</span>
}

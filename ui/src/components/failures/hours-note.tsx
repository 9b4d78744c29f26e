import { currentTime } from '../../format/time/clock.ts'
import { hoursCountedWords } from '../../format/failures/hours-counted.ts'
import type { TimeRange } from '../../format/time/time-range.ts'
import { failureTexts } from '../../texts/failures.ts'

/** The time that the counts of groups cover, if it is more than the range. Without it, they would mislead next to the range's figures. */
export function HoursNote({ range }: { range: TimeRange | null }) {
  const words = hoursCountedWords(range, currentTime())
  return words === null ? null : <span className="hours-note muted" title={failureTexts.countedTitle}>{failureTexts.counted(words)}</span>
}

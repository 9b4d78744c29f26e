/** The progress that a handler reports, in percent; null if it reports something else. */
export function progressPercent(progress: unknown): number | null {
  if (typeof progress === 'number') return within(progress)
  if (typeof progress !== 'object' || progress === null) return null
  const { percent, done, total } = progress as Readonly<Record<string, unknown>>
  if (typeof percent === 'number') return within(percent)
  return typeof done === 'number' && typeof total === 'number' && total > 0 && done >= 0 && done <= total ? (done / total) * 100 : null
}

function within(percent: number): number | null {
  // A number below 1 is a fraction. 1 itself may be a fraction or a percentage, so it is not drawn.
  if (percent >= 0 && percent < 1) return percent * 100
  return percent > 1 && percent <= 100 ? percent : null
}

/** How far a handler says it is, percent; null when it says something else. */
export function progressPercent(progress: unknown): number | null {
  if (typeof progress === 'number') return within(progress)
  if (typeof progress !== 'object' || progress === null) return null
  const { percent, done, total } = progress as Readonly<Record<string, unknown>>
  if (typeof percent === 'number') return within(percent)
  return typeof done === 'number' && typeof total === 'number' && total > 0 ? within((done / total) * 100) : null
}

function within(percent: number): number | null {
  // Between 0 and 1 it may as well be a share of one.
  return percent === 0 || (percent >= 1 && percent <= 100) ? percent : null
}

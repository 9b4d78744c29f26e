import type { RunEntry } from './run-history.ts'
import { formatCount } from '../stats/number.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

export type StripMark = 'success' | 'failed' | 'cancelled' | 'running' | 'pending' | 'missed' | 'late'

const MARKS: readonly StripMark[] = ['success', 'failed', 'cancelled', 'running', 'pending', 'missed', 'late']

/** The last runs of a schedule as marks, the oldest first. Runs that were missed together get one mark each. */
export function toStrip(entries: readonly RunEntry[], count: number): StripMark[] {
  const marks: StripMark[] = []
  for (const entry of entries) {
    if (marks.length >= count) break
    if (entry.kind === 'run') marks.push(entry.execution.status)
    else if (entry.kind === 'late') marks.push('late')
    else marks.push(...Array.from({ length: Math.min(entry.miss.count, count - marks.length) }, () => 'missed' as const))
  }
  return marks.reverse()
}

/** `17 succeeded, 2 failed, 1 missed`. */
export function stripWords(marks: readonly StripMark[]): string {
  return MARKS.map(mark => ({ mark, count: marks.filter(each => each === mark).length }))
    .filter(({ count }) => count > 0).map(({ mark, count }) => `${formatCount(count)} ${scheduleTexts.stripWords[mark]}`).join(', ')
}

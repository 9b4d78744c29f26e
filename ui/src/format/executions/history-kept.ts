import type { Stats } from '../../../../schemas/index.ts'
import { formatInterval } from '../time/duration.ts'
import { formatCount } from '../stats/number.ts'
import { rowTexts } from '../../texts/execution-rows.ts'

type History = Stats['history']

/** What retention removes, in words. */
export function retentionWords({ retention }: Pick<History, 'retention'>): string {
  if (retention === null) return rowTexts.nothingRemoved
  const { nothingRemoved, keptFor, keptApart, forEver } = rowTexts
  const [success, failed] = [limitWords(retention.success), limitWords(retention.failed)]
  if (success === failed) return success === null ? nothingRemoved : keptFor(success)
  return keptApart(success ?? forEver, failed ?? forEver)
}

function limitWords({ max_age_ms: age, max_count: count }: NonNullable<History['retention']>['success']): string | null {
  const words = [
    age === null ? null : rowTexts.forSpan(formatInterval(age)), count === null ? null : rowTexts.upTo(count)
  ].filter(each => each !== null)
  return words.length === 0 ? null : words.join(', ')
}

/** How many finished executions are still in the history, and when the oldest of them finished. */
export function keptHistory(
  { success, failed }: Pick<History, 'success' | 'failed'>
): { readonly count: string; readonly oldestAt: string | null } {
  const oldest = [success.oldest_at, failed.oldest_at].filter(at => at !== null).sort()
  return { count: formatCount(success.kept + failed.kept), oldestAt: oldest[0] ?? null }
}

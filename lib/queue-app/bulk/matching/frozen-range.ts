import { orLate } from '../../../time/deadline.ts'
import { SECOND_MS } from '../../../time/units.ts'
import type { Covered } from '../../tasks/parts-of-tasks.ts'
import type { BulkRange } from '../bulk-records.ts'
import type { BulkCount, BulkRequest } from '../bulk.ts'
import { UNCOUNTED } from '../to-bulk-overview.ts'
import type { createBulkMatches } from './bulk-matches.ts'
import type { Wanted } from './bulk-wanted.ts'
import { tasksOf } from './look-up-apart.ts'

/** A start waits at most this long for its count, and a dry run for its count and sample. */
export const COUNTED_WITHIN_MS = SECOND_MS

/**
 * What an operation freezes. If it lists executions, only those that match are kept: the others will not match later, and this does not
 * reveal whether they exist. If the lookup takes too long, all of them are kept, without a count.
 */
export function createFrozenRange(matches: Pick<ReturnType<typeof createBulkMatches>, 'named'>, covered: Covered) {
  return async function rangeOf(
    wanted: Wanted, { executionsLeftOut }: BulkRequest, counted: BulkCount
  ): Promise<{ readonly range: BulkRange; readonly count: BulkCount }> {
    const { taskNames, executionIds } = wanted
    if (executionIds === undefined) return { range: { taskNames, executionIds: null }, count: counted }
    const leftOut = executionsLeftOut === undefined ? {} : { executionsLeftOut }
    const lookedUp = await orLate(matches.named(wanted), COUNTED_WITHIN_MS, null).catch(() => null)
    if (lookedUp === null) return { range: { taskNames, executionIds, ...leftOut }, count: UNCOUNTED }
    const { executions, unread } = lookedUp
    const names = new Set(tasksOf(lookedUp, covered))
    const kept = new Set([...executions.map(({ executionId }) => executionId), ...unread])
    return {
      range: {
        taskNames: names.size === 0 ? taskNames : taskNames.filter(name => names.has(name)),
        executionIds: [...new Set(executionIds)].filter(id => kept.has(id)), ...leftOut
      },
      count: { value: executions.length, relation: unread.length === 0 ? 'exact' : 'at_least' }
    }
  }
}

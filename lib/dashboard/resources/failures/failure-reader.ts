import type { FailureGroup, FailureGroupPage, FailureListQuery } from '../../../../schemas/failure.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import { instantFrom } from '../instant.ts'
import type { Snapshots } from '../snapshots.ts'
import { toFailureGroup } from './to-failure-group.ts'

export type FailureReader = ReturnType<typeof createFailureReader>

export function createFailureReader(monitoring: Monitoring, snapshots: Snapshots) {
  return {
    /** Rejects with INVALID_INPUT and INVALID_CURSOR. */
    async list(
      { task_name: taskName, error_group: errorGroup, from, to, state, limit, cursor }: FailureListQuery
    ): Promise<FailureGroupPage> {
      const query = {
        ...(taskName !== undefined && { taskName }),
        ...(errorGroup !== undefined && { errorGroup }),
        ...(from && { from: instantFrom(from, 'from') }),
        ...(to && { to: instantFrom(to, 'to') }),
        ...(state !== undefined && state !== 'all' && { state }),
        ...(limit && { limit }),
        ...(cursor && { cursor })
      }
      return snapshots.read(`failures ${JSON.stringify(query)}`, async () => {
        const { groups, nextCursor, total } = await answerOf(monitoring, () => monitoring.failureGroups(query))
        return { items: groups.map(toFailureGroup), next_cursor: nextCursor, total: { value: total.value, relation: total.relation } }
      })
    },

    /** As it is now, over all time; null if there is no such group. */
    async find(errorGroup: string): Promise<FailureGroup | null> {
      const { groups: [group] } = await answerOf(monitoring, () => monitoring.failureGroups({ errorGroup, limit: 1 }))
      return group === undefined ? null : toFailureGroup(group)
    }
  }
}

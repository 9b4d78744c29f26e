import { createTaskDashboardError } from '../../lib/errors.ts'
import type { FailureGroupOverview, FailureGroupsPage, Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import type { FailureDecisionOptions, Operations } from '../../lib/queue-app/operations/operations.ts'

interface SampleFailures {
  readonly failureGroups: Monitoring['failureGroups']
  readonly operations: Pick<Operations, 'resolveFailureGroup' | 'reopenFailureGroup'>
}

/** Two failure groups, which can be resolved and reopened. */
export function sampleFailures(nowMs: number): SampleFailures {
  const groups = new Map(['abc', 'def'].map(each => [each, sampleFailureGroup(each, nowMs)]))

  function decide(errorGroup: string, isResolved: boolean, { by = null, note }: FailureDecisionOptions = {}): FailureGroupOverview {
    const before = groups.get(errorGroup)
    if (!before) throw createTaskDashboardError('FAILURE_GROUP_NOT_FOUND', [errorGroup])
    const decision = { isResolved, isAutomatic: false, at: nowMs, by, note: note ?? null, resolvedThrough: isResolved ? nowMs : null }
    const after: FailureGroupOverview = { ...before, state: isResolved ? 'resolved' : 'open', decision }
    groups.set(errorGroup, after)
    return after
  }

  return {
    async failureGroups({ errorGroup, state, cursor, limit = 50 }): Promise<FailureGroupsPage> {
      if (cursor !== undefined && cursor !== 'next') throw createTaskDashboardError('INVALID_CURSOR')
      const found = [...groups.values()]
        .filter(each => (errorGroup === undefined || each.errorGroup === errorGroup) && (state === undefined || each.state === state))
      const shown = found.slice(0, limit)
      return { groups: shown, nextCursor: shown.length < found.length ? 'next' : null, total: { value: found.length, relation: 'exact' } }
    },
    operations: {
      resolveFailureGroup: async (errorGroup, options) => decide(errorGroup, true, options),
      reopenFailureGroup: async (errorGroup, options) => decide(errorGroup, false, options)
    }
  }
}

function sampleFailureGroup(errorGroup: string, nowMs: number): FailureGroupOverview {
  return {
    errorGroup, type: 'TypeError', message: `</script>${'é'.repeat(1000)}`, frame: 'send@tasks/email.js', count: 3,
    firstSeenAt: nowMs - 9e7, lastSeenAt: nowMs, isNew: false, tasks: [{ taskName: 'email:send', count: 3 }], lastExecutionId: 'e-1',
    trend: Array.from({ length: 24 }, (_, hour) => hour), state: 'open', decision: null, isShared: false
  }
}

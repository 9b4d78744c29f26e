import type { GroupsBackend } from '../../../lib/backend/upkeep/retried-groups.ts'
import type { FailureGroup, NewFailureDecision } from '../../../lib/backend/result-backend.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'

export const NO_LEASES = { acquireLease: async () => true, releaseLease: async () => {} }

export const success = (executionId = 'one/0', taskName = 'a') =>
  ({ executionId, status: 'success', retryOf: 'x', taskName }) as unknown as FinishedExecution

export const decided = (isResolved: boolean, at: number) =>
  ({ decision: { isResolved, isAutomatic: false, at, by: 'ada', note: null, resolvedThrough: isResolved ? at : null } })

/**
 * A failure group. The keys of `failures` are its failures, and the values are the statuses of their retries. The ids of the retries are
 * derived from the id of the failure.
 */
export function fakeGroup(errorGroup: string, failures: Record<string, readonly string[]>, over: Partial<FailureGroup> = {}) {
  const own = Object.keys(failures).filter(id => !id.includes('/'))
  return {
    errorGroup, state: 'open', count: own.length, firstSeenAt: 10, lastSeenAt: 40, lastExecutionId: own[0], decision: null, ...over,
    own, failures
  } as FailureGroup & { own: readonly string[]; failures: Record<string, readonly string[]> }
}

/** A fake history with these groups, all of one task. `calls` lists the requests that it got. */
export function fakeGroups(...groups: ReadonlyArray<ReturnType<typeof fakeGroup>>) {
  const decisions: Array<NewFailureDecision & { readonly errorGroup: string }> = []
  const calls: string[] = []
  const failures: Record<string, readonly string[]> = Object.assign({}, ...groups.map(each => each.failures))
  const fake = {
    async failureGroups({ errorGroup }: { errorGroup?: string }) {
      calls.push('failureGroups')
      return { groups: groups.filter(each => errorGroup === undefined || each.errorGroup === errorGroup), next: null }
    },
    async list({ errorGroup, limit }: { errorGroup: string; limit: number }) {
      calls.push(limit === 1 ? `oldest ${errorGroup}` : `list ${errorGroup}`)
      const { own } = groups.find(each => each.errorGroup === errorGroup)!
      const executions = own.slice(0, limit).map(executionId => ({ executionId, finishedAt: 10 }))
      return { executions, next: null, total: { value: own.length, relation: 'exact' as 'exact' | 'at_least' } }
    },
    async retriesOf(id: string) {
      calls.push(`retriesOf ${id}`)
      return (failures[id] ?? []).map((status, index) => ({ status, executionId: `${id}/${index}` }))
    },
    async decideFailureGroup(errorGroup: string, decision: NewFailureDecision) {
      decisions.push({ errorGroup, ...decision })
      return groups.find(each => each.errorGroup === errorGroup)!
    }
  }
  return { backend: fake as unknown as GroupsBackend, fake, decisions, calls, groups }
}

export function resolvedBy(errorGroup: string, ifCount: number, ifDecidedAt: number | null = null) {
  return { errorGroup, isResolved: true, isAutomatic: true, by: null, note: null, ifCount, ifDecidedAt }
}

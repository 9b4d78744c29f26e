import { topOwnFrame } from '../../backend/fingerprint/own-frame.ts'
import { NO_GROUPS } from '../../backend/counting/failure-hours.ts'
import type {
  FailureGroup, FailureGroupPage, FailureGroupPosition, FailureGroupQuery, FinishedQuery, NewFailureDecision, ResultBackend
} from '../../backend/result-backend.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Execution } from '../../execution.ts'
import { unreadAfterChange } from '../../stores/failures/unavailable.ts'
import { SCOPED_GROUPS_MS, SHARED_GROUPS_MS } from '../../time/budgets.ts'

const GROUPS_PER_READ = 1_000

type Backend = Pick<ResultBackend, 'failureGroups' | 'decideFailureGroup' | 'list' | 'find'>
/** `unreadFrom`: everything that was not read is at this position or after it; null if everything was read. */
interface Read<Item> { readonly items: Item[]; readonly unreadFrom: FailureGroupPosition | null }
interface Found { readonly group: FailureGroup; /** Of a shared group. */ readonly last: Execution | null }

/**
 * Failure groups as seen by a user of some tasks only. A group that also occurs in other tasks shows the last failure of the visible tasks,
 * as long as the history has one. It hides who decided about it and why. No one can decide about a group that they see only in part: for
 * them it cannot be found.
 */
export function createScopedFailureGroups(backend: Backend, namesSeen: () => Promise<readonly string[]>) {
  return { list, decide }

  async function list(query: FailureGroupQuery): Promise<FailureGroupPage> {
    const taskNames = await namesSeen()
    const { taskName, state, after, limit } = query
    const asked = taskName === undefined ? query.taskNames : [taskName]
    const wanted = asked?.filter(name => taskNames.includes(name))
    if (taskNames.length === 0 || wanted?.length === 0) return NO_GROUPS
    // The list is ordered by the last failures of these tasks, which are known only once all groups are read.
    const deadline = performance.now() + SCOPED_GROUPS_MS
    const [all, counts] = await Promise.all([
      readAll({ ...only(query, ['errorGroup']), ...wanted === undefined && only(query, ['from', 'to']), taskNames }, deadline),
      wanted === undefined ? null : readAll({ ...only(query, ['errorGroup', 'from', 'to']), taskNames: wanted }, deadline)
    ])
    const countOf = counts && new Map(counts.items.map(group => [group.errorGroup, group.count]))
    const counted = countOf === null
      ? all.items
      : all.items.flatMap(group => countOf.has(group.errorGroup) ? [{ ...group, count: countOf.get(group.errorGroup)! }] : [])
    const shared = await withLastFailures(counted, taskNames, performance.now() + SHARED_GROUPS_MS)
    const unreadFrom = newest([all.unreadFrom, counts?.unreadFrom ?? null, shared.unreadFrom])
    // A group that was not read may belong before anything older than `unreadFrom`.
    const certain = unreadFrom === null ? shared.items : shared.items.filter(({ group }) => isBefore(group, unreadFrom))
    const matching = certain.filter(({ group }) => isOfState(group, state)).sort((one, other) => isBefore(one.group, other.group) ? -1 : 1)
    const rest = after === undefined ? matching : matching.filter(({ group }) => isBefore(after, group))
    if (unreadFrom !== null && rest.length === 0) throw createTaskDashboardError('BACKEND_UNAVAILABLE')
    const groups = await Promise.all(rest.slice(0, limit).map(each => withOwnText(each, taskNames)))
    const last = groups.at(-1)
    return {
      groups,
      next: last && (rest.length > limit || unreadFrom !== null) ? { lastSeenAt: last.lastSeenAt, errorGroup: last.errorGroup } : null,
      total: { value: matching.length, relation: unreadFrom === null ? 'exact' : 'at_least' }
    }
  }

  async function decide(errorGroup: string, decision: NewFailureDecision): Promise<FailureGroup | null> {
    const { groups: [standing] } = await list({ errorGroup, limit: 1 })
    if (standing === undefined || standing.isShared) return null
    if (await backend.decideFailureGroup(errorGroup, decision) === null) return null
    // Another task may have failed with this error since.
    const { groups: [decided] } = await list({ errorGroup, limit: 1 }).catch(unreadAfterChange)
    return decided ?? null
  }

  async function readAll(query: Omit<FailureGroupQuery, 'limit'>, deadline: number): Promise<Read<FailureGroup>> {
    const items: FailureGroup[] = []
    let after: FailureGroupPosition | undefined
    for (;;) {
      const page = await backend.failureGroups({ ...query, ...after && { after }, limit: GROUPS_PER_READ })
      items.push(...page.groups)
      if (page.next === null || performance.now() > deadline) return { items, unreadFrom: page.next }
      after = page.next
    }
  }

  /**
   * Leaves out a group if the history has no failure of these tasks any more: only a count is known then. Groups that failed last are read
   * first. What these tasks saw of a group is never newer than the group.
   */
  async function withLastFailures(groups: readonly FailureGroup[], taskNames: readonly string[], deadline: number): Promise<Read<Found>> {
    const items: Found[] = groups.filter(group => !group.isShared).map(group => ({ group, last: null }))
    let unreadFrom: FailureGroup | null = null
    await inTurns(groups.filter(group => group.isShared), async group => {
      if (unreadFrom !== null || performance.now() > deadline) return void (unreadFrom ??= group)
      const last = await failureOf(group.errorGroup, taskNames, 'newest')
      if (last === null) return
      items.push({ group: withOwnEnd(group, last), last })
    })
    return { items, unreadFrom }
  }

  async function withOwnText({ group, last }: Found, taskNames: readonly string[]): Promise<FailureGroup> {
    if (last === null) return group
    const [first, detail] = await Promise.all([failureOf(group.errorGroup, taskNames, 'oldest'), backend.find(last.executionId)])
    return {
      ...group,
      firstSeenAt: first?.finishedAt ?? group.lastSeenAt,
      frame: topOwnFrame(detail?.error?.stack ?? null)
    }
  }

  async function failureOf(errorGroup: string, taskNames: readonly string[], order: FinishedQuery['order']): Promise<Execution | null> {
    const { executions: [execution] } = await backend.list({ status: 'failed', errorGroup, taskNames, order, limit: 1 })
    return execution ?? null
  }
}

/** `firstSeenAt` and `frame` are filled in for the groups that are shown. */
function withOwnEnd(group: FailureGroup, last: Execution): FailureGroup {
  const { decision } = group
  const lastSeenAt = last.finishedAt!
  return {
    ...group,
    type: last.error?.type ?? group.type,
    message: last.error?.message ?? '',
    frame: null,
    firstSeenAt: lastSeenAt,
    lastSeenAt,
    lastExecutionId: last.executionId,
    state: hasRegressedElsewhere(group, lastSeenAt) ? 'resolved' : group.state,
    decision: decision && { ...decision, by: null, note: null }
  }
}

/**
 * A group that regressed in other tasks may still be resolved for these tasks. If the group's last failure is not later than the decision,
 * a failure was recorded late, and it is not known whose. Then the group is not shown as resolved.
 * @param lastSeenAt the last failure of these tasks
 */
function hasRegressedElsewhere(group: FailureGroup, lastSeenAt: number): boolean {
  const through = group.decision?.resolvedThrough ?? null
  return group.state === 'regressed' && through !== null && lastSeenAt <= through && group.lastSeenAt > through
}

function isOfState({ state }: FailureGroup, wanted: FailureGroupQuery['state']): boolean {
  return wanted === undefined || state === wanted || wanted === 'open' && state === 'regressed'
}

function newest(positions: ReadonlyArray<FailureGroupPosition | null>): FailureGroupPosition | null {
  return positions.reduce((one, other) => one !== null && (other === null || isBefore(one, other)) ? one : other, null)
}

/** Last seen first. Groups of the same millisecond are ordered by their bytes, as in the store. */
function isBefore(one: FailureGroupPosition, other: FailureGroupPosition): boolean {
  return one.lastSeenAt === other.lastSeenAt
    ? Buffer.compare(Buffer.from(one.errorGroup), Buffer.from(other.errorGroup)) > 0
    : one.lastSeenAt > other.lastSeenAt
}

function only<Query extends object, Name extends keyof Query>(query: Query, names: readonly Name[]): Pick<Query, Name> {
  return Object.fromEntries(names.flatMap(name => query[name] === undefined ? [] : [[name, query[name]]])) as Pick<Query, Name>
}

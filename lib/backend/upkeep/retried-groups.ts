import { inTurns } from '../../collections/in-turns.ts'
import type { FailureGroup, FinishedPosition, ResultBackend } from '../result-backend.ts'
import { toError } from './leased-loop.ts'

export type GroupsBackend = Pick<ResultBackend, 'failureGroups' | 'list' | 'retriesOf' | 'decideFailureGroup'>

export interface Look {
  /**
   * When this process recorded a successful retry, by the store's clock; null if another process did. Absent if this is unknown: groups
   * that someone reopened are then left alone.
   */
  readonly recordedAt?: (executionId: string) => number | null
  /** Called repeatedly; false ends the check. Rejects if the answer is unknown. */
  goesOn(): Promise<boolean>
}

/**
 * Resolves failure groups in which every failure was retried successfully. A failed retry counts if its own retry succeeded. Everything
 * must be proven by the history, so a group stays open if some of its failures are no longer kept.
 */
export interface RetriedGroups {
  /**
   * Checks each of these open groups. If one cannot be read, the others are checked anyway. Groups that could not be read last time come
   * last.
   * @returns the first error; rejects if no group can be read any more, or if `goesOn` rejects
   */
  lookAt(groups: readonly FailureGroup[], look: Look): Promise<Error | null>
}

const FAILURES_PER_PAGE = 100
const LOOKUPS_AT_A_TIME = 20
/** Groups with more failures are not checked, so a person has to resolve them. */
const MAX_FAILURES = 100_000
/** The most executions to check for one failure: each retry that failed may have a retry of its own. */
const MAX_CHAIN = 20
const MAX_REMEMBERED = 1_000
/** After this many failures in a row the store may be down, so check it. */
const ASKED_AFTER_FAILURES = 3

export function createRetriedGroups(backend: GroupsBackend): RetriedGroups {
  /** For groups that were checked: a failure that was not retried successfully, or null if more retries cannot change the outcome. */
  const unproven = new Map<string, { readonly executionId: string | null; readonly count: number }>()
  /** Groups that could not be read the last time. */
  const unread = new Set<string>()

  return {
    async lookAt(groups, look) {
      let first: Error | null = null
      let inARow = 0
      const isUnread = ({ errorGroup }: FailureGroup): boolean => unread.has(errorGroup)
      for (const group of [...groups.filter(group => !isUnread(group)), ...groups.filter(isUnread)]) {
        if (!await look.goesOn()) return first
        try {
          await lookAtOne(group, look)
          unread.delete(group.errorGroup)
          inARow = 0
        } catch (thrown) {
          first ??= toError(thrown)
          remember(unread, group.errorGroup)
          if (++inARow % ASKED_AFTER_FAILURES === 0) await backend.failureGroups({ limit: 1 })
        }
      }
      return first
    }
  }

  async function lookAtOne({ errorGroup, lastExecutionId }: FailureGroup, look: Look): Promise<void> {
    // The check usually ends here: when many failures are retried, the newest failures are retried last.
    const known = unproven.get(errorGroup)
    if (known?.executionId !== null && await madeGoodBy(known?.executionId ?? lastExecutionId) === null) return
    const { groups: [group] } = await backend.failureGroups({ errorGroup, limit: 1 })
    if (group === undefined || group.state === 'resolved' || group.count > MAX_FAILURES) return
    if (known?.executionId === null && known.count === group.count) return
    const { decision } = group
    const reopenedAt = decision === null || decision.isResolved ? null : decision.at
    if (reopenedAt !== null && look.recordedAt === undefined) return
    if (!await mayHaveAll(group)) return note(errorGroup, { executionId: null, count: group.count })
    const { retries, open, found } = await readRetries(errorGroup, look)
    if (open !== null) return note(errorGroup, { executionId: open, count: group.count })
    if (found !== group.count) {
      // If more were found than counted, some were recorded in the meantime. If fewer, some are no longer kept.
      if (found < group.count && await look.goesOn()) note(errorGroup, { executionId: null, count: group.count })
      return
    }
    unproven.delete(errorGroup)
    if (reopenedAt !== null && !retries.some(id => (look.recordedAt?.(id) ?? -Infinity) > reopenedAt)) {
      // Whoever reopened it knew about these retries. Each failure is retried only once, so only another failure can change this.
      note(errorGroup, { executionId: null, count: group.count })
      return
    }
    // Nothing changes if someone has decided or a failure was recorded in the meantime.
    await backend.decideFailureGroup(errorGroup, {
      isResolved: true, isAutomatic: true, by: null, note: null, ifCount: group.count, ifDecidedAt: decision?.at ?? null
    })
  }

  /**
   * Whether all of its failures may still be kept, by two quick reads. Retention removes the oldest first, so the first failure must exist.
   * If the exact number is known, it also shows whether someone deleted some.
   */
  async function mayHaveAll({ errorGroup, firstSeenAt, count }: FailureGroup): Promise<boolean> {
    const { executions: [oldest], total } = await backend.list({ errorGroup, status: 'failed', order: 'oldest', limit: 1 })
    const isFirst = oldest !== undefined && oldest.finishedAt !== null && oldest.finishedAt <= firstSeenAt
    return isFirst && (total.relation !== 'exact' || total.value >= count)
  }

  /** Counts the failures of a group and finds their successful retries. `open` is a failure without one, if there is any. */
  async function readRetries(errorGroup: string, look: Look): Promise<{ retries: string[]; open: string | null; found: number }> {
    const retries: string[] = []
    let found = 0
    let open: string | null = null
    let after: FinishedPosition | null = null
    do {
      const { executions, next } = await backend.list({
        errorGroup, status: 'failed', order: 'newest', limit: FAILURES_PER_PAGE, ...after !== null && { after }
      })
      found += executions.length
      await inTurns(executions, async ({ executionId }) => {
        const retry = open === null ? await madeGoodBy(executionId) : null
        if (retry === null) open ??= executionId
        else retries.push(retry)
      }, LOOKUPS_AT_A_TIME)
      after = next
    } while (after !== null && open === null && await look.goesOn())
    return { retries, open, found }
  }

  /** The successful retry of an execution, or of one of its failed retries; null if there is none. */
  async function madeGoodBy(executionId: string): Promise<string | null> {
    const failed = [executionId]
    for (let looked = 0; looked < MAX_CHAIN && looked < failed.length; looked++) {
      const retries = await backend.retriesOf(failed[looked]!)
      const success = retries.find(({ status }) => status === 'success')
      if (success !== undefined) return success.executionId
      for (const retry of retries) if (retry.status === 'failed') failed.push(retry.executionId)
    }
    return null
  }

  function note(errorGroup: string, what: { readonly executionId: string | null; readonly count: number }): void {
    unproven.delete(errorGroup)
    unproven.set(errorGroup, what)
    if (unproven.size > MAX_REMEMBERED) unproven.delete(unproven.keys().next().value!)
  }
}

function remember(names: Set<string>, name: string): void {
  names.add(name)
  if (names.size > MAX_REMEMBERED) names.delete(names.values().next().value!)
}

import { inTurns } from '../../collections/in-turns.ts'
import type { FinishedExecution } from '../../execution.ts'
import { withDeadline } from '../../time/deadline.ts'
import { SECOND_MS } from '../../time/units.ts'
import type { FailureGroup, FailureGroupPosition, FinishedPosition, ResultBackend } from '../result-backend.ts'
import { toError } from './leased-loop.ts'

interface ResolveRetriedOptions {
  readonly backend: Pick<ResultBackend, 'failureGroups' | 'list' | 'retriesOf' | 'decideFailureGroup'>
  /** How long successes are collected before groups are looked at, milliseconds. Default 2,000. */
  readonly collectForMs?: number
  /** Pause after a failed pass, milliseconds. Default 30,000. */
  readonly retryAfterMs?: number
  /** Called when a pass fails, then not again until one has succeeded. */
  readonly onError: (error: Error) => void
}

/**
 * Resolves a failure group once each of its failures was retried successfully. A retry that failed counts if its own retry succeeded. Only
 * what the history proves counts: a group with failures that are not kept any more stays open. Nothing is read until a retry succeeds.
 */
export interface ResolveRetried {
  /** Call it with everything that was recorded. */
  notice(executions: readonly FinishedExecution[]): void
  /** Looks at what it noticed last, for two seconds at most. Idempotent; never rejects. */
  stop(): Promise<void>
}

/** The note of such a decision. It has no person. */
export const ALL_RETRIED_NOTE = 'Every failure in it was retried successfully'

const GROUPS_PER_PAGE = 200
const FAILURES_PER_PAGE = 100
const LOOKUPS_AT_A_TIME = 20
/** Groups with more failures are left to people. */
const MAX_FAILURES = 100_000
/** Retries of retries. */
const MAX_CHAIN = 20
const MAX_REMEMBERED = 1_000
/** The pause after a pass is at least so many times as long as the pass: many groups keep a process busy for a tenth of the time. */
const REST = 10
const STOP_WITHIN_MS = 2 * SECOND_MS

export function createResolveRetried(
  { backend, collectForMs = 2 * SECOND_MS, retryAfterMs = 30 * SECOND_MS, onError }: ResolveRetriedOptions
): ResolveRetried {
  /** Tasks of which retries succeeded, and when the last of these finished. */
  let noticed = new Map<string, number>()
  /** Of groups that were looked at: a failure that was not retried successfully, null if some are not kept any more. */
  const unproven = new Map<string, { readonly executionId: string | null; readonly count: number }>()
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | null = null
  let isStopped = false
  /** The store is about to close. */
  let isOver = false
  let isFailing = false

  function schedule(afterMs: number): void {
    if (isStopped || timer !== undefined || pass !== null || noticed.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      const startedAt = performance.now()
      pass = run().finally(() => {
        pass = null
        schedule(Math.max(isFailing ? retryAfterMs : collectForMs, REST * (performance.now() - startedAt)))
      })
    }, afterMs)
    timer.unref()
  }

  async function run(): Promise<void> {
    const tasks = noticed
    noticed = new Map()
    try {
      for (const [taskName, lastAt] of tasks) {
        await resolveOf(taskName, lastAt)
        tasks.delete(taskName)
      }
      isFailing = false
    } catch (thrown) {
      for (const [taskName, lastAt] of tasks) note(taskName, lastAt)
      if (!isFailing && !isOver) onError(toError(thrown))
      isFailing = true
    }
  }

  function note(taskName: string, at: number): void {
    noticed.set(taskName, Math.max(at, noticed.get(taskName) ?? 0))
  }

  async function resolveOf(taskName: string, lastAt: number): Promise<void> {
    let after: FailureGroupPosition | null = null
    do {
      const { groups, next }: { groups: FailureGroup[]; next: FailureGroupPosition | null } =
        await backend.failureGroups({ state: 'open', taskName, limit: GROUPS_PER_PAGE, ...after !== null && { after } })
      for (const group of groups) if (!isOver) await look(group, lastAt)
      after = next
    } while (after !== null && !isOver)
  }

  async function look({ errorGroup, lastExecutionId }: FailureGroup, lastAt: number): Promise<void> {
    // Most often this is where it ends: of many retries, those of the newest failures come last.
    const known = unproven.get(errorGroup)
    if (known?.executionId !== null && !await isMadeGood(known?.executionId ?? lastExecutionId)) return
    const { groups: [group] } = await backend.failureGroups({ errorGroup, limit: 1 })
    if (group === undefined || group.state === 'resolved' || group.count > MAX_FAILURES) return
    if (known?.executionId === null && known.count === group.count) return
    // Somebody reopened it after the last retry.
    if (group.decision !== null && !group.decision.isResolved && group.decision.at >= lastAt) return
    if (!await areAllMadeGood(group)) return
    const decided = await backend.decideFailureGroup(errorGroup, {
      isResolved: true, by: null, note: ALL_RETRIED_NOTE, ifSeenBefore: group.lastSeenAt + 1
    })
    // An older failure was recorded meanwhile.
    if (decided?.state === 'resolved' && decided.decision?.note === ALL_RETRIED_NOTE && decided.count !== group.count)
      await backend.decideFailureGroup(errorGroup, { isResolved: false, by: null, note: null })
  }

  async function areAllMadeGood({ errorGroup, count }: FailureGroup): Promise<boolean> {
    let found = 0
    let open: string | null = null
    let after: FinishedPosition | null = null
    do {
      const { executions, next } = await backend.list({
        errorGroup, status: 'failed', order: 'newest', limit: FAILURES_PER_PAGE, ...after !== null && { after }
      })
      found += executions.length
      await inTurns(executions, async ({ executionId }) => {
        if (open === null && !await isMadeGood(executionId)) open = executionId
      }, LOOKUPS_AT_A_TIME)
      after = next
    } while (after !== null && open === null && !isOver)
    unproven.delete(errorGroup)
    if (open !== null || found < count && !isOver) unproven.set(errorGroup, { executionId: open, count })
    if (unproven.size > MAX_REMEMBERED) unproven.delete(unproven.keys().next().value!)
    return open === null && found === count
  }

  async function isMadeGood(executionId: string, depth = 1): Promise<boolean> {
    const retries = await backend.retriesOf(executionId)
    if (retries.some(({ status }) => status === 'success')) return true
    if (depth === MAX_CHAIN) return false
    for (const retry of retries)
      if (retry.status === 'failed' && await isMadeGood(retry.executionId, depth + 1)) return true
    return false
  }

  return {
    notice(executions) {
      for (const { status, retryOf, taskName, finishedAt } of executions)
        if (status === 'success' && retryOf !== null) note(taskName, finishedAt)
      schedule(collectForMs)
    },

    async stop() {
      if (isStopped) return
      isStopped = true
      clearTimeout(timer)
      const last = (async () => {
        await pass
        if (noticed.size > 0 && !isFailing) await run()
      })()
      await withDeadline(last, STOP_WITHIN_MS, 'groups were not looked at').catch(() => {})
      isOver = true
    }
  }
}

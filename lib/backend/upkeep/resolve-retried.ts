import type { FinishedExecution } from '../../execution.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { withDeadline } from '../../time/deadline.ts'
import { MINUTE_MS, SECOND_MS } from '../../time/units.ts'
import type { FailureGroup, FailureGroupPosition } from '../result-backend.ts'
import { LEASE_MS, renewing, toError } from './leased-loop.ts'
import type { GroupsBackend, Look, RetriedGroups } from './retried-groups.ts'

interface ResolveRetriedOptions {
  readonly backend: Pick<GroupsBackend, 'failureGroups'>
  readonly groups: RetriedGroups
  /** One process at a time checks groups. */
  readonly leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'>
  /** Identifies this process. */
  readonly holder: string
  /** The result backend's clock. */
  readonly now: () => Promise<number>
  /** How long successes are collected before groups are checked, milliseconds. Default 2,000. */
  readonly collectForMs?: number
  /** Pause after a failed pass, milliseconds. Default 30,000. */
  readonly retryAfterMs?: number
  /** Called when a pass fails, then not again until one has succeeded. */
  readonly onError: (error: Error) => void
}

/**
 * Checks the open failure groups of a task soon after a retry of that task has succeeded. Nothing is read until then. If the process dies
 * before, resolve-missed.ts checks them later.
 */
export interface ResolveRetried {
  /**
   * Call it before the executions are recorded, and call the function that it returns afterwards. So anyone who finds one of them in the
   * history also finds it here.
   */
  recording(executions: readonly FinishedExecution[]): () => void
  /** Checks the groups of what was recorded last, for at most two seconds. Idempotent; never rejects. */
  stop(): Promise<void>
}

interface Retried {
  readonly taskName: string
  /** By two clocks of this process: the wall clock may be changed, and the steady clock may stand still while the machine sleeps. */
  readonly wallAt: number
  readonly steadyAt: number
  isRecorded: boolean
}

const LEASE = 'result-backend:resolve-retried'
const GROUPS_PER_PAGE = 200
/** Beyond this, the oldest are forgotten. They only matter to groups that someone reopened, and for those the last retry matters most. */
const MAX_RETRIES = 20_000
/** The pause after a pass is at least this many times as long as the pass, so many groups keep a process busy for a tenth of the time. */
const REST_FACTOR = 10
const MAX_REST_MS = 5 * MINUTE_MS
const STOP_WITHIN_MS = 2 * SECOND_MS

export function createResolveRetried({
  backend, groups, leases, holder, now, collectForMs = 2 * SECOND_MS, retryAfterMs = 30 * SECOND_MS, onError
}: ResolveRetriedOptions): ResolveRetried {
  /** Successful retries by id. */
  const retried = new Map<string, Retried>()
  let timer: NodeJS.Timeout | undefined
  let pass: Promise<void> | null = null
  let isStopped = false
  /** The store is about to close. */
  let isOver = false
  let isFailing = false

  function schedule(afterMs: number): void {
    if (isStopped || timer !== undefined || pass !== null || !hasWork()) return
    timer = setTimeout(() => {
      timer = undefined
      const startedAt = performance.now()
      pass = run().finally(() => {
        pass = null
        const restMs = Math.min(MAX_REST_MS, REST_FACTOR * (performance.now() - startedAt))
        schedule(Math.max(isFailing ? retryAfterMs : collectForMs, restMs))
      })
    }, afterMs)
    timer.unref()
  }

  function hasWork(): boolean {
    for (const { isRecorded } of retried.values()) if (isRecorded) return true
    return false
  }

  const holdLease = (): Promise<boolean> => leases.acquireLease(LEASE, holder, LEASE_MS)

  async function run(): Promise<void> {
    try {
      if (!await holdLease()) return
      try {
        await lookAtAll()
      } finally {
        await leases.releaseLease(LEASE, holder).catch(() => {})
      }
      isFailing = false
    } catch (thrown) {
      if (!isFailing && !isOver) onError(toError(thrown))
      isFailing = true
    }
  }

  async function lookAtAll(): Promise<void> {
    const tasks = new Map<string, string[]>()
    for (const [id, { taskName, isRecorded }] of retried) {
      if (!isRecorded) continue
      const ids = tasks.get(taskName)
      if (ids === undefined) tasks.set(taskName, [id])
      else ids.push(id)
    }
    const recordedAt = await storeTimes()
    const isHeld = renewing(holdLease)
    const goesOn = async (): Promise<boolean> => !isOver && await isHeld()
    let failure: Error | null = null
    for (const [taskName, ids] of tasks) {
      const failureOfTask = await lookAtTask(taskName, { recordedAt, goesOn })
      if (!await goesOn()) return
      failure ??= failureOfTask
      if (failureOfTask === null) for (const id of ids) retried.delete(id)
    }
    if (failure !== null) throw failure
  }

  async function lookAtTask(taskName: string, look: Look): Promise<Error | null> {
    let failure: Error | null = null
    let after: FailureGroupPosition | null = null
    do {
      const page: { groups: FailureGroup[]; next: FailureGroupPosition | null } =
        await backend.failureGroups({ state: 'open', taskName, limit: GROUPS_PER_PAGE, ...after !== null && { after } })
      const failureOfPage = await groups.lookAt(page.groups, look)
      failure ??= failureOfPage
      after = page.next
    } while (after !== null && await look.goesOn())
    return failure
  }

  /** When a retry was recorded, or a little earlier. So if a decision has the same time, the retry does not count as later. */
  async function storeTimes(): Promise<(executionId: string) => number | null> {
    const storeTime = await now()
    const [wallAt, steadyAt] = [Date.now(), performance.now()]
    return executionId => {
      const found = retried.get(executionId)
      return found === undefined ? null : storeTime - Math.max(wallAt - found.wallAt, steadyAt - found.steadyAt)
    }
  }

  return {
    recording(executions) {
      const successes = executions.filter(({ status, retryOf }) => status === 'success' && retryOf !== null)
      for (const { executionId, taskName } of successes)
        if (!retried.has(executionId))
          retried.set(executionId, { taskName, wallAt: Date.now(), steadyAt: performance.now(), isRecorded: false })
      for (const oldest of retried.keys()) {
        if (retried.size <= MAX_RETRIES) break
        retried.delete(oldest)
      }
      return () => {
        for (const { executionId } of successes) {
          const found = retried.get(executionId)
          if (found !== undefined) found.isRecorded = true
        }
        if (successes.length > 0) schedule(collectForMs)
      }
    },

    async stop() {
      if (isStopped) return
      isStopped = true
      clearTimeout(timer)
      const last = (async () => {
        await pass
        if (hasWork() && !isFailing) await run()
      })()
      await withDeadline(last, STOP_WITHIN_MS, 'groups were not looked at').catch(() => {})
      isOver = true
    }
  }
}

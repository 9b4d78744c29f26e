import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { isOutOfReach, isStoreFailure, withStoreErrors } from '../../stores/failures/unavailable.ts'
import { MINUTE_MS, SECOND_MS } from '../../time/units.ts'
import { toError } from '../../backend/upkeep/leased-loop.ts'
import { LeaseLostError } from './bulk-actions.ts'
import { BULK_KEPT_MS, type BulkOrder, type BulkRecords } from './bulk-records.ts'
import { stepSizeOf, type BulkSteps, type Job } from './bulk-steps.ts'

interface RunnerDependencies {
  readonly records: BulkRecords
  readonly steps: BulkSteps
  /** One process at a time works on all operations. */
  readonly leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'>
  readonly holder: string
  /** The result backend's clock. */
  now(): Promise<number>
  onError(error: Error): void
}

const LEASE = 'bulk'
/** Another process goes on this long after one died. */
const LEASE_MS = 5 * SECOND_MS
const RENEW_AFTER_MS = SECOND_MS
/** How often a process without work looks for some. */
const LOOK_EVERY_MS = 3 * SECOND_MS
const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 5 * SECOND_MS
const PRUNE_EVERY_MS = 10 * MINUTE_MS
/** An operation that is being created has no order yet. */
const UNORDERED_MS = MINUTE_MS

export type BulkRunner = ReturnType<typeof createBulkRunner>

/** Works on bulk operations, in one process at a time. Each gets one step in turn. */
export function createBulkRunner({ records, steps, leases, holder, now, onError }: RunnerDependencies) {
  const stopping = new AbortController()
  const jobs = new Map<string, Job & { dueAt: number; failures: number; seenAt: number; reported: string | null }>()
  /** Just closed: their orders may have changed meanwhile. */
  const closed = new Set<string>()
  let wake = (): void => {}
  let running: Promise<void> | undefined
  let renewedAt = -Infinity
  let prunedAt = performance.now() - PRUNE_EVERY_MS + MINUTE_MS
  let isFailing = false

  return {
    /** Returns at once. */
    start(): void { running ??= run() },
    /** Ends after the current step. Idempotent; never rejects. */
    async stop(): Promise<void> {
      stopping.abort()
      wake()
      await running
      await leases.releaseLease(LEASE, holder).catch(() => {})
    },
    /** There is something to do. */
    notice(): void { wake() },
    /** The store that this process waits for with an operation. */
    waitingFor: (operationId: string) => jobs.get(operationId)?.waitingFor ?? null
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = LOOK_EVERY_MS
      try {
        pauseMs = await round()
        isFailing = false
      } catch (error) {
        if (!isFailing && !stopping.signal.aborted) onError(toError(error))
        isFailing = true
      }
      if (pauseMs > 0) await pause(pauseMs)
    }
  }

  /** @returns how long to wait before the next one, in milliseconds */
  async function round(): Promise<number> {
    if (performance.now() - prunedAt > PRUNE_EVERY_MS) await prune()
    for (const operationId of closed) await openIfUnfinished(operationId)
    const open = await records.open()
    if (open.length === 0 || !await holdLease()) {
      jobs.clear()
      return LOOK_EVERY_MS
    }
    for (const operationId of jobs.keys()) if (!open.includes(operationId)) jobs.delete(operationId)
    const orders = await records.ordersOf(open)
    for (const [index, operationId] of open.entries()) {
      const order = orders[index]!
      const job = jobs.get(operationId) ?? {
        ...steps.begin(operationId), dueAt: firstStepAt(order), failures: 0, seenAt: performance.now(), reported: null
      }
      jobs.set(operationId, job)
      if (order === null) {
        job.dueAt = performance.now() + SECOND_MS
        if (performance.now() - job.seenAt > UNORDERED_MS) await records.remove(operationId, 0)
      } else if (job.dueAt <= performance.now() && !stopping.signal.aborted && await holdLease()) await turn(operationId, job, order)
    }
    const dueAt = Math.min(...[...jobs.values()].map(job => job.dueAt))
    return Math.max(0, Math.min(dueAt - performance.now(), LOOK_EVERY_MS))
  }

  async function turn(operationId: string, job: NonNullable<ReturnType<typeof jobs.get>>, order: BulkOrder): Promise<void> {
    const startedAt = performance.now()
    try {
      const step = await steps.step(job, order, stillHeld)
      job.failures = 0
      job.reported = null
      job.waitingFor = null
      job.dueAt = step.is === 'idle'
        ? startedAt + LOOK_EVERY_MS
        // From its end: a slow step and the next one may fall into one second.
        : order.rate === null ? 0 : performance.now() + step.items / order.rate * SECOND_MS
      if (step.is === 'over') {
        closed.add(operationId)
        await records.setClosed(operationId)
        await openIfUnfinished(operationId)
        jobs.delete(operationId)
      }
    } catch (error) {
      job.forget()
      if (error instanceof LeaseLostError) return
      // A store that is away comes back by itself. One that refuses needs somebody.
      const report = isOutOfReach(error) && error.code !== 'STORE_REFUSED' ? null : toError(error)
      if (report !== null && report.message !== job.reported) onError(report)
      job.reported = report && report.message
      job.dueAt = performance.now() + Math.min(FIRST_RETRY_MS * 2 ** Math.min(job.failures++, 10), MAX_RETRY_MS)
      // Whether an unconfirmed change was made is seen at the next step, and so is a store that is away.
      if (isStoreFailure(error)) {
        const isBackend = error.code === 'BACKEND_UNAVAILABLE' || error.message.startsWith('The result backend')
        job.waitingFor = isBackend ? 'result_backend' : 'broker'
        await steps.keepWaiting(job).catch(() => {})
      }
    }
  }

  async function holdLease(): Promise<boolean> {
    if (performance.now() - renewedAt < RENEW_AFTER_MS) return true
    const askedAt = performance.now()
    const isHeld = await withStoreErrors(() => leases.acquireLease(LEASE, holder, LEASE_MS), 'result backend')
    renewedAt = isHeld ? askedAt : -Infinity
    return isHeld
  }

  /** Rejects if another process may be working on operations by now. Called before each change: a step can take longer than the lease. */
  async function stillHeld(): Promise<void> {
    if (!await holdLease()) throw new LeaseLostError()
  }

  /** An undo that came while its last step ran must not be lost, nor an end that could not be saved. */
  async function openIfUnfinished(operationId: string): Promise<void> {
    const [order, state] = await Promise.all([records.order(operationId), records.state(operationId)])
    const isUnfinished = order !== null && state !== null &&
      (order.value.wanted === 'undo' ? state.value.undoneAt === null : state.value.ended === null)
    if (isUnfinished) await records.setOpen(operationId)
    closed.delete(operationId)
  }

  async function prune(): Promise<void> {
    prunedAt = performance.now()
    const expiredBefore = await withStoreErrors(now, 'result backend') - BULK_KEPT_MS
    const expired = (await records.orders()).filter(({ value }) => value.createdAt < expiredBefore)
    for (const { id } of expired) await records.remove(id, (await records.state(id))?.value.chunks ?? 0)
  }

  async function pause(ms: number): Promise<void> {
    const woken = new AbortController()
    wake = () => woken.abort()
    if (!stopping.signal.aborted) await sleep(ms, undefined, { signal: woken.signal, ref: false }).catch(() => {})
    wake = () => {}
  }
}

/** Whoever worked on a limited operation before may have made a step just now. */
function firstStepAt(order: BulkOrder | null): number {
  return order === null || order.rate === null ? 0 : performance.now() + stepSizeOf(order) / order.rate * SECOND_MS
}

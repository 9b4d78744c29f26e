import type { DocumentStore } from '../../stores/documents/documents.ts'
import { isOutOfReach, isStoreFailure, withStoreErrors } from '../../stores/failures/unavailable.ts'
import { READ_ONLY, writeRefusalOf } from '../../stores/failures/write-refusal.ts'
import { MINUTE_MS, SECOND_MS } from '../../time/units.ts'
import { createLeasedLoop, toError, type Turn } from '../../backend/upkeep/leased-loop.ts'
import { LeaseLostError } from './acting.ts'
import { isForeign, type BulkKind, type BulkOrder, type ForeignOrder } from './bulk-order.ts'
import { BULK_KEPT_MS, type BulkRecords, type BulkStanding } from './bulk-records.ts'
import { stepSizeOf, type BulkSteps, type Job } from './bulk-steps.ts'
import { NOT_WAITING, waitingWith, type Waiting } from './bulk-waiting.ts'

interface RunnerDependencies {
  readonly records: BulkRecords
  readonly steps: BulkSteps
  /** One process at a time works on all operations. */
  readonly leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'>
  readonly holder: string
  /** The result backend's clock. */
  now(): Promise<number>
  onError(error: Error): void
  /** Which operations it works on. Default: those that touch no existing queues. */
  readonly kind?: BulkKind
  /** How long after its start it first prunes expired operations and finds lost ones. Default: a minute. */
  readonly pruneAfterMs?: number
}

/** Each kind and format of operations has its own lease. So a process that holds one does not block what it cannot work on. */
const LEASES: Readonly<Record<BulkKind, string>> = { own: 'bulk', observed: 'bulk-observed', managed: 'bulk-managed' }
/** How long after a process has died another one takes over. */
const LEASE_MS = 5 * SECOND_MS
const RENEW_AFTER_MS = SECOND_MS
/** How often a process without work checks for some. */
const LOOK_EVERY_MS = 3 * SECOND_MS
const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 5 * SECOND_MS
const PRUNE_EVERY_MS = 10 * MINUTE_MS
/**
 * How long operations of unknown formats are kept. Processes that know the format remove them earlier; this is for operations that no
 * process knows any more.
 */
const FOREIGN_KEPT_MS = 2 * BULK_KEPT_MS

export type BulkRunner = ReturnType<typeof createBulkRunner>

/** Works on bulk operations of one kind, in one process at a time. The operations take turns, with one step each. */
export function createBulkRunner({
  records, steps, leases, holder, now, onError, kind = 'own', pruneAfterMs = MINUTE_MS
}: RunnerDependencies) {
  const jobs = new Map<string, Job & {
    dueAt: number; failures: number; reported: string | null
    /** There was nothing to do for this order. Check again when it changes. */
    idleWith: BulkOrder['wanted'] | null
  }>()
  /** Operations that were just closed. Their orders may have changed since. */
  const closed = new Set<string>()
  /** Set while no operation is worked on, because this process cannot even find out which process has the lease. */
  let outage: Waiting | null = null
  let knownWith = 0
  let prunedAt = performance.now() - PRUNE_EVERY_MS + pruneAfterMs
  const loop = createLeasedLoop<number>({
    lease: LEASES[kind], leaseMs: LEASE_MS, renewAfterMs: RENEW_AFTER_MS, holder, everyMs: LOOK_EVERY_MS, startsAtOnce: true, onError,
    leases: {
      acquireLease: (...lease) => withStoreErrors(() => leases.acquireLease(...lease), 'result backend'),
      releaseLease: (...lease) => leases.releaseLease(...lease)
    },
    async pass(turn) {
      const untilNextMs = await round(turn).catch((error: unknown) => {
        outage = isStoreFailure(error) ? waitingWith(error) : null
        throw error
      })
      outage = null
      return untilNextMs
    },
    pauseMs: untilNextMs => untilNextMs
  })

  return {
    /** Returns at once. */
    start: loop.start,
    /** Ends after the current step. Idempotent; never rejects. */
    stop: loop.stop,
    /** Tells the runner that there is something to do. */
    notice: loop.wake,
    /** The store that an operation in this process waits for. */
    waitingFor(operationId: string): Waiting | null {
      const job = jobs.get(operationId)
      return job === undefined || job.waitingFor === null ? outage : job
    }
  }

  /** @returns how long to wait before the next one, in milliseconds */
  async function round({ signal, holdLease, leaseNumber }: Turn): Promise<number> {
    if (performance.now() - prunedAt > PRUNE_EVERY_MS) await prune()
    for (const operationId of closed) await openIfUnfinished(operationId)
    const open = await records.open()
    const orders = open.length === 0 ? [] : await records.ordersOf(open)
    // An operation that is being created has no order yet.
    const isOurs = (order: BulkOrder | ForeignOrder | null): boolean => order === null || !isForeign(order) && kindOf(order) === kind
    if (!orders.some(isOurs) || !await holdLease()) {
      jobs.clear()
      return LOOK_EVERY_MS
    }
    // If this process was frozen, another one may have worked on the operations and ended.
    if (leaseNumber() !== knownWith) jobs.clear()
    knownWith = leaseNumber()
    const isStillHeld = async (): Promise<boolean> => await holdLease() && leaseNumber() === knownWith
    // Changing existing queues takes many calls, so a process that stops does not wait for the rest of a step.
    const mayChange = async (): Promise<boolean> => (kind === 'own' || !signal.aborted) && await isStillHeld()
    for (const operationId of jobs.keys()) if (!open.includes(operationId)) jobs.delete(operationId)
    let soonestAt = Infinity
    for (const [index, operationId] of open.entries()) {
      const order = orders[index]!
      // It is being created, or other processes work on it.
      if (order === null || !isOurs(order) || isForeign(order)) {
        soonestAt = Math.min(soonestAt, performance.now() + (order === null ? SECOND_MS : LOOK_EVERY_MS))
        continue
      }
      const job = jobs.get(operationId) ?? {
        ...steps.begin(operationId), dueAt: firstStepAt(order), failures: 0, reported: null, idleWith: null
      }
      // The process that created it may have died while its entry among the open operations was still temporary.
      if (!jobs.has(operationId)) await records.setOpen(operationId)
      jobs.set(operationId, job)
      if (isDue(job, order) && !signal.aborted && await isStillHeld()) await work(operationId, job, order, mayChange)
    }
    const dueAt = Math.min(soonestAt, ...[...jobs.values()].map(job => job.idleWith === null ? job.dueAt : Infinity))
    return Math.max(0, Math.min(dueAt - performance.now(), LOOK_EVERY_MS))
  }

  function isDue({ dueAt, idleWith }: { dueAt: number; idleWith: BulkOrder['wanted'] | null }, { wanted }: BulkOrder): boolean {
    return dueAt <= performance.now() && idleWith !== wanted
  }

  async function work(
    operationId: string, job: NonNullable<ReturnType<typeof jobs.get>>, order: BulkOrder, isStillHeld: () => Promise<boolean>
  ): Promise<void> {
    try {
      job.idleWith = null
      const step = await steps.step(job, order, async () => {
        // Checked before each change, because a step can take longer than the lease: another process may have taken over.
        if (!await isStillHeld()) throw new LeaseLostError()
      })
      job.failures = 0
      job.reported = null
      Object.assign(job, step.waiting ?? NOT_WAITING)
      if (step.is === 'idle') job.idleWith = order.wanted
      // Counted from the end of the step. Otherwise a slow step and the next one could fall into the same second.
      else job.dueAt = order.rate === null ? 0 : performance.now() + step.items / order.rate * SECOND_MS
      if (step.is === 'over') {
        closed.add(operationId)
        await records.setClosed(operationId)
        await openIfUnfinished(operationId)
        jobs.delete(operationId)
      }
    } catch (error) {
      job.forget()
      if (error instanceof LeaseLostError) return
      // An unavailable store recovers by itself, and so does one that fails over. Any other refusal needs someone to act.
      const isPassing = isOutOfReach(error) && error.code !== 'STORE_REFUSED' && (writeRefusalOf(error) ?? READ_ONLY) === READ_ONLY
      const report = isPassing ? null : toError(error)
      if (report !== null && report.message !== job.reported) onError(report)
      job.reported = report && report.message
      job.dueAt = performance.now() + Math.min(FIRST_RETRY_MS * 2 ** Math.min(job.failures++, 10), MAX_RETRY_MS)
      // The next step finds out whether an unconfirmed change was made, and whether the store is back.
      if (isStoreFailure(error)) {
        Object.assign(job, waitingWith(error))
        await steps.keepWaiting(job).catch(() => {})
      }
    }
  }

  /**
   * Opens an operation again that was closed too early. Otherwise an undo that arrived during the last step would be lost, and so would an
   * end that could not be saved.
   */
  async function openIfUnfinished(operationId: string): Promise<void> {
    const [order, state] = await Promise.all([records.order(operationId), records.state(operationId)])
    if (order !== null && state !== null && isUnfinished(order.value, state.value)) await records.setOpen(operationId)
    closed.delete(operationId)
  }

  async function prune(): Promise<void> {
    prunedAt = performance.now()
    const expiredBefore = await withStoreErrors(now, 'result backend') - BULK_KEPT_MS
    const orders = await records.orders()
    const isExpired = ({ value }: (typeof orders)[number]): boolean =>
      value.createdAt < (isForeign(value) ? expiredBefore + BULK_KEPT_MS - FOREIGN_KEPT_MS : expiredBefore)
    for (const { id, value } of orders.filter(isExpired)) {
      const chunks = (await records.state(id))?.value.chunks
      await records.remove(id, { chunks: Number.isSafeInteger(chunks) ? chunks! : 0, rangeId: isForeign(value) ? null : value.rangeId })
    }
    await openLost(orders.filter(each => !isExpired(each)))
  }

  /** Opens operations again whose creator was frozen before it stored the order, and died right afterwards. */
  async function openLost(orders: ReadonlyArray<{ readonly id: string; readonly value: BulkOrder | ForeignOrder }>): Promise<void> {
    const open = new Set(await records.open())
    const others = orders.filter(({ id }) => !open.has(id))
    const states = await records.statesOf(others.map(({ id }) => id))
    for (const [index, { id, value }] of others.entries()) {
      const state = states[index]
      if (state !== null && state !== undefined && isUnfinished(value, state)) await records.setOpen(id)
    }
  }
}

function kindOf({ others }: BulkOrder): BulkKind {
  return others ?? 'own'
}

function isUnfinished(order: BulkOrder | ForeignOrder, { undoneAt, ended }: BulkStanding): boolean {
  return !isForeign(order) && (order.wanted === 'undo' ? undoneAt === null : ended === null)
}

/** With a rate, wait for the length of one step: the previous process may just have made one. */
function firstStepAt(order: BulkOrder): number {
  return order.rate === null ? 0 : performance.now() + stepSizeOf(order) / order.rate * SECOND_MS
}

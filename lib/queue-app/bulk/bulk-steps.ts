import type { BulkWait } from '../../../schemas/bulk.ts'
import { MAX_BULK_ITEMS } from '../../../schemas/limits.ts'
import { isObservedId } from '../../engine/observing/observed-id.ts'
import type { TaskDashboardError } from '../../errors.ts'
import type { Acting } from './acting.ts'
import type { BulkActions } from './bulk-actions.ts'
import type { BulkOrder } from './bulk-order.ts'
import { resolveFilter } from './matching/bulk-filter.ts'
import type { createBulkMatches } from './matching/bulk-matches.ts'
import type { NextItems, Wanted } from './matching/bulk-wanted.ts'
import {
  ITEMS_PER_CHUNK, type BulkRange, type BulkRecords, type BulkStanding, type PlannedItem, type SettledItem, type Versioned
} from './bulk-records.ts'
import { NOT_WAITING, waitingWith, type Waiting } from './bulk-waiting.ts'
import { addOnce, onceKeyOf } from './once-per-job.ts'
import { MAX_POSTPONED, mayPostpone, takeFirst } from './postponed.ts'

interface StepsDependencies {
  readonly records: BulkRecords
  readonly matches: Pick<ReturnType<typeof createBulkMatches>, 'next'>
  readonly actions: BulkActions
  /** The result backend's clock. */
  now(): Promise<number>
}

/** An operation, in the process that works on it. */
export interface Job {
  readonly operationId: string
  waitingFor: BulkWait | null
  /** The error of the store that it waits for, if that refuses writes. */
  problem: string | null
  /** Forgets the state, because it may be wrong. It is read again. */
  forget(): void
  /** Internal: what this process knows. */
  readonly known: {
    state: Versioned<BulkStanding> | null
    range: BulkRange | null
    /** Whether this process made the plan and no process has begun it. */
    isPlanUntouched: boolean
    /** Keys (`onceKeyOf`) of what must not be done again; null until they were read. */
    done: Set<string> | null
  }
}

/** `idle`: there is nothing to do for now. `over`: there is nothing left to do. */
export interface Step {
  readonly is: 'busy' | 'idle' | 'over'
  readonly items: number
  /** The store that some items wait for, while others continue. */
  readonly waiting?: Waiting
}

const IDLE: Step = { is: 'idle', items: 0 }
const OVER: Step = { is: 'over', items: 0 }
/** With a rate limit, there are at most this many steps per second. */
const LIMITED_STEPS_PER_SECOND = 2
/** Each item takes several calls to its queue, and an abort waits for the step. */
const OTHERS_PER_STEP = 50

export type BulkSteps = ReturnType<typeof createBulkSteps>

/**
 * Works on an operation in steps. Each step ends with one write of the state, which holds the outcomes of this step and the plan for the
 * next one. If the process dies before that write, the next process checks the same items again and finds out which of them were done.
 */
export function createBulkSteps({ records, matches, actions, now }: StepsDependencies) {
  return {
    begin(operationId: string): Job {
      const known: Job['known'] = { state: null, range: null, isPlanUntouched: false, done: null }
      return { operationId, known, waitingFor: null, problem: null, forget() { known.state = null } }
    },

    /** Makes one step. Rejects if a store is out of reach, and whenever `stillHeld` rejects. */
    async step(job: Job, order: BulkOrder, stillHeld: Acting['stillHeld']): Promise<Step> {
      const state = await stateOf(job)
      if (state === null) return OVER
      // Checked before the plan counts as begun, because an operation can stay suspended for days.
      if (order.wanted === 'suspend' && state.ended === null) return IDLE
      job.known.range ??= await records.range(order)
      const { isPlanUntouched } = job.known
      job.known.isPlanUntouched = false
      // `isBegun` is about the plan. Once the operation has ended there is no plan: only an undo continues, and it never stores that it
      // began a chunk.
      const isFirstAttempt = order.others === undefined || state.ended !== null ? isPlanUntouched : state.isBegun !== true
      const acting = { operationId: job.operationId, order, ...job.known.range, isFirstAttempt, stillHeld }
      if (order.wanted === 'undo') return await undo(job, acting, state)
      if (state.ended !== null) return OVER
      if (order.wanted === 'abort') return await abort(job, acting, state)
      return await go(job, acting, state)
    },

    /** Stores what an operation waits for. */
    async keepWaiting(job: Job): Promise<void> {
      const state = await stateOf(job)
      const { waitingFor, problem } = job
      if (state !== null && (state.waitingFor !== waitingFor || state.problem !== problem))
        await save(job, { ...state, waitingFor, problem })
      // Whether the plan was begun is unknown.
      job.known.isPlanUntouched = false
    }
  }

  async function go(job: Job, acting: Acting, state: BulkStanding): Promise<Step> {
    const { known, unknown } = await alreadySettled(acting, state)
    if (acting.order.others !== undefined && unknown.length > 0 && state.isBegun !== true) {
      if (!await save(job, { ...state, isBegun: true })) return { is: 'busy', items: 0 }
      job.known.isPlanUntouched = false
    }
    const { order } = acting
    const postponed = [...state.postponed ?? []]
    let away: TaskDashboardError | undefined
    const settledNow = unknown.length === 0 ? [] : await actions.settle(!mayPostpone(order) ? acting : {
      ...acting,
      postpone([id, task], error, isSent) {
        postponed.push([id, task, isSent || !acting.isFirstAttempt])
        away ??= error
      }
    }, unknown)
    const outcomes = [...known, ...settledNow]
    const done = order.others === undefined ? null : await doneOf(job, acting, state)
    for (const outcome of outcomes) addOnce(done, order, outcome)
    const left = MAX_BULK_ITEMS - countOf(state) - outcomes.length - postponed.length
    const tail = (state.tail.length + outcomes.length) % ITEMS_PER_CHUNK
    const limit = Math.min(ITEMS_PER_CHUNK - tail, stepSizeOf(order))
    const next = await readOn(acting, state, { limit: Math.min(left, limit), isFull: postponed.length + limit > MAX_POSTPONED })
    away ??= next.away
    const waits = new Set(postponed.map(([id]) => id))
    const isNew = (item: PlannedItem): boolean => !waits.has(item[0]) && done?.has(onceKeyOf(order, item)) !== true
    const fresh = next.items.filter(isNew)
    // Each try puts one more item in doubt. So postponed items are tried only if no new items were found and there is nothing else to read
    // for now.
    const again = fresh.length > 0 || next.goesOn ? { items: [], isBegun: false } : takeFirst(postponed, limit)
    const plan = fresh.length > 0 ? fresh : again.items
    const isCapped = state.isCapped || left === 0 && !state.isRead
    const isOver = next.isEnd && plan.length === 0
    if (isOver) {
      await end(job, acting, { ...state, isCapped }, { ended: 'done', outcomes })
      return OVER
    }
    const settled = await withOutcomes(acting, state, outcomes, tail === 0)
    const waiting = away === undefined ? NOT_WAITING : waitingWith(away)
    await save(job, {
      ...settled, ...waiting, plan, isBegun: again.isBegun, position: next.position, isRead: next.isEnd, isCapped,
      ...mayPostpone(order) && { postponed }
    })
    if (away !== undefined && outcomes.length === 0 && fresh.length === 0 && !next.goesOn) throw away
    return { is: 'busy', items: outcomes.length, waiting }
  }

  async function readOn(
    acting: Acting, { isRead, position }: BulkStanding, { limit, isFull }: { readonly limit: number; readonly isFull: boolean }
  ): Promise<NextItems> {
    if (isRead || limit <= 0) return NOTHING
    if (isFull) return { items: [], position, isEnd: false }
    return await matches.next(wantedOf(acting), position, limit, mayPostpone(acting.order))
  }

  async function abort(job: Job, acting: Acting, state: BulkStanding): Promise<Step> {
    const { known, unknown } = await alreadySettled(acting, state)
    // If the plan was not begun, whatever looks done was done by others.
    const done = acting.isFirstAttempt || unknown.length === 0 ? [] : await actions.whatWasDone(acting, unknown)
    const outcomes = [...known, ...done]
    const postponed = state.postponed ?? []
    if (postponed.length > 0) {
      // Some of the items that were sent may have been done.
      const tail = (state.tail.length + outcomes.length) % ITEMS_PER_CHUNK
      const settled = await withOutcomes(acting, state, outcomes, tail === 0)
      const left = postponed.filter(([, , isSent]) => isSent)
      const next = takeFirst(left, ITEMS_PER_CHUNK - tail)
      await save(job, { ...settled, plan: next.items, isBegun: true, postponed: left })
      return { is: 'busy', items: 0 }
    }
    await end(job, acting, state, { ended: 'aborted', outcomes })
    return OVER
  }

  async function end(
    job: Job, acting: Acting, state: BulkStanding, { ended, outcomes }: { ended: 'done' | 'aborted'; outcomes: readonly SettledItem[] }
  ): Promise<void> {
    const settled = await withOutcomes(acting, state, outcomes, true)
    await save(job, { ...settled, plan: [], ...NOT_WAITING, ended, finishedAt: await now() })
  }

  async function undo(job: Job, acting: Acting, state: BulkStanding): Promise<Step> {
    if (state.undoneAt !== null) return OVER
    if (state.ended === null) {
      await abort(job, acting, state)
      return { is: 'busy', items: 0 }
    }
    if (state.toUndo === null) {
      // Saved first, because otherwise it would be unknown whether the first chunk was begun.
      await save(job, { ...state, toUndo: state.chunks, ...NOT_WAITING })
      return { is: 'busy', items: 0 }
    }
    const chunk = state.toUndo - 1
    if (chunk < 0) {
      await save(job, { ...state, toUndo: 0, ...NOT_WAITING, undoneAt: await now() })
      return OVER
    }
    const items = await records.chunk(job.operationId, chunk) ?? []
    const undone = await actions.undo(acting, items)
    // Counted from the chunk itself: it may have been replaced before the count was saved.
    await records.replaceChunk(job.operationId, chunk, undone)
    const count = undone.filter(([, , outcome]) => outcome === 'undone').length
    await save(job, {
      ...state, toUndo: chunk, ...NOT_WAITING,
      progress: { ...state.progress, undone: state.progress.undone + count, done: state.progress.done - count }
    })
    return { is: 'busy', items: undone.length }
  }

  /**
   * Splits the plan into items whose outcome is known and all others. The process that worked on it before may have died after it stored
   * its last chunk and before it saved the state. That chunk is more reliable than another check, which may find what someone has done
   * since.
   */
  async function alreadySettled(
    { operationId, isFirstAttempt }: Acting, { plan, chunks, tail }: BulkStanding
  ): Promise<{ readonly known: readonly SettledItem[]; readonly unknown: readonly PlannedItem[] }> {
    if (isFirstAttempt || plan.length === 0) return { known: [], unknown: plan }
    const afterTail = (await records.chunk(operationId, chunks) ?? []).slice(tail.length)
    const kept = new Map(afterTail.map(item => [item[0], item]))
    return { known: plan.map(([id]) => kept.get(id)).filter(item => item !== undefined), unknown: plan.filter(([id]) => !kept.has(id)) }
  }

  /**
   * Adds outcomes to the state.
   * @param isChunk whether they complete a chunk, which becomes a document of its own
   */
  async function withOutcomes(
    { operationId }: Acting, state: BulkStanding, outcomes: readonly SettledItem[], isChunk: boolean
  ): Promise<BulkStanding> {
    const tail = [...state.tail, ...outcomes]
    if (!isChunk || tail.length === 0) return counted({ ...state, tail }, outcomes)
    const kept = await records.keepChunk(operationId, state.chunks, state.tail, outcomes)
    return counted({ ...state, chunks: state.chunks + 1, tail: [] }, kept)
  }

  async function doneOf(job: Job, { operationId, order }: Acting, { chunks, tail }: BulkStanding): Promise<Set<string>> {
    if (job.known.done !== null) return job.known.done
    const done = new Set<string>()
    for (let chunk = 0; chunk < chunks; chunk++)
      for (const item of await records.chunk(operationId, chunk) ?? []) addOnce(done, order, item)
    for (const item of tail) addOnce(done, order, item)
    return job.known.done = done
  }

  async function stateOf(job: Job): Promise<BulkStanding | null> {
    if (job.known.state === null) job.known.isPlanUntouched = false
    job.known.state ??= await records.state(job.operationId)
    return job.known.state?.value ?? null
  }

  /** @returns whether it was saved. It is not if another process took over while this one was frozen */
  async function save(job: Job, state: BulkStanding): Promise<boolean> {
    const version = await records.saveState(job.operationId, state, job.known.state!.version)
    job.known.state = version === null ? null : { version, value: state }
    job.known.isPlanUntouched = version !== null
    return version !== null
  }
}

const NOTHING: NextItems = { items: [], position: { unread: 0, open: [] }, isEnd: true }

/** How many items one step has. */
export function stepSizeOf({ rate, others }: Pick<BulkOrder, 'rate' | 'others'>): number {
  const most = others === undefined ? ITEMS_PER_CHUNK : OTHERS_PER_STEP
  return rate === null ? most : Math.min(most, Math.max(1, Math.floor(rate / LIMITED_STEPS_PER_SECOND)))
}

function wantedOf({ order, taskNames, executionIds }: Acting): Wanted {
  return {
    action: order.action, filter: resolveFilter(order, order.before), before: order.before, taskNames, isAllTasks: order.isAllTasks,
    ...executionIds !== null && { executionIds }
  }
}

function countOf({ progress: { done, skipped, failed, undone } }: BulkStanding): number {
  return done + skipped + failed + undone
}

function counted(state: BulkStanding, outcomes: readonly SettledItem[]): BulkStanding {
  const progress = { ...state.progress }
  for (const [, , outcome] of outcomes) progress[outcome]++
  // An existing queue runs the same job again, so there is no retry that could be removed.
  const final = outcomes.filter(([id, , outcome]) => outcome === 'done' && isObservedId(id)).length
  return { ...state, progress, final: (state.final ?? 0) + final }
}

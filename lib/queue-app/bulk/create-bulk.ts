import { v7 as uuid } from 'uuid'
import type { BulkState as BulkStateName } from '../../../schemas/bulk.ts'
import { MAX_BULK_RATE, MAX_BULK_ITEMS } from '../../../schemas/limits.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import { createTaskDashboardError, invalidInput } from '../../errors.ts'
import { fromCursor, toCursor } from '../../input/cursor.ts'
import { DeadlineError, withDeadline } from '../../time/deadline.ts'
import { SECOND_MS } from '../../time/units.ts'
import { withStoreErrors } from '../../stores/failures/unavailable.ts'
import { checkReason } from '../operations/action-reason.ts'
import type {
  BulkChange, BulkCount, BulkItem, BulkItemsQuery, BulkListQuery, BulkOverview, BulkPage, BulkReads, BulkRequest, BulkWrites
} from './bulk.ts'
import { fromToken, hasDrifted, resolveFilter, toToken } from './bulk-filter.ts'
import type { createBulkMatches } from './bulk-matches.ts'
import {
  BULK_KEPT_MS, ITEMS_PER_CHUNK, NEW_STATE, type BulkOrder, type BulkRecords, type BulkState, type SettledItem
} from './bulk-records.ts'
import type { BulkRunner } from './bulk-runner.ts'
import { retryIdOf } from '../operations/retry-id.ts'

interface BulkDependencies {
  readonly records: BulkRecords
  readonly matches: ReturnType<typeof createBulkMatches>
  readonly runner: Pick<BulkRunner, 'notice' | 'waitingFor'>
  readonly backend: Pick<ResultBackend, 'taskTotals'>
  /** Every task that the broker knows. */
  taskNames(): Promise<readonly string[]>
  /** The result backend's clock. */
  now(): Promise<number>
}

/** A start does not wait longer for its count, nor a dry run for its count and sample. */
const COUNTED_WITHIN_MS = SECOND_MS
const UNCOUNTED: BulkCount = { value: 0, relation: 'at_least' }
/** Chunks of outcomes that one page of filtered items looks through. */
const CHUNKS_PER_PAGE = 20
/** How often a change is tried again while others change the same operation. */
const TRIES = 5

export function createBulk({ records, matches, runner, backend, taskNames, now }: BulkDependencies): BulkReads & BulkWrites {
  const ask = <Result>(work: () => Promise<Result>): Promise<Result> => withStoreErrors(work, 'result backend')

  async function find(operationId: string): Promise<BulkOverview | null> {
    const order = await records.order(operationId)
    if (order === null) return null
    const [state, names] = await Promise.all([records.state(operationId), records.taskNames(operationId)])
    return overviewOf(operationId, order.value, state?.value ?? NEW_STATE, names)
  }

  /** Counting never keeps an operation from starting. */
  async function quickCount(request: BulkRequest, before: number): Promise<BulkCount> {
    return await soon(matches.count(wantedOf(request, before)), UNCOUNTED).catch(() => UNCOUNTED)
  }

  async function change(
    operationId: string, wanted: BulkOrder['wanted'], { by = null }: BulkChange, { from, already, verb }: Rule
  ): Promise<BulkOverview> {
    for (let tries = 0; tries < TRIES; tries++) {
      const [order, overview] = await Promise.all([records.order(operationId), find(operationId)])
      if (order === null || overview === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
      if (already.includes(overview.state)) {
        // Whoever asked before may have died in between.
        if (overview.state === 'undoing') await records.setOpen(operationId)
        return overview
      }
      if (!from.includes(overview.state)) throw createTaskDashboardError('BULK_STATE', [overview.state, verb])
      if (wanted === 'undo' && !overview.isUndoable)
        throw createTaskDashboardError('BULK_STATE', [`${overview.state}, and nothing that it did can be taken back`, verb])
      // Whoever works on it finds it by this, and looks at the order then.
      if (wanted === 'undo') await records.setOpen(operationId)
      const changed: BulkOrder = { ...order.value, wanted, changedAt: await ask(now), changedBy: by }
      if (await records.saveOrder(operationId, changed, order.version) === null) continue
      // The last step may have ended in between, and have closed it.
      if (wanted === 'undo') await records.setOpen(operationId)
      runner.notice()
      return (await find(operationId))!
    }
    throw createTaskDashboardError('BULK_STATE', ['being changed by others', verb])
  }

  function overviewOf(operationId: string, order: BulkOrder, state: BulkState, names: readonly string[]): BulkOverview {
    const { action, filter, before, tasksLeftOut, count, rate, reason, createdAt, by, changedAt, changedBy } = order
    const name = nameOf(order, state)
    return {
      operationId, action, state: name,
      waitingFor: name === 'running' || name === 'undoing' ? runner.waitingFor(operationId) ?? state.waitingFor : null,
      filter, before, taskNames: names, tasksLeftOut, count, progress: state.progress, rate, reason, createdAt, createdBy: by, changedAt,
      changedBy, finishedAt: name === 'undone' ? state.undoneAt : name === 'undoing' ? null : state.finishedAt,
      expiresAt: createdAt + BULK_KEPT_MS,
      isUndoable: (name === 'done' || name === 'aborted') &&
        (action === 'retry' || action === 'resolve') && (state.progress.done > 0 || state.ended === null),
      isCapped: state.isCapped
    }
  }

  async function overviewsOf(orders: ReadonlyArray<{ readonly id: string; readonly value: BulkOrder }>): Promise<BulkOverview[]> {
    const ids = orders.map(({ id }) => id)
    const [states, names] = await Promise.all([records.statesOf(ids), records.taskNamesOf(ids)])
    return orders.map(({ id, value }, index) => overviewOf(id, value, states[index] ?? NEW_STATE, names[index]!))
  }

  return {
    async taskNames(request) {
      const asked = resolveFilter(request, Date.now())?.taskName
      if (asked !== undefined && request.action !== 'resolve') return [asked]
      const { executionIds } = request.filter
      if (executionIds !== undefined) return await matches.tasksOf(executionIds)
      // What finished long ago may be of a task that no process registers any more.
      const [known, totals] = await Promise.all([taskNames(), backend.taskTotals()])
      return [...new Set([...known, ...totals.keys()])].sort()
    },

    async preview(request) {
      const at = await ask(now)
      const wanted = wantedOf(request, at)
      const [count, sample] = await Promise.all([
        soon(matches.count(wanted), UNCOUNTED), soon(matches.sample(wanted), [])
      ])
      return { count, sample, token: toToken(request, { count, at, isAccepted: false }) }
    },

    async create({ token, reason, rate = null, by = null, ...request }, operation) {
      const operationId = operation?.id ?? uuid()
      if (operation?.isRepeated) {
        const standing = await find(operationId)
        if (standing !== null) return standing
      }
      if (rate !== null && !(Number.isInteger(rate) && rate >= 1 && rate <= MAX_BULK_RATE))
        throw invalidInput('/rate', `must be a whole number from 1 to ${MAX_BULK_RATE}`)
      const at = await ask(now)
      const why = checkReason(reason)
      // Throws before anything is counted.
      resolveFilter(request, at)
      const seen = token === undefined ? null : fromToken(request, token, at)
      const before = seen?.isAccepted ? seen.at : at
      const count = seen?.isAccepted ? seen.count : await quickCount(request, before)
      if (seen !== null && !seen.isAccepted && hasDrifted(seen.count, count) && count.value + seen.count.value > 0) {
        throw createTaskDashboardError('BULK_DRIFTED', [`${textOf(seen.count)} before, ${textOf(count)} now`], {
          drift: { count, token: toToken(request, { count, at, isAccepted: true }) }
        })
      }
      if (count.relation === 'exact' && count.value > MAX_BULK_ITEMS) {
        const message = `matches ${count.value} items: an operation has at most ${MAX_BULK_ITEMS}. Narrow it, such as by time`
        throw invalidInput('/filter', message)
      }
      const order: BulkOrder = {
        action: request.action, filter: request.filter, createdAt: at, before, by, reason: why, rate, count,
        taskCount: request.taskNames.length, tasksLeftOut: request.tasksLeftOut, isAllTasks: isOfAllTasks(request), wanted: 'run',
        changedAt: null, changedBy: null
      }
      await records.add(operationId, order, request.taskNames, NEW_STATE)
      runner.notice()
      return (await find(operationId)) ?? overviewOf(operationId, order, NEW_STATE, request.taskNames)
    },

    find,

    async list({ limit = 50, cursor, isShown }: BulkListQuery = {}): Promise<BulkPage<BulkOverview>> {
      const after = cursor === undefined ? null : fromCursor(cursor, ([at, id]) =>
        Number.isSafeInteger(at) && typeof id === 'string' ? { at: at as number, id } : null)
      const orders = await records.orders()
      // What is not shown shows neither in the total nor in the cursor.
      const shown = isShown === undefined
        ? orders
        : (await overviewsOf(orders)).flatMap((each, index) => isShown(each) ? [orders[index]!] : [])
      const isOlder = (id: string, createdAt: number): boolean =>
        after === null || createdAt < after.at || createdAt === after.at && id < after.id
      const rest = shown.filter(({ id, value }) => isOlder(id, value.createdAt))
      const page = rest.slice(0, limit)
      const last = page.at(-1)
      return {
        items: await overviewsOf(page),
        nextCursor: rest.length > limit && last !== undefined ? toCursor([last.value.createdAt, last.id]) : null,
        total: shown.length
      }
    },

    async items(operationId, { outcome, limit = 50, cursor }: BulkItemsQuery = {}): Promise<BulkPage<BulkItem>> {
      const offset = cursor === undefined
        ? 0
        : fromCursor(cursor, ([at]) => Number.isSafeInteger(at) && (at as number) >= 0 ? at as number : null)
      const order = await records.order(operationId)
      if (order === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
      const [{ value: state } = { value: NEW_STATE }, names] = await Promise.all([
        records.state(operationId).then(found => found ?? undefined), records.taskNames(operationId)
      ])
      const { progress } = state
      const items: BulkItem[] = []
      let at = offset
      let chunk = Math.floor(offset / ITEMS_PER_CHUNK)
      const lastChunk = chunk + CHUNKS_PER_PAGE
      let isEnd = false
      while (items.length < limit && chunk < lastChunk && !isEnd) {
        const settled = chunk < state.chunks ? await records.chunk(operationId, chunk) ?? [] : chunk === state.chunks ? state.tail : []
        for (const item of settled.slice(at - chunk * ITEMS_PER_CHUNK)) {
          if (items.length === limit) break
          at++
          if (outcome === undefined || item[2] === outcome) items.push(toItem(order.value, names, item))
        }
        if (at < chunk * ITEMS_PER_CHUNK + settled.length) break
        isEnd = chunk >= state.chunks || chunk === state.chunks - 1 && state.tail.length === 0
        chunk++
        at = chunk * ITEMS_PER_CHUNK
      }
      return {
        items, nextCursor: isEnd ? null : toCursor([at]),
        total: outcome === undefined ? progress.done + progress.skipped + progress.failed + progress.undone : progress[outcome]
      }
    },

    suspend: (id, by = {}) => change(id, 'suspend', by, { from: ['running'], already: ['suspended'], verb: 'suspended' }),
    resume: (id, by = {}) => change(id, 'run', by, { from: ['suspended'], already: ['running'], verb: 'resumed' }),
    abort: (id, by = {}) => change(id, 'abort', by, { from: ['running', 'suspended'], already: ['aborted'], verb: 'aborted' }),
    undo: (id, by = {}) => change(id, 'undo', by, { from: ['done', 'aborted'], already: ['undoing', 'undone'], verb: 'undone' })
  }
}

/** The result, or `late` if it takes too long. */
async function soon<Result>(work: Promise<Result>, late: Result): Promise<Result> {
  return await withDeadline(work, COUNTED_WITHIN_MS, 'not read').catch((error: unknown) => {
    if (error instanceof DeadlineError) return late
    throw error
  })
}

interface Rule { readonly from: readonly BulkStateName[]; readonly already: readonly BulkStateName[]; readonly verb: string }

function nameOf({ wanted }: BulkOrder, { ended, undoneAt }: BulkState): BulkStateName {
  if (wanted === 'undo') return undoneAt === null ? 'undoing' : 'undone'
  if (ended !== null) return ended
  return wanted === 'abort' ? 'aborted' : wanted === 'suspend' ? 'suspended' : 'running'
}

function wantedOf(request: BulkRequest, before: number) {
  return {
    action: request.action, filter: resolveFilter(request, before), before, taskNames: request.taskNames,
    isAllTasks: isOfAllTasks(request), executionIds: request.filter.executionIds
  }
}

function isOfAllTasks({ tasksLeftOut, isNarrowed = false }: BulkRequest): boolean {
  return tasksLeftOut === 0 && !isNarrowed
}

function toItem({ action }: BulkOrder, names: readonly string[], [id, task, outcome, code]: SettledItem): BulkItem {
  const isGroup = action === 'resolve'
  return {
    taskName: names[task] ?? null, executionId: isGroup ? null : id, errorGroup: isGroup ? id : null, outcome, code: code ?? null,
    madeExecutionId: action === 'retry' && outcome === 'done' ? retryIdOf(id) : null
  }
}

function textOf({ value, relation }: BulkCount): string {
  return relation === 'exact' ? String(value) : `at least ${value}`
}

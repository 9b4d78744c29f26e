import { v7 as uuid } from 'uuid'
import type { BulkState } from '../../../schemas/bulk.ts'
import { MAX_BULK_RATE, MAX_BULK_ITEMS } from '../../../schemas/limits.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import { createTaskDashboardError, invalidInput } from '../../errors.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { fromCursor, toCursor } from '../../input/cursor.ts'
import { orLate } from '../../time/deadline.ts'
import { unreadAfterChange, withStoreErrors } from '../../stores/failures/unavailable.ts'
import { checkReason } from '../operations/action-reason.ts'
import { ONLY_ITSELF, type Covered } from '../tasks/parts-of-tasks.ts'
import type {
  BulkChange, BulkCount, BulkDetail, BulkItem, BulkItemsQuery, BulkListQuery, BulkOverview, BulkPage, BulkReads, BulkRequest,
  BulkWrites
} from './bulk.ts'
import { fromToken, hasDrifted, resolveFilter, toToken } from './matching/bulk-filter.ts'
import type { createBulkMatches } from './matching/bulk-matches.ts'
import type { Wanted } from './matching/bulk-wanted.ts'
import { createFrozenRange, COUNTED_WITHIN_MS } from './matching/frozen-range.ts'
import { mayBeOf, tasksOf } from './matching/look-up-apart.ts'
import { formatOf, isForeign, type BulkOrder, type ForeignOrder } from './bulk-order.ts'
import { ITEMS_PER_CHUNK, NEW_STATE, type BulkRecords, type BulkStanding } from './bulk-records.ts'
import type { BulkRunner } from './bulk-runner.ts'
import { toForeignOverview, toItem, toBulkOverview, UNCOUNTED } from './to-bulk-overview.ts'

interface BulkDependencies {
  readonly records: BulkRecords
  readonly matches: ReturnType<typeof createBulkMatches>
  readonly runner: Pick<BulkRunner, 'notice' | 'waitingFor'>
  readonly backend: Pick<ResultBackend, 'taskTotals'>
  /** Every task that the broker knows. */
  taskNames(): Promise<readonly string[]>
  /** Default: each task covers only itself. */
  readonly covered?: Covered | undefined
  /** Which existing queues are among these tasks. Default: none. */
  readonly othersIn?: (taskNames: readonly string[]) => BulkOrder['others']
  /** The result backend's clock. */
  now(): Promise<number>
}

/** How many chunks of outcomes are searched for one page of filtered items. */
const CHUNKS_PER_PAGE = 20
/** The tasks of this many operations are read at a time. */
const RANGES_AT_A_TIME = 50
/** How often a change is tried again while others change the same operation. */
const MAX_TRIES = 5

export function createBulk(
  { records, matches, runner, backend, taskNames, covered = ONLY_ITSELF, othersIn, now }: BulkDependencies
): BulkReads & BulkWrites {
  const ask = <Result>(work: () => Promise<Result>): Promise<Result> => withStoreErrors(work, 'result backend')

  async function find(operationId: string): Promise<BulkDetail | null> {
    const order = await records.order(operationId)
    if (order === null) return null
    if (isForeign(order.value)) return { ...toForeignOverview(operationId, order.value), taskNames: [], executionsLeftOut: null }
    const [state, range] = await Promise.all([records.state(operationId), records.range(order.value)])
    const overview = overviewOf(operationId, order.value, state?.value ?? NEW_STATE)
    const { taskNames, executionIds, executionsLeftOut = null } = range
    return { ...overview, taskNames, executionsLeftOut, filter: { ...order.value.filter, ...executionIds !== null && { executionIds } } }
  }

  function overviewOf(operationId: string, order: BulkOrder, state: BulkStanding): BulkOverview {
    return toBulkOverview(operationId, order, state, runner.waitingFor(operationId))
  }

  const rangeOf = createFrozenRange(matches, covered)

  /** A count that is slow or fails does not keep an operation from starting. */
  async function quickCount(wanted: Wanted): Promise<BulkCount> {
    return await orLate(matches.count(wanted), COUNTED_WITHIN_MS, UNCOUNTED).catch(() => UNCOUNTED)
  }

  async function change(
    operationId: string, wanted: BulkOrder['wanted'], { by = null }: BulkChange, { from, already, verb }: Rule
  ): Promise<BulkDetail> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const read = Promise.all([records.order(operationId), find(operationId)])
      // After a broken connection a change is sent again. So what looks like someone else's change may be this very change.
      const [order, overview] = await (tries === 0 ? read : read.catch(unreadAfterChange))
      if (order === null || overview === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
      if (already.includes(overview.state)) {
        // The process that was asked before may have died in between.
        if (overview.state === 'undoing') await records.setOpen(operationId)
        return overview
      }
      if (isForeign(order.value) || !from.includes(overview.state)) throw createTaskDashboardError('BULK_STATE', [overview.state, verb])
      if (wanted === 'undo' && !overview.isUndoable)
        throw createTaskDashboardError('BULK_STATE', [`${overview.state}, and nothing that it did can be taken back`, verb])
      // Listed as open first: that is how a runner finds the operation. It then reads the order.
      if (wanted === 'undo') await records.setOpen(operationId)
      const changed: BulkOrder = { ...order.value, wanted, changedAt: await ask(now), changedBy: by }
      if (await records.saveOrder(operationId, changed, order.version) === null) continue
      // The last step may have ended in between and closed the operation.
      if (wanted === 'undo') await records.setOpen(operationId).catch(unreadAfterChange)
      runner.notice()
      return (await find(operationId).catch(unreadAfterChange))!
    }
    throw createTaskDashboardError('BULK_STATE', ['being changed by others', verb])
  }

  async function overviewsOf(
    orders: ReadonlyArray<{ readonly id: string; readonly value: BulkOrder | ForeignOrder }>
  ): Promise<BulkOverview[]> {
    const states = await records.statesOf(orders.map(({ id }) => id))
    return orders.map(({ id, value }, index) =>
      isForeign(value) ? toForeignOverview(id, value) : overviewOf(id, value, states[index] ?? NEW_STATE))
  }

  /** The tasks of a few operations are read at a time: there can be thousands of operations, with thousands of tasks each. */
  async function ordersShown(
    orders: Awaited<ReturnType<BulkRecords['orders']>>, isShown: NonNullable<BulkListQuery['isShown']>
  ): Promise<typeof orders> {
    const shown: Array<(typeof orders)[number]> = []
    for (const chunk of inChunks(orders, RANGES_AT_A_TIME)) {
      const known = chunk.flatMap(({ id, value }) => isForeign(value) ? [] : [{ id, value }])
      const ranges = await records.rangesOf(known.map(({ value }) => value))
      shown.push(...known.filter((_order, index) => isShown(ranges[index]!)))
    }
    return shown
  }

  return {
    async taskNames(request) {
      const asked = resolveFilter(request, Date.now())?.taskName
      if (asked !== undefined && request.action !== 'resolve') return covered(asked)
      // Old executions may belong to a task that no process registers any more.
      const [known, totals] = await Promise.all([taskNames(), backend.taskTotals()])
      return [...new Set([...known, ...totals.keys()])].sort()
    },

    async executions(request) {
      const filter = resolveFilter(request, Date.now())
      const ids = request.filter.executionIds ?? []
      if (filter === null || ids.length === 0) return []
      const { executions, unread } = await matches.existing(ids, await taskNames())
      const asked = filter.taskName
      const tasks = asked === undefined ? null : new Set(covered(asked))
      return [
        ...executions.map(({ executionId, taskName }) => ({ executionId, taskName })),
        ...unread.flatMap(executionId => mayBeOf(executionId, covered).map(taskName => ({ executionId, taskName })))
      ].filter(({ taskName }) => tasks?.has(taskName) !== false)
    },

    async preview(request) {
      const at = await ask(now)
      const wanted = wantedOf(request, at)
      const [count, sample, named] = await Promise.all([
        orLate(matches.count(wanted), COUNTED_WITHIN_MS, UNCOUNTED), orLate(matches.sample(wanted), COUNTED_WITHIN_MS, []),
        orLate(matches.named(wanted), COUNTED_WITHIN_MS, null)
      ])
      const taskCount = isNothing(count) ? 0
        : named === null ? request.taskNames.length : new Set(tasksOf(named, covered)).size
      return { count, sample, taskCount, token: toToken(request, { count, at, isAccepted: false }) }
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
      // Throws for invalid input before anything is counted.
      resolveFilter(request, at)
      const seen = token === undefined ? null : fromToken(request, token, at)
      const before = seen?.isAccepted ? seen.at : at
      const wanted = wantedOf(request, before)
      const counted = seen?.isAccepted ? seen.count : await quickCount(wanted)
      if (isNothing(counted)) throw createTaskDashboardError('NOTHING_MATCHES')
      if (seen !== null && !seen.isAccepted && hasDrifted(seen.count, counted) && counted.value + seen.count.value > 0) {
        throw createTaskDashboardError('BULK_DRIFTED', [`${textOf(seen.count)} before, ${textOf(counted)} now`], {
          drift: { count: counted, token: toToken(request, { count: counted, at, isAccepted: true }) }
        })
      }
      if (counted.relation === 'exact' && counted.value > MAX_BULK_ITEMS) {
        const message = `matches ${counted.value} items: an operation has at most ${MAX_BULK_ITEMS}. Narrow it, such as by time`
        throw invalidInput('/filter', message)
      }
      const { range, count } = await rangeOf(wanted, request, counted)
      if (isNothing(count)) throw createTaskDashboardError('NOTHING_MATCHES')
      const { executionIds: _ids, ...filter } = request.filter
      // Resolving a failure group changes only the history.
      const others = request.action === 'resolve' ? undefined : othersIn?.(range.taskNames)
      await records.add(operationId, {
        format: formatOf(others), action: request.action, filter, executionCount: range.executionIds?.length ?? null, createdAt: at, before,
        by, reason: why, rate, count, taskCount: range.taskNames.length, tasksLeftOut: request.tasksLeftOut,
        isAllTasks: isOfAllTasks(request), ...others !== undefined && { others }, wanted: 'run', changedAt: null, changedBy: null
      }, range)
      runner.notice()
      const created = await find(operationId).catch(unreadAfterChange)
      if (created === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
      return created
    },

    find,

    async list({ limit = 50, cursor, isShown }: BulkListQuery = {}): Promise<BulkPage<BulkOverview>> {
      const after = cursor === undefined ? null : fromCursor(cursor, ([at, id]) =>
        Number.isSafeInteger(at) && typeof id === 'string' ? { at: at as number, id } : null)
      const orders = await records.orders()
      // Hidden operations affect neither the total nor the cursor.
      const shown = isShown === undefined ? orders : await ordersShown(orders, isShown)
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
      const known = order.value
      if (isForeign(known)) return { items: [], nextCursor: null, total: 0 }
      const [{ value: state } = { value: NEW_STATE }, { taskNames: names }] = await Promise.all([
        records.state(operationId).then(found => found ?? undefined), records.range(known)
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
          if (outcome === undefined || item[2] === outcome) items.push(toItem(known, names, item))
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

interface Rule { readonly from: readonly BulkState[]; readonly already: readonly BulkState[]; readonly verb: string }

function wantedOf(request: BulkRequest, before: number): Wanted {
  const executionIds = request.filter.executionIds === undefined ? undefined : request.executionIds ?? request.filter.executionIds
  return {
    action: request.action, filter: resolveFilter(request, before), before, taskNames: request.taskNames,
    isAllTasks: isOfAllTasks(request), ...executionIds !== undefined && { executionIds }
  }
}

function isOfAllTasks({ tasksLeftOut, isNarrowed = false }: BulkRequest): boolean {
  return tasksLeftOut === 0 && !isNarrowed
}

/** Whether an operation would have nothing to do. Does not reveal whether what it names is unknown, hidden or does not match. */
function isNothing({ value, relation }: BulkCount): boolean {
  return value === 0 && relation === 'exact'
}

function textOf({ value, relation }: BulkCount): string {
  return relation === 'exact' ? String(value) : `at least ${value}`
}

import { v7 as uuid } from 'uuid'
import type { BulkOutcome, BulkWait } from '../../../schemas/bulk.ts'
import { MAX_BULK_OPERATIONS, MAX_OPEN_BULK_OPERATIONS } from '../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { inTurns } from '../../collections/in-turns.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { confirmed, unreadAfterChange, withStoreErrors } from '../../stores/failures/unavailable.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'
import type { BulkProgress } from './bulk.ts'
import { orderFrom, type BulkOrder, type ForeignOrder } from './bulk-order.ts'

export const BULK_KEPT_MS = 7 * DAY_MS
/** How many outcomes one document holds, and the most items that are planned at a time. */
export const ITEMS_PER_CHUNK = 500

/** What an operation may touch. It never changes. */
export interface BulkRange {
  readonly taskNames: readonly string[]
  /** Null: all that match. */
  readonly executionIds: readonly string[] | null
  /** How many of the listed executions were left out. Absent if unknown. */
  readonly executionsLeftOut?: number
}

/** The index of a task in the frozen `taskNames`; null for a failure group, and where reading does not go task by task. */
export type TaskIndex = number | null
/** The id of an execution or a failure group, and its task. */
export type PlannedItem = readonly [id: string, task: TaskIndex]
export type SettledItem = readonly [id: string, task: TaskIndex, outcome: BulkOutcome, code?: string]

/** Where reading continues. Tasks take turns. */
export interface BulkPosition {
  /** Tasks from here on have not been read yet. */
  readonly unread: number
  /** Tasks that have more to read, and where to continue. */
  readonly open: ReadonlyArray<readonly [task: TaskIndex, mark: unknown]>
}

/** How far an operation has got. Only the process that works on the operation writes it, each time against the version that it read. */
export interface BulkStanding {
  /** `done`, or `aborted` before that; null while there is work. */
  readonly ended: 'done' | 'aborted' | null
  readonly finishedAt: number | null
  readonly waitingFor: BulkWait | null
  /** The error of that store, if it refuses writes. */
  readonly problem: string | null
  readonly position: BulkPosition
  /** Whether everything that matches has been read: nothing is left but the plan. */
  readonly isRead: boolean
  /** The items to do next. The plan is stored before it is begun, so that after a crash exactly these items are checked again. */
  readonly plan: readonly PlannedItem[]
  /**
   * Whether the plan was begun. Only stored by operations on existing queues, where it cannot be found out afterwards who changed a job.
   */
  readonly isBegun?: boolean
  /**
   * Items to be tried again, because their server was down or refused them. Only operations that change existing queues have them: there,
   * each server can fail separately. `isSent`: it is unknown whether the change was made.
   */
  readonly postponed?: ReadonlyArray<readonly [id: string, task: TaskIndex, isSent: boolean]>
  /** How many full chunks of outcomes there are. Chunks never change, except when they are undone. */
  readonly chunks: number
  /** The outcomes after those chunks. */
  readonly tail: readonly SettledItem[]
  readonly progress: BulkProgress
  /** How many of the items that are done cannot be undone. Older versions do not count them. */
  readonly final?: number
  readonly isCapped: boolean
  /** How many chunks are still to be undone, from the newest to the oldest; null unless the operation is being undone. */
  readonly toUndo: number | null
  readonly undoneAt: number | null
}

export interface Versioned<Value> { readonly version: number; readonly value: Value }

const ORDERS = 'bulk'
const STATES = 'bulk-states'
const RANGES = 'bulk-ranges'
/**
 * Not `bulk-open`: versions from before there were formats read that collection, and would end an operation that they do not understand.
 */
const OPEN = 'bulk-work'
const ITEMS = 'bulk-items'

/** How long an operation stays open without an order: it is being created, or the process that was creating it died. */
const UNORDERED_MS = MINUTE_MS
/** Documents that are stored before the order expire after this time if no order is stored. */
const PREPARED_MS = BULK_KEPT_MS + DAY_MS

export type BulkRecords = ReturnType<typeof createBulkRecords>

/** Stores bulk operations as documents of the result backend. Rejects with BACKEND_UNAVAILABLE or STORE_REFUSED. */
export function createBulkRecords(documents: DocumentStore) {
  const ask = <Result>(work: () => Promise<Result>): Promise<Result> => withStoreErrors(work, 'result backend')
  const chunkId = (operationId: string, chunk: number): string => `${operationId}:${chunk}`

  async function delivered<Value>(collection: string, operationId: string): Promise<Versioned<Value> | null> {
    return await ask(() => documents.get<Value>(collection, operationId))
  }

  async function storedChunk(operationId: string, chunk: number): Promise<Versioned<SettledItem[]> | null> {
    const found = await delivered<SettledItem[]>(ITEMS, chunkId(operationId, chunk))
    return found && { version: found.version, value: mapItems(found.value, taskFromStored) }
  }

  return {
    async order(operationId: string): Promise<Versioned<BulkOrder | ForeignOrder> | null> {
      const found = await delivered(ORDERS, operationId)
      return found && { version: found.version, value: orderFrom(found.value) }
    },
    async state(operationId: string): Promise<Versioned<BulkStanding> | null> {
      const found = await delivered<BulkStanding>(STATES, operationId)
      return found && { version: found.version, value: standingFrom(found.value) }
    },
    range: async ({ rangeId }: BulkOrder): Promise<BulkRange> =>
      (await delivered<BulkRange>(RANGES, rangeId))?.value ?? EMPTY_RANGE,

    /** All of them, newest first. */
    async orders(): Promise<ReadonlyArray<{ readonly id: string; readonly value: BulkOrder | ForeignOrder }>> {
      const all = (await ask(() => documents.list(ORDERS))).map(({ id, value }) => ({ id, value: orderFrom(value) }))
      return all.sort((one, other) => other.value.createdAt - one.value.createdAt || (one.id < other.id ? 1 : -1))
    },
    async statesOf(operationIds: readonly string[]): Promise<Array<BulkStanding | null>> {
      return (await ask(() => documents.getMany<BulkStanding>(STATES, operationIds)))
        .map(found => found && standingFrom(found.value))
    },
    async rangesOf(orders: readonly BulkOrder[]): Promise<BulkRange[]> {
      const found = await ask(() => documents.getMany<BulkRange>(RANGES, orders.map(({ rangeId }) => rangeId)))
      return found.map(each => each?.value ?? EMPTY_RANGE)
    },
    async ordersOf(operationIds: readonly string[]): Promise<Array<BulkOrder | ForeignOrder | null>> {
      return (await ask(() => documents.getMany(ORDERS, operationIds))).map(found => found && orderFrom(found.value))
    },

    /** Ids of the operations that have work left, oldest first. */
    async open(): Promise<string[]> {
      return (await ask(() => documents.list(OPEN))).map(({ id }) => id)
    },
    /** It expires, in case the order is pruned at this very moment: then nothing else would remove it. */
    setOpen: (operationId: string) => ask(() => documents.put(OPEN, operationId, {}, { ttlMs: PREPARED_MS })),
    setClosed: (operationId: string) => ask(() => documents.delete(OPEN, operationId)),

    /**
     * Stores a new operation. Its order is stored last: without an order the operation does not exist, and what was stored before expires.
     * Rejects with BULK_FULL, and with UNCONFIRMED if the operation may exist.
     * @returns false if it already exists
     */
    async add(operationId: string, order: Omit<BulkOrder, 'rangeId'>, range: BulkRange): Promise<boolean> {
      if ((await this.open()).length >= MAX_OPEN_BULK_OPERATIONS)
        throw createTaskDashboardError('BULK_FULL', [`${MAX_OPEN_BULK_OPERATIONS} bulk operations are unfinished`])
      // Another attempt may have another range, so each order has its own.
      const rangeId = uuid()
      await ask(async () => {
        await documents.put(STATES, operationId, NEW_STATE, { ifVersion: 0, ttlMs: PREPARED_MS })
        await documents.put(RANGES, rangeId, range, { ttlMs: PREPARED_MS })
        await documents.put(OPEN, operationId, {}, { ttlMs: UNORDERED_MS })
      })
      const ordered: BulkOrder = { ...order, rangeId }
      const version = await confirmed(
        () => documents.put(ORDERS, operationId, ordered, { ifVersion: 0, ifFewerThan: MAX_BULK_OPERATIONS }), 'result backend')
      if (version !== null) {
        await this.setOpen(operationId).catch(unreadAfterChange)
        return true
      }
      // After a broken connection the order is sent again, so this may be the same order.
      if (await delivered(ORDERS, operationId).catch(unreadAfterChange) !== null) return false
      await this.remove(operationId, { chunks: 0, rangeId })
      throw createTaskDashboardError('BULK_FULL', [`${MAX_BULK_OPERATIONS} bulk operations are kept`])
    },

    /**
     * Rejects with UNCONFIRMED if the order may be saved.
     * @returns null if someone else has changed it
     */
    saveOrder: (operationId: string, order: BulkOrder, ifVersion: number) =>
      confirmed(() => documents.put(ORDERS, operationId, order, { ifVersion }), 'result backend'),
    saveState: (operationId: string, state: BulkStanding, ifVersion: number) =>
      ask(() => documents.put(STATES, operationId, mapTasks(state, toStoredTask), { ifVersion })),

    /** It may hold more outcomes than the state says, if the process that wrote it died before it saved the state. */
    async chunk(operationId: string, chunk: number): Promise<readonly SettledItem[] | null> {
      return (await storedChunk(operationId, chunk))?.value ?? null
    },
    /**
     * Stores a chunk of outcomes: those of the state, and those of the last step. The chunk may already exist, if the process that wrote it
     * died before it saved the state. That process may have known more. Items that it recorded as done stay so, because a later check may
     * conclude that someone else had done them.
     * @returns the outcomes of the last step as they are stored
     */
    async keepChunk(
      operationId: string, chunk: number, tail: readonly SettledItem[], outcomes: readonly SettledItem[]
    ): Promise<readonly SettledItem[]> {
      let standing: Versioned<readonly SettledItem[]> = { version: 0, value: [] }
      for (;;) {
        const kept = withStanding(outcomes, standing.value.slice(tail.length))
        const { version: ifVersion } = standing
        const items = mapItems([...tail, ...kept], toStoredTask)
        const version = await ask(() => documents.put(ITEMS, chunkId(operationId, chunk), items, { ifVersion }))
        if (version !== null) return kept
        standing = await storedChunk(operationId, chunk) ?? { version: 0, value: [] }
      }
    },
    replaceChunk: (operationId: string, chunk: number, items: readonly SettledItem[]) =>
      ask(() => documents.put(ITEMS, chunkId(operationId, chunk), mapItems(items, toStoredTask))),

    /** Removes everything about an operation. Repeat it if it fails: the order, by which the operation is found, is removed last. */
    async remove(
      operationId: string, { chunks, rangeId }: { readonly chunks: number; readonly rangeId: string | null }
    ): Promise<void> {
      const numbers = Array.from({ length: chunks + 1 }, (_, chunk) => chunk)
      await ask(async () => {
        await documents.delete(OPEN, operationId)
        await inTurns(numbers, chunk => documents.delete(ITEMS, chunkId(operationId, chunk)))
        await documents.delete(STATES, operationId)
        if (rangeId !== null) await documents.delete(RANGES, rangeId)
        await documents.delete(ORDERS, operationId)
      })
    }
  }
}

/** Documents have -1 instead of null. */
const NO_TASK = -1

function toStoredTask(task: TaskIndex): number {
  return task ?? NO_TASK
}

function taskFromStored(task: TaskIndex): TaskIndex {
  return task === NO_TASK ? null : task
}

/** The operation of a newer version may have another state, which is not read. */
function standingFrom(stored: BulkStanding): BulkStanding {
  const { plan, tail, position } = stored as Partial<BulkStanding>
  return [plan, tail, position?.open].every(Array.isArray) ? mapTasks(stored, taskFromStored) : stored
}

function mapTasks(state: BulkStanding, convert: (task: TaskIndex) => TaskIndex): BulkStanding {
  const { position: { unread, open }, plan, tail, postponed } = state
  return {
    ...state, plan: mapItems(plan, convert), tail: mapItems(tail, convert),
    position: { unread, open: open.map(([task, mark]) => [convert(task), mark]) },
    ...postponed && { postponed: mapItems(postponed, convert) }
  }
}

function mapItems<Rest extends readonly unknown[]>(
  items: ReadonlyArray<readonly [id: string, task: TaskIndex, ...rest: Rest]>, convert: (task: TaskIndex) => TaskIndex
): Array<readonly [id: string, task: TaskIndex, ...rest: Rest]> {
  return items.map(([id, task, ...rest]) => [id, convert(task), ...rest])
}

/** @returns '' if there is no such task */
export function taskNameAt(taskNames: readonly string[], task: TaskIndex): string {
  return (task === null ? undefined : taskNames[task]) ?? ''
}

/** Each item once: first in the order of `outcomes`, then the items that only `standing` has. */
function withStanding(outcomes: readonly SettledItem[], standing: readonly SettledItem[]): readonly SettledItem[] {
  if (standing.length === 0) return outcomes
  const left = new Map(standing.map(item => [item[0], item]))
  const own = outcomes.map(item => {
    const kept = left.get(item[0]) ?? item
    left.delete(item[0])
    return kept
  })
  return [...own, ...left.values()]
}

export const NEW_STATE: BulkStanding = {
  ended: null, finishedAt: null, waitingFor: null, problem: null, position: { unread: 0, open: [] }, isRead: false, plan: [],
  chunks: 0, tail: [], progress: { done: 0, skipped: 0, failed: 0, undone: 0 }, isCapped: false, toUndo: null, undoneAt: null
}

const EMPTY_RANGE: BulkRange = { taskNames: [], executionIds: null }

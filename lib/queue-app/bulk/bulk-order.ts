import { BULK_ACTIONS, type BulkAction } from '../../../schemas/bulk.ts'
import type { BulkConditions, BulkCount } from './bulk.ts'
import { textOrNull } from '../../json/foreign-json.ts'

/**
 * The format in which an operation is stored: its order, range, state and items. A process works only on operations of a format that it
 * knows, and writes them in that format. Any change in what an operation touches or does needs a new number, because processes of several
 * versions run side by side.
 */
export const BULK_FORMAT = 1
/** The format of operations that change existing queues: they postpone what cannot be reached. They can also have the previous format. */
export const MANAGED_BULK_FORMAT = 2

export type BulkKind = 'own' | 'observed' | 'managed'

/** What people decided about an operation. Only requests write it. */
export interface BulkOrder {
  readonly format: typeof BULK_FORMAT | typeof MANAGED_BULK_FORMAT
  readonly action: BulkAction
  readonly filter: Omit<BulkConditions, 'executionIds'>
  /** How many executions its range lists; null if it lists none. */
  readonly executionCount: number | null
  readonly rangeId: string
  /** When the operation was accepted. Every format has this field. */
  readonly createdAt: number
  /** Nothing newer is touched. Relative times in its search are resolved from this time. */
  readonly before: number
  /** Every format has this field. */
  readonly by: string | null
  readonly reason: string | null
  readonly rate: number | null
  /** Exact if the filter lists executions and they were looked up. */
  readonly count: BulkCount
  readonly taskCount: number
  readonly tasksLeftOut: number
  /** Whether its tasks are all the tasks that existed. */
  readonly isAllTasks: boolean
  /**
   * Which existing queues it touches: queues that its process only observed, or that it could change. Absent if it touches none. A process
   * works on the operation only if it can do as much. Any other process would take their tasks for its own.
   */
  readonly others?: Exclude<BulkKind, 'own'>
  readonly wanted: 'run' | 'suspend' | 'abort' | 'undo'
  readonly changedAt: number | null
  readonly changedBy: string | null
}

export function formatOf(others: BulkOrder['others']): BulkOrder['format'] {
  return others === 'managed' ? MANAGED_BULK_FORMAT : BULK_FORMAT
}

/**
 * An order in a format that this version does not know. It is unknown what the order touches, so this process neither works on it nor
 * changes it.
 */
export interface ForeignOrder {
  readonly createdAt: number
  readonly by: string | null
  /** Why it is not known, as a sentence. */
  readonly problem: string
}

export function isForeign(order: BulkOrder | ForeignOrder): order is ForeignOrder {
  return 'problem' in order
}

/** Reads a stored order. */
export function orderFrom(value: unknown): BulkOrder | ForeignOrder {
  const order = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
  const problem = problemOf(order)
  if (problem === null) return order as unknown as BulkOrder
  const { createdAt, by } = order
  return { createdAt: isTime(createdAt) ? createdAt : 0, by: textOrNull(by), problem }
}

function problemOf(order: Readonly<Record<string, unknown>>): string | null {
  const { format, action, filter, wanted, others } = order
  if (format !== BULK_FORMAT && !(format === MANAGED_BULK_FORMAT && others === 'managed')) return FOREIGN
  // In case a version changed the format without changing the number: a condition that is not understood must not be ignored.
  const isKnown = BULK_ACTIONS.some(each => each === action) && WANTED.has(wanted) && hasOnly(order, ORDER_FIELDS) &&
    typeof filter === 'object' && filter !== null && hasOnly(filter, FILTER_FIELDS)
  return isKnown ? null : FOREIGN
}

const FOREIGN = 'Another version of this package started it. Processes of that version go on with it: this one leaves it alone'

const WANTED: ReadonlySet<unknown> = new Set<BulkOrder['wanted']>(['run', 'suspend', 'abort', 'undo'])

const ORDER_FIELDS = namesOf<keyof BulkOrder>({
  format: 0, action: 0, filter: 0, executionCount: 0, rangeId: 0, createdAt: 0, before: 0, by: 0, reason: 0, rate: 0, count: 0,
  taskCount: 0, tasksLeftOut: 0, isAllTasks: 0, others: 0, wanted: 0, changedAt: 0, changedBy: 0
})

const FILTER_FIELDS = namesOf<keyof BulkOrder['filter']>({
  status: 0, taskName: 0, scheduleId: 0, workerId: 0, errorGroup: 0, minDurationMs: 0, search: 0, from: 0, to: 0
})

/** Every name, and no other: the compiler checks both. */
function namesOf<Name extends string>(names: Readonly<Record<Name, 0>>): ReadonlySet<string> {
  return new Set(Object.keys(names))
}

/** Whether it is a time that can be shown. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < LAST_YEARS_MS
}

const LAST_YEARS_MS = 8e15

function hasOnly(value: object, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every(name => names.has(name))
}
